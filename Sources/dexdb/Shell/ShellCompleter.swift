import Entities
import Terminal

/// Completes lines with what the open database and the folders hold.
struct ShellCompleter {
  let context: CommandContext

  /// The most names that are looked up.
  static let nameLimit = 250
  /// In more records, values are not looked for while somebody waits.
  private static let recordLimit = 20_000

  func complete(_ line: String, at cursor: Int) -> Completion {
    do {
      return try completion(try context.openForReading(), line, cursor)
    } catch {
      // Without a database there are still commands and files.
      return LineCompletion(
        commands: ShellCommands.all, catalog: nil, names: { _, _ in [] }, files: Self.files
      ).completion(of: line, at: cursor)
    }
  }

  private func completion(_ database: Database, _ line: String, _ cursor: Int) throws -> Completion
  {
    let snapshot = try database.snapshot()
    let completion = LineCompletion(
      commands: ShellCommands.all, catalog: try QueryReading(database).catalog,
      names: { Self.names($0, $1, snapshot) }, values: { Self.values($0, $1, snapshot) },
      files: Self.files,
      pictures: PortraitGallery.names)
    return completion.completion(of: line, at: cursor)
  }

  /// The names of an entity that begin with `start`, by the index.
  private static func names(
    _ entity: String, _ start: String, _ snapshot: DatabaseSnapshot
  ) -> [String] {
    var query = Query(entity: entity, filter: .search("name", start))
    query.columns = [.field("name")]
    query.limit = nameLimit
    do {
      let found = try snapshot.find(query)
      let names = found.rows.compactMap { row -> String? in
        if let match = row.match { return match.text }
        switch row.values.first {
        case .text(let name)?: return name
        case .translations(let names)?: return names.first { $0.language == "en" }?.text
        default: return nil
        }
      }
      return names.filter { $0.lowercased().hasPrefix(start.lowercased()) }
    } catch {
      return []
    }
  }

  /// The values of a field, counted in all records, and so only where these are few.
  private static func values(
    _ entity: String, _ field: String, _ snapshot: DatabaseSnapshot
  ) -> [String] {
    var query = Query(entity: entity)
    query.groups = [FieldPath(field)]
    do {
      if try snapshot.count(entity) > recordLimit { return [] }
      return try snapshot.find(query).rows.compactMap { row in
        // Names are groups apart, each by its text.
        if case .text(let text)? = row.values.first { text } else { nil }
      }
    } catch {
      return []
    }
  }

  private static func files(_ folder: String) -> [String] {
    do {
      return try SystemCalls.names(in: folder).map { name in
        SystemCalls.isFolder("\(folder)/\(name)") ? name + "/" : name
      }
    } catch {
      return []
    }
  }
}
