import Entities
import Terminal

extension Command {
  static let merge = Command(
    name: "merge", operands: "PART…",
    summary: "Keep a run whose parts were computed apart, by run --shard.",
    details: [
      "All parts must be there, each once, and of one plan; else nothing is kept, and what is "
        + "missing or double is named. A run that is kept already is refused, and so is one whose "
        + "adventurers have changed since: merge before they go anywhere else."
    ],
    examples: [
      CommandExample("questrunner merge part.*", "after the last part was computed")
    ]
  ) { context in
    try context.checkOperandCount(1...QuestPart.shardLimit)
    var parts: [(name: String, part: QuestPart)] = []
    for path in context.arguments.operands {
      let bytes = try SystemCalls.bytes(of: path, maximum: QuestPart.byteLimit)
      do throws(QuestError) {
        parts.append((path, try QuestPart(untrusted: bytes)))
      } catch {
        throw CommandFailure("\(path): \(error)", help: ["nothing was kept"], exitCode: .damaged)
      }
    }
    let database = try context.open(isReadOnly: false)
    let id = try QuestRunner.merge(parts, in: database)
    let runner = try QuestRunner(id, in: database)
    context.note("run \(id), seed \(runner.plan.seed), is kept")
    try RunSummary.write(runner, context)
  }
}

/// Computes a share of a run into a file, and leaves the database as it is.
struct Sharding {
  let context: CommandContext
  let database: Database

  func run(_ text: String) throws {
    guard let path = context.arguments["--out"] else {
      throw CommandFailure.usage("--out is missing", "such as --out part.1")
    }
    let others = ["--resume", "--run", "--log", "--dry-run"]
    if let other = others.first(where: { context.arguments.has($0) }) {
      throw CommandFailure.usage("--shard and \(other) contradict each other", "choose one")
    }
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let shard = numbers[0], let shards = numbers[1],
      (1...QuestPart.shardLimit).contains(shards), (1...shards).contains(shard)
    else {
      throw CommandFailure.usage("--shard cannot be '\(text)'", "such as 1/8, up to 8/8")
    }
    if try context.seed() == nil {
      throw CommandFailure.usage(
        "--seed is missing", "all shards need the same one, such as --seed 42")
    }
    try SystemCalls.refuseOthers(than: OwnFileKind("part of a run", start: QuestPart.magic), path)
    let plan = try RunPlanning(context: context, database: database, base: nil).plan()
    let part = try QuestPart(plan, shard: shard, of: shards)
    try SystemCalls.write(part.encoded, toFile: path)
    context.note("\(path) has part \(shard)/\(shards), seed \(plan.seed)")
  }
}
