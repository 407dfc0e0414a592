package import Entities

/// Completion with what a database and the folders hold.
extension LineCompletion {
  /// The most names that are looked up.
  package static let nameLimit = 250
  /// In more records, values are not looked for while somebody waits.
  private static let recordLimit = 20_000

  /// Completion from `database`, of which `catalog` tells.
  package init(
    commands: [any DescribedCommand], catalog: FieldCatalog, database: Database
  ) throws {
    let snapshot = try database.snapshot()
    self.init(
      commands: commands, catalog: catalog, names: { Self.names($0, $1, snapshot) },
      values: { Self.values($0, $1, snapshot) }, files: Self.files,
      pictures: PortraitGallery.names)
  }

  /// Completion without a database: of commands and files.
  package init(commands: [any DescribedCommand]) {
    self.init(commands: commands, catalog: nil, names: { _, _ in [] }, files: Self.files)
  }

  /// The names and slugs of an entity that begin with `start`, by the index; those with a word that
  /// does where no name begins so, and those with such a part behind a `*`.
  private static func names(
    _ entity: String, _ start: String, _ snapshot: DatabaseSnapshot
  ) -> [KnownName] {
    do {
      let isPart = start.hasPrefix("*")
      // A part of a name is looked for in each of them.
      if isPart, try snapshot.count(entity) > recordLimit { return [] }
      let words = NearestName.foldedWords(of: start)
      if words.isEmpty { return [] }
      let filter: Filter =
        isPart ? .part("name", words, endsWord: false) : .search("name", start)
      var query = Query(entity: entity, filter: filter)
      query.columns = [.field("name")]
      query.limit = nameLimit
      if try snapshot.schema(of: entity).field(named: "slug") != nil {
        query.columns.append(.field("slug"))
      }
      let rows = try snapshot.find(query).rows
      for mustBegin in isPart ? [false] : [true, false] {
        let found = rows.compactMap { row -> KnownName? in
          let usual = row.values.first.flatMap(text)
          let name = [row.match?.text, usual].compactMap(\.self).first {
            KnownName.has(words, in: $0, atStart: mustBegin)
          }
          // A slug is for who writes it as it is.
          let slug = row.values.dropFirst().first.flatMap(text)
            .flatMap { $0.hasPrefix(start.lowercased()) ? $0 : nil }
          guard let shown = name ?? slug else { return nil }
          return KnownName(shown, help: shown == usual ? "" : usual ?? "")
        }
        if !found.isEmpty { return found }
      }
      return []
    } catch {
      return []
    }
  }

  private static func text(_ value: FieldValue?) -> String? {
    switch value {
    case .text(let name)?: name
    case .translations(let names)?: names.first { $0.language == "en" }?.text
    default: nil
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
