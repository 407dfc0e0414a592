import Entities
import PageStore
import Terminal

/// What the screens read: answers to queries and single records, of one snapshot at a time.
final class BrowseSource {
  let database: Database
  let reading: QueryReading
  private(set) var snapshot: DatabaseSnapshot
  let pictures = BrowsePictures()
  /// True where a thread finds the answers; else whoever asks does, and waits.
  var isBeside = false
  let orders = BrowseWorker<BrowseQuestion, RecordOrder> { job, isOver throws(DatabaseError) in
    try job.snapshot.interrupted(when: isOver).order(
      of: job.question.query, isWhole: job.question.isWhole, progress: job.progress)
  }
  let countings = BrowseWorker<BrowseCounting, [Int]> { job, isOver throws(DatabaseError) in
    let snapshot = job.snapshot.interrupted(when: isOver)
    var counts: [Int] = []
    for query in job.question.queries {
      let count = try snapshot.count(
        query.entity, where: query.filter, language: query.language)
      counts.append(min(max(0, count - query.offset), query.limit ?? .max))
    }
    return counts
  }
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
    snapshot = try database.snapshot()
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
    let newest = try database.snapshot()
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

  /// False for a record that somebody has deleted while the list still has it.
  func has(_ record: BrowseRecord) throws -> Bool {
    try snapshot.contains(record.entity, record.id)
  }

  func population(_ realm: BrowseState.Realm) throws -> Int {
    if let known = populations[realm] { return known }
    let count = try snapshot.count(realm.entity)
    populations[realm] = count
    return count
  }

  /// The columns of records that answer `query`, as the list shows them; nil for those that are gone.
  func rows(
    _ query: Query, _ ids: [EntityID], _ realm: BrowseState.Realm
  ) throws -> [BrowseRow?] {
    var query = query
    let names = realm == .pokemon ? ["name", "types"] : Self.adventurerColumns
    query.columns = names.map { .field(FieldPath($0)) }
    if let path = Self.sortPath(of: query) { query.columns.append(.field(path)) }
    let result = try snapshot.find(query, ids: ids)
    var found = result.rows[...]
    return ids.map { id in
      guard let row = found.first, row.id == id else { return nil }
      found.removeFirst()
      return shown(row, id, result.columns, names.count, realm)
    }
  }

  private func shown(
    _ row: ResultRow, _ id: EntityID, _ columns: [ResultColumn], _ count: Int,
    _ realm: BrowseState.Realm
  ) -> BrowseRow {
    var shown = BrowseRow(id: id, name: Self.text(row.values[0]))
    if let match = row.match, match.text != shown.name { shown.foundName = match.text }
    if realm == .pokemon {
      if case .names(let types)? = row.values[1] { shown.types = types }
    } else {
      shown.adventurer = Self.numbers(row.values)
    }
    if row.values.count > count {
      shown.sortValue = ValueText.shown(row.values[count], columns[count].kind).shown
    }
    return shown
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
