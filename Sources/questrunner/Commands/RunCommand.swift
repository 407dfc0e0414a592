import CDexShim
import Entities
import PageStore
import Terminal

extension Command {
  static let run = Command(
    name: "run", operands: "--adventurers QUERY --quests N [OPTIONS]",
    summary: "Send adventurers on quests, as fast as the machine can.",
    details: [
      "A sample starts every quest with the adventurer as the run found it, and keeps wins and "
        + "losses. A campaign keeps levels and experience as well, from quest to quest.",
      "Every quest counts exactly once, however the program ends. An interrupt lets it commit what "
        + "is under way; --resume goes on. The results are the same for any number of jobs.",
      "--until-error looks after every 1000 quests of an adventurer: with a goal, whether the win "
        + "rate is known to within so much, else the mean number of kills, in parts of it (95%).",
      "--shard computes one of n parts of a sample, and only reads the database: on any machine "
        + "with a copy of it, in any order. merge keeps the run once all parts are there.",
      "A campaign with --log runs in one thread, so that the log is always the same.",
    ],
    options: [
      OptionDefinition("--adventurers", value: "QUERY", "who goes; '' for all of them"),
      OptionDefinition("--quests", value: "N", "how many quests each goes on"),
      OptionDefinition(
        "--mode", value: "M", choices: QuestMode.allCases.map(\.rawValue),
        "sample or campaign; else a sample, or a campaign with --until level="),
      OptionDefinition("--foes", value: "N", "how many enemies at once, 1 to 4; else 1"),
      OptionDefinition("--goal", value: "KILLS", "how many fallen enemies win a quest"),
      OptionDefinition("--limit", value: "TICKS", "the longest quest in ms; else 86400000, a day"),
      OptionDefinition("--enemies", value: "QUERY", "which Pokémon may appear; else all"),
      OptionDefinition("--bestiary", value: "FILE", "enemies of your own, as TSV"),
      OptionDefinition("--jobs", value: "J", "how many threads compute; else one for each core"),
      OptionDefinition("--until", value: "level=L", "end an adventurer's campaign at that level"),
      OptionDefinition("--until-error", value: "P%", "end once the result is known so well"),
      OptionDefinition("--log", value: "FILE", "write everything that happens, for log and verify"),
      OptionDefinition("--resume", "go on with the newest run that is not finished"),
      OptionDefinition("--run", value: "RUN", "with --resume: go on with this one"),
      OptionDefinition("--shard", value: "i/n", "compute only one of n parts, into --out"),
      OptionDefinition("--out", value: "PART", "where the part goes, for merge"),
      OptionDefinition("--dry-run", "look whether all is well, and begin nothing"),
      Program.seedOption,
    ],
    examples: [
      CommandExample(
        "questrunner run --adventurers name:ana --quests 1000", "Ana, a thousand times"),
      CommandExample(
        "questrunner run --adventurers '' --quests 100 --mode campaign --until level=5",
        "all, up to level 5"),
      CommandExample(
        "questrunner run --adventurers class:wiz --quests 100000 --goal 10 --enemies 't:dragon'",
        "how often do wizards win against dragons"),
      CommandExample(
        "seq 8 | parallel questrunner --seed 42 run --adventurers \"''\" --quests 1000000 "
          + "--shard {}/8 --out part.{}", "in eight parts, for merge"),
      CommandExample("questrunner run --resume", "go on after an interrupt"),
    ]
  ) { context in
    try context.checkOperandCount(0...0)
    try Running(context).run()
  }
}

/// Begins a run, or goes on with one.
private struct Running {
  let context: CommandContext
  let database: Database
  let jobs: Int

  init(_ context: CommandContext) throws {
    self.context = context
    jobs = try context.number("--jobs", 1...1_024) ?? Int(dex_core_count())
    database = try context.open(
      isReadOnly: context.arguments.has("--dry-run") || context.arguments.has("--shard"))
  }

  func run() throws {
    if context.arguments.has("--out"), !context.arguments.has("--shard") {
      throw CommandFailure.usage("--out needs --shard", "such as --shard 1/8 --out part.1")
    }
    if let shard = context.arguments["--shard"] {
      return try Sharding(context: context, database: database).run(shard)
    }
    if context.arguments.has("--resume") { return try resume() }
    if context.arguments.has("--run") {
      throw CommandFailure.usage("--run needs --resume", "such as --resume --run 3")
    }
    let plan = try RunPlanning(context: context, database: database, base: nil).plan()
    try begin(plan)
  }

