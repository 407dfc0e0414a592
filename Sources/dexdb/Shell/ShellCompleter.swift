import Entities
import Terminal

/// Completes lines with what the open database and the folders hold.
struct ShellCompleter {
  let context: CommandContext

  func complete(_ line: String, at cursor: Int) -> Completion {
    do {
      let database = try context.openForReading()
      return try LineCompletion(
        commands: ShellCommands.all, catalog: try QueryReading(database).catalog,
        database: database
      ).completion(of: line, at: cursor)
    } catch {
      // Without a database there are still commands and files.
      return LineCompletion(commands: ShellCommands.all).completion(of: line, at: cursor)
    }
  }
}
