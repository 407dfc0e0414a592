public import PageStore

/// A database of entities in one file: records with schemas, their indexes, and queries.
///
/// One transaction at a time writes, in whichever process; any number of snapshots read, and neither
/// waits for the other. All of it may be called from any thread.
public final class Database: Sendable {
  /// The store that holds everything, as tables of keys and values.
  public let store: Store
  let program: [ProgramEntity]
  private let known: Guarded<SchemaSet>
  let changes: ChangeWatch

  /// Opens the database at `path`, creating it where the options say so.
  ///
  /// Entities that the file lacks are created, and migrations that it has not been through are run,
  /// all in one transaction. Opening for reading only changes nothing: missing entities are simply
  /// not there, and a pending migration is an error. Without `entities`, every file can be opened,
  /// and its records are at hand by the names of their fields.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - entities: The types whose records the program reads and writes.
  ///   - migrations: All that there ever were, oldest first.
  ///   - options: How the store is opened.
  /// - Throws: `.newerFile`, `.schemaMismatch`, `.migrationNeeded`, `.migrationsDiffer`,
  ///   `.migrationFailed`, `.invalidSchema`, `.corruptCatalog`, or `.store`.
  public convenience init(
    path: String, entities: [any Entity.Type] = [], migrations: [Migration] = [],
    options: StoreOptions = StoreOptions()
  ) throws(DatabaseError) {
    let store: Store
    do throws(StoreError) {
      store = try Store(path: path, options: options)
    } catch {
      throw .store(error)
    }
    try self.init(
      store, entities: entities, migrations: migrations, isReadOnly: options.isReadOnly)
  }

  /// A database in memory, which goes when it is closed.
  public static func inMemory(
    entities: [any Entity.Type] = [], migrations: [Migration] = []
  ) throws(DatabaseError) -> Database {
    let store: Store
    do throws(StoreError) {
      store = try Store.inMemory()
    } catch {
      throw .store(error)
    }
    return try Database(store, entities: entities, migrations: migrations)
  }

  /// Takes over an open store.
  package init(
    _ store: Store, entities: [any Entity.Type] = [], migrations: [Migration] = [],
    isReadOnly: Bool = false
  ) throws(DatabaseError) {
    self.store = store
    program = entities.map { ProgramEntity($0) }
    changes = ChangeWatch(store)
    let opening = DatabaseOpening(store: store, program: program, migrations: migrations)
    known = Guarded(try opening.run(isReadOnly: isReadOnly))
  }

  deinit { changes.stop() }

  /// Makes everything durable and closes the database; calls after it throw.
  public func close() throws(DatabaseError) {
    changes.stop()
    do throws(StoreError) {
      try store.close()
    } catch {
      throw .store(error)
    }
  }

  /// The schemas of all entities, by their names, as of now.
  public func schemas() throws(DatabaseError) -> [Schema] {
    let snapshot = try snapshot()
    return snapshot.schemas.names.compactMap { snapshot.schemas.stored[$0]?.schema }
  }

  /// The derived fields that the program has for an entity; none where it has no type for it.
  public func derivedFields(of entity: String) -> [DerivedField] {
    program.first { $0.schema.name == entity }?.derived ?? []
  }

  // MARK: Reading

  /// All entities as of the newest visible commit.
  public func snapshot() throws(DatabaseError) -> DatabaseSnapshot {
    let snapshot: Snapshot
    do throws(StoreError) {
      snapshot = try store.snapshot()
    } catch {
      throw .store(error)
    }
    return DatabaseSnapshot(snapshot: snapshot, schemas: try schemas(in: .snapshot(snapshot)))
  }

  /// Runs `body` on the newest visible commit.
  public func read<Result, Failure: DatabaseFailure>(
    _ body: (DatabaseSnapshot) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let snapshot: DatabaseSnapshot
    do throws(DatabaseError) {
      snapshot = try self.snapshot()
    } catch {
      throw Failure(error)
    }
    return try body(snapshot)
  }

  /// Runs `body` on the newest visible commit.
  @_disfavoredOverload
  public func read<Result>(_ body: (DatabaseSnapshot) throws -> Result) throws -> Result {
    try body(try snapshot())
  }

  // MARK: Writing

  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  ///
  /// Returns once the commit is what the store's durability promises.
  @discardableResult
  public func write<Result, Failure: DatabaseFailure>(
    _ body: (inout DatabaseTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = try store.write { (transaction) throws(Failure) in
      try self.run(&transaction, body)
    }
    changes.noteCommit()
    return result
  }

  /// Runs `body` in a transaction and commits it; where it throws, nothing has happened.
  @discardableResult
  @_disfavoredOverload
  public func write<Result>(
    _ body: (inout DatabaseTransaction) throws -> Result
  ) throws -> Result {
    do throws(AnyDatabaseFailure) {
      return try write { (transaction) throws(AnyDatabaseFailure) in
        do {
          return try body(&transaction)
        } catch {
          throw AnyDatabaseFailure(any: error)
        }
      }
    } catch {
      throw error.error
    }
  }

  func run<Result, Failure: DatabaseFailure>(
    _ transaction: inout WriteTransaction,
    _ body: (inout DatabaseTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let schemas: SchemaSet
    do throws(DatabaseError) {
      schemas = try self.schemas(in: .transaction(transaction.view))
    } catch {
      throw Failure(error)
    }
    var lent = DatabaseTransaction(transaction, schemas)
    do throws(Failure) {
      let result = try body(&lent)
      transaction = lent.finish()
      return result
    } catch {
      transaction = lent.finish()
      throw error
    }
  }

  /// The schemas as of `source`: those that are known, unless somebody has changed them.
  private func schemas(in source: RowSource) throws(DatabaseError) -> SchemaSet {
    let generation = try StoredCatalog.readGeneration(source) ?? 0
    let current = known.withLock { $0 }
    if current.generation == generation { return current }
    let schemas = SchemaSet(try StoredCatalog.read(source), program: program)
    known.withLock { if $0.generation < generation { $0 = schemas } }
    return schemas
  }
}

/// An error that can carry a database's error upward.
public protocol DatabaseFailure: StoreFailure {
  /// The error that stands for `error`.
  init(_ error: DatabaseError)
}

extension DatabaseError: DatabaseFailure {
  /// The error itself.
  public init(_ error: DatabaseError) { self = error }
}

/// Carries any error through code that throws typed ones.
struct AnyDatabaseFailure: DatabaseFailure {
  let error: any Error
  init(_ error: StoreError) { self.error = DatabaseError.store(error) }
  init(_ error: DatabaseError) { self.error = error }
  init(any error: any Error) { self.error = error }
}
