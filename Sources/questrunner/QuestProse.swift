import Entities
import Terminal

extension CommandFailure {
  /// Nobody is found by `query`.
  static func noAdventurer(answers query: String) -> CommandFailure {
    CommandFailure(
      "no adventurer answers \(query)",
      help: [
        "dexdb find from:adventurers lists them", "dexdb recruit name=Ana class=Wizard adds one",
      ])
  }

  /// What went wrong with quests, in words, and what to do.
  init(_ error: QuestError) {
    switch error {
    case .database(.noSuchRecord(entity: QuestRun.schema.name, let id)):
      self.init("there is no run \(id)", help: ["\(Program.name) runs lists them"])
    case .database(let error): self.init(error)
    case .noEnemies:
      self.init("no enemy answers the query", help: ["dexdb find shows what a query finds"])
    case .noAdventurers: self = .noAdventurer(answers: "the query")
    case .settings: self.init("\(error)", exitCode: .usage)
    case .tooManyEnemies, .tooManyAdventurers:
      self.init("\(error)", help: ["narrow the query"], exitCode: .usage)
    case .adventurer(let id, _, _):
      self.init("\(error)", help: ["dexdb show \(id) --from adventurers shows the numbers"])
    case .enemy, .bestiary: self.init("\(error)", help: ["nothing was begun"])
    case .differs(let run, let differences):
      self.init(
        "run \(run) cannot be gone on with: " + differences.joined(separator: "; "),
        help: [
          "give the options of the run, or only --resume", "without --resume a new run begins",
        ])
    case .overtaken: self.init("\(error)", help: ["every quest counted once; look at it with runs"])
    case .nothingToResume:
      self.init("\(error)", help: ["begin one with --adventurers and --quests"])
    case .logNotWritten:
      self.init(
        "\(error)",
        help: ["make room, then \(Program.name) run --resume with the same --log goes on"])
    case .part: self.init("\(error)", help: ["nothing was kept"])
    case .corruptRun, .corruptLog, .falseLog, .newerLog: self.init("\(error)", exitCode: .damaged)
    case .noSuchQuest: self.init("\(error)", help: ["\(Program.name) runs lists what there is"])
    }
  }
}
