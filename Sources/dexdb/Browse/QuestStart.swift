import Entities
import Glibc
import Terminal

/// Starts the other program, which shows a quest of one adventurer.
struct QuestStart {
  let context: CommandContext

  private static let name = "questrunner"

  /// Runs a quest on the terminal while the screen is put away.
  ///
  /// - Throws: Where the database may not be changed, since what a quest brings is kept.
  func run(_ id: EntityID, _ screen: Screen) throws {
    try context.checkWriting()
    let program = try program()
    let code = screen.run(
      program, ["-f", context.databasePath, "watch", "from:adventurers #\(id)"])
    if code < 0 {
      throw CommandFailure("\(program): \(SystemCalls.text(ofError: -code))")
    }
    // An interrupted quest was left on purpose.
    if ![0, 128 + SIGINT, 128 + SIGQUIT].contains(code) {
      throw CommandFailure("\(Self.name) ended with \(code)")
    }
  }

  /// The other program.
  ///
  /// - Throws: Where there is none, or it may not be started.
  func program() throws -> String {
    guard let program = Self.find() else {
      throw CommandFailure(
        "\(Self.name) is not installed beside \(Program.name)",
        help: ["quests need it"])
    }
    try context.checkOtherFile(program)
    return program
  }

  /// The program beside this one, or else where commands are.
  private static func find() -> String? {
    var folders: [String] = []
    if let own = SystemCalls.ownPath(), let slash = own.lastIndex(of: "/") {
      folders.append(String(own[..<slash]))
    }
    folders += (SystemCalls.environment("PATH") ?? "").split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }.first { SystemCalls.isExecutable($0) }
  }
}