  private func begin(_ plan: QuestPlan) throws {
    try plan.check()
    if context.arguments.has("--dry-run") {
      context.note("seed \(plan.seed); nothing was begun")
      for fighter in plan.roster {
        context.line("\(fighter.name), level \(fighter.level): \(plan.quests.counted("quest"))")
      }
      return
    }
    // A log that cannot be made begins no run.
    let file = try makeLog()
    let id = try QuestRunner.begin(plan, in: database)
    try goOn(try QuestRunner(id, in: database), isNew: true, file)
  }

  /// What there is to go on with, or the run that was named.
  private func resumption() throws -> QuestResumption {
    guard let text = context.arguments["--run"] else {
      return try QuestRunner.resumption(in: database)
    }
    let id = try ReportedRun.id(text, database)
    return try QuestRunner(id, in: database).record.state == .finished
      ? .finished(id) : .unfinished(id)
  }

  private func resume() throws {
    switch try resumption() {
    case .nothing: try begin(try self.plan(nil))
    case .unfinished(let id):
      let runner = try QuestRunner(id, in: database)
      try runner.check(try plan(runner.plan))
      if context.arguments.has("--dry-run") {
        return context.note("run \(id) can be gone on with; nothing was done")
      }
      try goOn(runner, isNew: false, try makeLog())
    case .finished(let id):
      let runner = try QuestRunner(id, in: database)
      if context.arguments.has("--run") {
        try runner.check(try plan(runner.plan))
      } else if !(try isFinished(runner)) {
        return try begin(try self.plan(nil))
      }
      if !context.arguments.has("--dry-run") {
        let file = try makeLog()
        try rewriteLog(runner, file)
        try file?.finish()
      }
      context.note("run \(id), seed \(runner.plan.seed), is finished")
      try RunSummary.write(runner, context)
    }
  }

  /// True where the options describe a finished run, so that nothing is left to go on with.
  private func isFinished(_ runner: QuestRunner) throws -> Bool {
    do throws(QuestError) {
      try runner.check(try typed { try plan(runner.plan) })
      return true
    } catch {
      if case .differs = error { return false }
      throw error
    }
  }

  private func typed<Value>(_ body: () throws -> Value) throws(QuestError) -> Value {
    do {
      return try body()
    } catch {
      throw (error as? QuestError) ?? .settings("\(CommandFailure(error).message)")
    }
  }

  private func plan(_ base: QuestPlan?) throws -> QuestPlan {
    if base == nil, context.arguments["--quests"] == nil { throw QuestError.nothingToResume }
    return try RunPlanning(context: context, database: database, base: base).plan()
  }

  /// The file of a log, where one is wanted; what is in it stays until the log is written.
  private func makeLog() throws -> FileStream? {
    guard let path = context.arguments["--log"] else { return nil }
    return try FileStream.replacing(path, OwnFileKind("log of quests", start: QuestLog.magic))
  }

  /// Writes the quests that are done.
  private func rewriteLog(_ runner: QuestRunner, _ file: FileStream?) throws {
    guard let file else { return }
    try file.empty()
    try Self.append(QuestLog.header(runner.plan), to: file)
    try runner.repeatLog { (bytes) throws(QuestError) in try Self.append(bytes, to: file) }
  }

  private static func append(_ bytes: [UInt8], to file: FileStream) throws(QuestError) {
    do throws(FileFailure) {
      try file.write(bytes)
    } catch {
      throw .logNotWritten("\(error.path): \(error.reason)")
    }
  }

  private static func sink(_ file: FileStream) -> ([UInt8]) throws(QuestError) -> Void {
    { (bytes) throws(QuestError) in try append(bytes, to: file) }
  }

  private func goOn(_ runner: QuestRunner, isNew: Bool, _ file: FileStream?) throws {
    let count = runner.plan.roster.count
    context.note(
      "run \(runner.id)\(isNew ? "" : " goes on"): seed \(runner.plan.seed), "
        + "\(runner.plan.mode.rawValue), "
        + "\(runner.plan.quests.counted("quest")) each for \(count.counted("adventurer"))")
    try rewriteLog(runner, file)
    dex_interrupt_catch()
    let progress = RunProgress()
    let isFinished = try runner.run(
      jobs: jobs, isPatient: { dex_interrupt_seen() == 0 },
      log: file.map { Self.sink($0) },
      progress: { progress.show($0) })
    progress.end()
    try file?.finish()
    try RunSummary.write(runner, context)
    if isFinished { return }
    let log = context.arguments["--log"].map { " --log \($0)" } ?? ""
    context.note("stopped; \(Program.name) run --resume\(log) goes on")
    context.output.flush()
    dex_interrupt_end()
  }
}
