public import PageStore

/// Why quests cannot be begun, gone on with, or read.
public enum QuestError: Error, Equatable, Sendable {
  /// The database failed.
  case database(DatabaseError)
  /// No enemy answers the query.
  case noEnemies
  /// More enemies than a table holds.
  case tooManyEnemies(limit: Int)
  /// An enemy with a value that the rules do not allow.
  case enemy(name: String, column: String, reason: String)
  /// A line of a bestiary that is wrong, counted from 1; the column where one is.
  case bestiary(line: Int, column: String?, reason: String)
  /// No adventurer answers the query.
  case noAdventurers
  /// More adventurers than a run takes.
  case tooManyAdventurers(limit: Int)
  /// An adventurer with numbers that the rules do not allow.
  case adventurer(id: EntityID, name: String, reason: String)
  /// Settings that the rules do not allow, in words.
  case settings(String)
  /// No quest of that run, adventurer and number, in words.
  case noSuchQuest(String)
  /// The run that is to be gone on with is another one: what differs, one thing each.
  case differs(run: EntityID, [String])
  /// Another program went on with the run meanwhile.
  case overtaken(run: EntityID)
  /// There is no run to go on with.
  case nothingToResume
  /// The record of a run cannot be read, in words.
  case corruptRun(run: EntityID?, String)
  /// A log that cannot be read: the offset in bytes, and what is wrong.
  case corruptLog(offset: Int, String)
  /// A log that tells of something else than what happened, in words.
  case falseLog(String)
  /// A log that cannot be written, in words.
  case logNotWritten(String)
  /// Parts that cannot be read or do not make a run, in words.
  case part(String)
  /// A log of a newer version.
  case newerLog(version: Int)
}

extension QuestError: DatabaseFailure {
  /// A failure of the database.
  public init(_ error: DatabaseError) { self = .database(error) }
}

extension QuestError: StoreFailure {
  /// A failure of the store.
  public init(_ error: StoreError) { self = .database(.store(error)) }
}

extension QuestError {
  /// Runs `body`, and throws what it throws as an error of quests.
  static func wrap<Result: ~Copyable>(_ body: () throws -> Result) throws(QuestError) -> Result {
    do {
      return try body()
    } catch {
      switch error {
      case let error as QuestError: throw error
      case let error as DatabaseError: throw .database(error)
      case let error as StoreError: throw .database(.store(error))
      default: throw .settings("\(error)")
      }
    }
  }
}

extension QuestError: CustomStringConvertible {
  /// What went wrong, in a sentence.
  public var description: String {
    switch self {
    case .database(let error): "\(error)"
    case .noEnemies: "no enemy answers the query"
    case .tooManyEnemies(let limit): "there may be \(limit) kinds of enemies at most"
    case .enemy(let name, let column, let reason): "enemy '\(name)', \(column): \(reason)"
    case .bestiary(let line, let column, let reason):
      "line \(line)\(column.map { ", column '\($0)'" } ?? ""): \(reason)"
    case .noAdventurers: "no adventurer answers the query"
    case .tooManyAdventurers(let limit): "a run takes \(limit) adventurers at most"
    case .adventurer(let id, let name, let reason):
      "adventurer \(id), '\(name)', cannot go on a quest: \(reason)"
    case .settings(let text): text
    case .noSuchQuest(let text): text
    case .differs(let run, let differences):
      "run \(run) is another one: " + differences.joined(separator: "; ")
    case .overtaken(let run): "another program went on with run \(run) meanwhile"
    case .nothingToResume: "there is no run to go on with"
    case .corruptRun(let run, let text):
      "the record of run \(run.map { "\($0)" } ?? "?") is damaged: \(text)"
    case .corruptLog(let offset, let text): "the log is damaged at byte \(offset): \(text)"
    case .falseLog(let text), .logNotWritten(let text): text
    case .part(let text): text
    case .newerLog(let version): "the log has version \(version), from a newer program"
    }
  }
}
