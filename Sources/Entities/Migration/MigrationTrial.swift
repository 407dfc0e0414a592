public import PageStore

/// What running migrations would do to a database.
public struct MigrationTrial: Sendable, Equatable {
  /// The migrations that the database has not been through, in their order.
  public internal(set) var pending: [String] = []
  /// What keeps them from running; nil where they would run.
  public internal(set) var failure: DatabaseError?
  /// What they would change of each entity, in words; entities that stay as they are are left out.
  public internal(set) var changes: [Change] = []

  /// What becomes of an entity.
  public struct Change: Sendable, Equatable {
    /// The entity's name.
    public var entity: String
    /// How the schemas differ, in words.
    public var differences: [String]
    /// How many records have other values than before, where the schema is the same; of another
    /// schema, 0.
    public var changedRecordCount = 0
    /// How many records there were, and are then; nil where there is no such entity.
    public var recordCounts: (before: Int?, after: Int?)

    /// True where both say the same.
    public static func == (left: Change, right: Change) -> Bool {
      left.entity == right.entity && left.differences == right.differences
        && left.changedRecordCount == right.changedRecordCount
        && left.recordCounts == right.recordCounts
    }
  }
}

extension Database {
  /// Runs the migrations that the database at `path` has not been through, on a copy in memory.
  ///
  /// The database itself is opened for reading only, and stays as it is.
  public static func tryMigrations(
    path: String, entities: [any Entity.Type] = [], migrations: [Migration],
    options: StoreOptions = StoreOptions()
  ) throws(DatabaseError) -> MigrationTrial {
    var readOnly = options
    readOnly.isReadOnly = true
    do throws(StoreError) {
      let store = try Store(path: path, options: readOnly)
      return try tryMigrations(try store.snapshot(), entities, migrations)
    } catch {
      throw .store(error)
    }
  }

  /// Runs migrations on a copy of this database, in memory; the database stays as it is.
  public func tryMigrations(
    entities: [any Entity.Type] = [], _ migrations: [Migration]
  ) throws(DatabaseError) -> MigrationTrial {
    do throws(StoreError) {
      return try Database.tryMigrations(try store.snapshot(), entities, migrations)
    } catch {
      throw .store(error)
    }
  }

  private static func tryMigrations(
    _ snapshot: Snapshot, _ entities: [any Entity.Type], _ migrations: [Migration]
  ) throws(StoreError) -> MigrationTrial {
    let copy = try Store.inMemory()
    try copy.write { transaction throws(StoreError) in
      for name in try snapshot.tableNames() {
        let table = try transaction.createTable(name)
        var cursor = try snapshot.table(name).cursor()
        while try cursor.next() { try transaction.put(cursor.key, try cursor.value, in: table) }
      }
    }
    var trial = MigrationTrial()
    do throws(DatabaseError) {
      let program = entities.map { ProgramEntity($0) }
      let before = try StoredCatalog.read(.snapshot(snapshot))
      trial.pending = try DatabaseOpening.pending(before, program, migrations).map(\.name)
      let database = try Database(copy, entities: entities, migrations: migrations)
      let after = try database.snapshot()
      trial.changes = try changes(
        ReadingContext(
          source: .snapshot(snapshot), schemas: SchemaSet(before, program: [])),
        ReadingContext(source: .snapshot(after.snapshot), schemas: after.schemas))
    } catch {
      trial.failure = error
    }
    return trial
  }

  private static func changes(
    _ before: ReadingContext, _ after: ReadingContext
  ) throws(DatabaseError) -> [MigrationTrial.Change] {
    var changes: [MigrationTrial.Change] = []
    for name in Set(before.schemas.names).union(after.schemas.names).sorted() {
      let old = before.schemas.layoutIfPresent(named: name)
      let new = after.schemas.layoutIfPresent(named: name)
      var counts: (before: Int?, after: Int?)
      if let old { counts.before = try before.count(old) }
      if let new { counts.after = try after.count(new) }
      var changed = 0
      if let old, let new, old.schema == new.schema {
        changed = try changedRecordCount(before, old, after, new)
        if changed == 0 && counts.before == counts.after { continue }
      }
      let differences = SchemaDifference(
        stored: old?.schema ?? Schema(name: name, fields: []),
        program: new?.schema ?? Schema(name: name, fields: [])
      ).changes
      changes.append(
        MigrationTrial.Change(
          entity: name, differences: differences, changedRecordCount: changed,
          recordCounts: counts))
    }
    return changes
  }

  /// How many records that are in both have other values in the second.
  private static func changedRecordCount(
    _ before: ReadingContext, _ old: EntityLayout, _ after: ReadingContext, _ new: EntityLayout
  ) throws(DatabaseError) -> Int {
    var count = 0
    try before.forEachRecord(old) { id, bytes throws(DatabaseError) in
      let bytesBefore = ByteReader.copy(bytes)
      let isChanged = try after.withRecord(new, id) { bytes throws(DatabaseError) in
        if ByteReader.copy(bytes) == bytesBefore { return false }
        return try ReadingContext.record(id, bytes, new)
          != ReadingContext.record(id, bytesBefore.rawSpan, old)
      }
      if isChanged == true { count += 1 }
      return true
    }
    return count
  }
}
