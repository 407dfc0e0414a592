import Glibc

/// What a user does with a program and waits for.
enum ProgramTask: Sendable {
  case initialize
  case find
  case importing
  case exporting
  case check
  case backup
  case compact
  case quests
  case keystrokes
}

/// A program that does the tasks, each time as a process of its own.
protocol ProgramContestant: Contestant {
  /// Works in the empty folder at `path` with the adventurers of the file `roster` and so many quests.
  init(path: String, roster: String, questCount: Int) throws

  /// Makes what the task needs; not measured.
  func prepare(_ task: ProgramTask) throws

  /// Does the task; its seconds.
  func run(_ task: ProgramTask) throws -> Double

  /// What came out, or nil where that is nothing that others could have; not measured.
  func answer(_ task: ProgramTask) throws -> Digest?
}

/// `dexdb` and `questrunner`.
final class OurPrograms: ProgramContestant {
  static let name = "ours"
  static let checks = "checksums of pages that are read; copies are read back before they get names"
  static let durability = "synced before the program ends"

  /// What `find` asks for, and the query with the same answer in SQL.
  static let query = "t:fire t:flying show:id,name"

  private let path: String
  private let roster: String
  private let questCount: Int
  private var made: Set<String> = []

  init(path: String, roster: String, questCount: Int) throws {
    self.path = path
    self.roster = roster
    self.questCount = questCount
    try run(["-f", file("pokedex"), "init"])
    try run([
      "-f", file("pokedex"), "recruit", "--seed", "7", "name=Ana", "class=Wizard", "level=5",
    ])
    try FileBytes.copy(file("pokedex"), to: file("quests"))
    try run(["-f", file("pokedex"), "delete", "--yes", "--where", "from:adv name=ana"])
  }

  private func file(_ name: String) -> String { "\(path)/\(name).dex" }

  private var output: String { path + "/output" }

  @discardableResult
  private func run(_ arguments: [String]) throws -> Double {
    try Programs.run("dexdb", arguments, output: output)
  }

  /// Makes the file the first time, by `body` from a copy of another one.
  private func make(
    _ name: String, from other: String, _ body: () throws -> Void
  ) throws {
    if made.contains(name) { return }
    try FileBytes.copy(file(other), to: file(name))
    try body()
    made.insert(name)
  }

  private func makeRoster() throws {
    try make("roster", from: "pokedex") { try run(["-f", file("roster"), "import", roster]) }
  }

  func prepare(_ task: ProgramTask) throws {
    switch task {
    case .initialize: unlink(file("new"))
    case .find: break
    case .importing: try FileBytes.copy(file("pokedex"), to: file("imported"))
    case .exporting, .check, .keystrokes: try makeRoster()
    case .backup:
      try makeRoster()
      unlink(file("copy"))
    case .compact:
      try makeRoster()
      try make("half", from: "roster") {
        try run(["-f", file("half"), "delete", "--yes", "--where", "from:adv level<=100"])
      }
      try FileBytes.copy(file("half"), to: file("compacted"))
    case .quests: try FileBytes.copy(file("quests"), to: file("run"))
    }
    sync()
  }

  func run(_ task: ProgramTask) throws -> Double {
    switch task {
    case .initialize: try run(["-f", file("new"), "init"])
    case .find: try run(["-f", file("pokedex"), "find", "--no-header", OurPrograms.query])
    case .importing: try run(["-f", file("imported"), "import", roster])
    case .exporting:
      try run(["-f", file("roster"), "export", "from:adv"])
    case .check: try run(["-f", file("roster"), "check"])
    case .backup: try run(["-f", file("roster"), "backup", file("copy")])
    case .compact: try run(["-f", file("compacted"), "compact"])
    case .quests:
      try Programs.run(
        "questrunner",
        [
          "-f", file("run"), "--seed", "42", "run", "--adventurers", "name:ana", "--quests",
          "\(questCount)", "--jobs", "2",
        ], output: output)
    case .keystrokes: try Keystrokes.longest(file: file("roster"))
    }
  }

  func answer(_ task: ProgramTask) throws -> Digest? {
    var digest = Digest()
    switch task {
    case .initialize, .check, .quests, .keystrokes: digest.fold(text: Array("well".utf8))
    case .find: digest.fold(text: try FileBytes.read(output))
    case .exporting: digest.fold(text: Roster.importedColumns(try FileBytes.read(output)))
    case .importing: try foldCount(of: "imported", into: &digest)
    case .backup: try foldCount(of: "copy", into: &digest)
    case .compact: try foldCount(of: "compacted", into: &digest)
    }
    return digest
  }

  private func foldCount(of name: String, into digest: inout Digest) throws {
    try run(["-f", file(name), "count", "from:adv"])
    digest.fold(text: try FileBytes.read(output))
  }
}

/// A process of Swift that does nothing: the floor under all others.
final class EmptyProgram: ProgramContestant {
  static let name = "empty-process"
  static let checks = "nothing and does nothing"

  private let path: String

  init(path: String, roster: String, questCount: Int) { self.path = path }

  func prepare(_ task: ProgramTask) {}

  func run(_ task: ProgramTask) throws -> Double {
    try Programs.run("empty", [], output: path + "/output")
  }

  func answer(_ task: ProgramTask) -> Digest? { nil }
}
