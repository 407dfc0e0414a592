import Entities
import PageStore
import Terminal

/// What the screens read: answers to queries and single records, of one snapshot at a time.
final class BrowseSource {
  let database: Database
  let reading: QueryReading
  private(set) var snapshot: DatabaseSnapshot
  let pictures = BrowsePictures()
  /// How long answers are waited for.
  let patience = BrowsePatience()
  /// How long a key waits for the answer on which it depends; nil for ever.
  var keyTime: Duration?
  /// The file that the user named; nil for the usual one.
  let file: String?
  /// What was shown last by itself, which is asked for by every frame.
  var knownDetails: (version: UInt64, details: BrowseDetails)?
  private let catalogs: [BrowseState.Realm: FieldCatalog]
  private var populations: [BrowseState.Realm: Int] = [:]

  init(_ database: Database, file: String? = nil) throws {
    self.database = database
    self.file = file
    reading = try QueryReading(database)
    snapshot = try database.snapshot().interrupted(when: patience.isOver)
    var catalogs: [BrowseState.Realm: FieldCatalog] = [:]
    for realm in BrowseState.Realm.allCases {
      var catalog = reading.catalog
      catalog.defaultEntity = realm.entity
      catalogs[realm] = catalog
    }
    self.catalogs = catalogs
  }

  /// Where the seeds of new adventurers come from.
  var newSeed: () -> UInt64 = { UInt64.random(in: 0..<1 << 32) }

  /// The number of the commit that is shown.
  var version: UInt64 { snapshot.transaction.rawValue }

  /// Looks at what was committed last; false where that is what was looked at before.
  func update() throws -> Bool {
    let newest = try database.snapshot().interrupted(when: patience.isOver)
    if newest.transaction == snapshot.transaction { return false }
    snapshot = newest
    populations = [:]
    pictures.forgetStored()
    return true
  }

  // MARK: Queries

  /// The query of a line in one of the lists.
  ///
  /// - Throws: `QueryError`, also where a list cannot show what is asked for.
  func query(_ text: String, _ realm: BrowseState.Realm) throws -> Query {
    guard let catalog = catalogs[realm] else { return Query(entity: realm.entity) }
    var query = try QueryParser.query(text, in: catalog)
    let whole = 0..<text.unicodeScalars.count
    if query.entity != realm.entity {
      let isOther = query.entity == realm.other.entity
      throw QueryError(
        "this list shows \(realm.title)", line: text, range: whole,
        help: [isOther ? "Tab changes to \(realm.other.title)" : "leave out from:"])
    }
    if !query.groups.isEmpty || query.columns.contains(where: { !$0.isField }) {
      throw QueryError(
        "groups are for tables", line: text, range: whole, help: ["use \(Program.name) find"])
    }
    query.columns = []
    return query
  }

  /// The list that can show what a line asks for.
  ///
  /// - Throws: `QueryError` where neither can.
  func realm(of text: String) throws -> BrowseState.Realm {
    let entity = try catalogs[.pokemon].map { try QueryParser.query(text, in: $0).entity }
    let realm = BrowseState.Realm.allCases.first { $0.entity == entity } ?? .pokemon
    _ = try query(text, realm)
    return realm
  }

  func population(_ realm: BrowseState.Realm) throws -> Int {
    if let known = populations[realm] { return known }
    let count = try snapshot.count(realm.entity)
    populations[realm] = count
    return count
  }

  /// How many records the answer to `query` has.
  func count(_ query: Query) throws -> Int {
    let found = try snapshot.count(query.entity, where: query.filter, language: query.language)
    return min(max(0, found - query.offset), query.limit ?? .max)
  }

  func ids(_ query: Query, offset: Int, limit: Int) throws -> [EntityID] {
    try snapshot.findIDs(part(of: query, offset, limit))
  }

  private func part(of query: Query, _ offset: Int, _ limit: Int) -> Query {
    var part = query
    part.offset += offset
    part.limit = min(limit, max(0, (query.limit ?? .max) - offset))
    return part
  }

  /// Some of the records of the answer, as the list shows them.
  func rows(
    _ query: Query, offset: Int, limit: Int, _ realm: BrowseState.Realm
  ) throws -> [BrowseRow] {
    var part = part(of: query, offset, limit)
    let names = realm == .pokemon ? ["name", "types"] : Self.adventurerColumns
    part.columns = names.map { .field(FieldPath($0)) }
    if let path = Self.sortPath(of: query) { part.columns.append(.field(path)) }
    let result = try snapshot.find(part)
    return result.rows.compactMap { row in
      guard let id = row.id else { return nil }
      var shown = BrowseRow(id: id, name: Self.text(row.values[0]))
      if let match = row.match, match.text != shown.name { shown.foundName = match.text }
      if realm == .pokemon {
        if case .names(let types)? = row.values[1] { shown.types = types }
      } else {
        shown.adventurer = Self.numbers(row.values)
      }
      if row.values.count > names.count {
        shown.sortValue =
          ValueText.shown(row.values[names.count], result.columns[names.count].kind)
          .shown
      }
      return shown
    }
  }

  /// The field by which a list is sorted, where showing it tells something new.
  private static func sortPath(of query: Query) -> FieldPath? {
    guard let path = query.order.first?.fields.first, query.order.first?.fields.count == 1,
      !["id", "number", "name", "types"].contains(path.name)
    else { return nil }
    return path
  }

  private static let adventurerColumns = [
    "name", "profession", "level", "current_hit_points", "total_hit_points", "multiplier", "wins",
    "losses",
  ]

  private static func text(_ value: FieldValue?) -> String {
    if case .text(let text)? = value { return text }
    return ""
  }

  private static func numbers(_ values: [FieldValue?]) -> BrowseRow.Numbers {
    let number = { (place: Int) -> Int in
      if case .integer(let number)? = values[place] { return Int(number) }
      return 0
    }
    return BrowseRow.Numbers(
      profession: text(values[1]), level: number(2), hitPoints: number(3),
      totalHitPoints: number(4), multiplier: number(5), wins: number(6), losses: number(7))
  }

  // MARK: Pictures

  /// The picture of a record in a box of cells; nil where there is none, or no time for it now.
  func picture(_ record: BrowseRecord, columns: Int, rows: Int) -> ScreenPicture? {
    pictures.picture(record, columns: columns, rows: rows) { [snapshot] in
      if let stored = try PortraitStorage.stored(record.entity, record.id, in: snapshot) {
        return stored
      }
      if record.entity == "adventurers" { return nil }
      return try GeneratedPortrait.draw(record.entity, record.id, in: snapshot)
    }
  }
}

/// A record that can be shown by itself.
struct BrowseRecord: Hashable {
  var entity: String
  var id: EntityID
}
