import Entities
import Terminal

/// Commands that choose which database is read, and where the answers go.
extension Command {
  static let tables = Command(
    name: "tables", operands: "[OPTIONS]", summary: "List the entities, with how many of each.",
    options: RowOutput.options,
    examples: [Example("dexdb tables", "the same as dexdb schema")]
  ) { context in
    try context.checkOperandCount(0...0)
    try Command.schema.run(context)
  }

  static let once = Command(
    name: "once", operands: "FILE", summary: "Write what the next line shows into a file.",
    details: [
      "Rows are in the format that the name ends in, such as .csv or .json. "
        + "The file takes the place of an old one once it is whole; after an error, that stays as it "
        + "was. A second .once before a line takes the place of the first."
    ],
    examples: [Example("dexdb once fire.txt", "then such as: t:fire")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    context.session?.setOutputOnce(try OutputFile(path))
  }

  static let outputting = Command(
    name: "output", operands: "[FILE]",
    summary: "Write what all further lines show into a file; alone, to the screen again.",
    details: [
      "Rows are in the format that the name ends in, such as .csv or .jsonl. "
        + "An old file of that name is emptied; what a line shows is in the file once it has run.",
      "Each line writes what it would write alone, with a header or a list of its own; for rows of "
        + "several searches in one file, .jsonl has neither.",
    ],
    examples: [
      Example("dexdb output list.txt", "from now on"), Example("dexdb output", "as before"),
    ]
  ) { context in
    try context.checkOperandCount(0...1)
    let path = context.arguments.operands.first
    if let path { try context.checkOtherFile(path) }
    try context.session?.setOutput(path.map { try OutputFile(growing: $0) })
  }

  static let opening = Command(
    name: "open", operands: "FILE", summary: "Go on with another database.",
    examples: [Example("dexdb open other.dex", "the one before is closed")]
  ) { context in
    try context.checkOperandCount(1...1)
    let path = context.arguments.operands[0]
    try context.checkOtherFile(path)
    guard let session = context.session else { return }
    var globals = context.globals
    globals.set("--file", path)
    let fresh = CommandContext(
      command: context.command, arguments: context.arguments, globals: globals)
    try session.moveTo(path, try fresh.openForReading())
  }
}
