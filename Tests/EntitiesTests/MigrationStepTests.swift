import Entities
import PageStore
import Testing

/// A crate, of which the program computes something by the number of a field.
private struct Crate: Entity {
  static let schema = Schema(
    name: "crates",
    fields: [
      FieldDefinition(1, "name", .text, index: .words),
      FieldDefinition(2, "weight", .integer, index: .numbers),
    ])
  static let derivedFields = [
    DerivedField("double", .integer, aliases: ["twice"]) { row, _ throws(DatabaseError) in
      row.record.integerIfPresent(2).map { .integer(Int64($0) * 2) }
    }
  ]
  init(from record: inout RecordReader) {}
  func encode(to record: inout RecordWriter) {}
}

/// A shelf, which no migration here has to do with.
private struct Shelf: Entity {
  static let schema = Schema(name: "shelves", fields: [FieldDefinition(1, "label", .text)])
  init(from record: inout RecordReader) {}
  func encode(to record: inout RecordWriter) {}
}

@Suite struct `A step of a migration` {
  private func crates() throws -> Store {
    let store = try Store.inMemory()
    let database = try Database(store, entities: [Crate.self, Shelf.self])
    try database.write { transaction throws(DatabaseError) in
      for number in 1...5 {
        _ = try transaction.insert(
          "crates", ["name": .text("crate \(number)"), "weight": .integer(Int64(number))])
      }
    }
    return store
  }

  private func failure(
    _ store: Store, _ steps: @escaping @Sendable (inout SchemaEditor) throws(DatabaseError) -> Void
  ) -> DatabaseError? {
    do throws(DatabaseError) {
      _ = try Database(store, migrations: [Migration("step", steps)])
      return nil
    } catch {
      guard case .migrationFailed("step", let inner) = error else { return error }
      return inner
    }
  }

  @Test func `that adds a text searched as another leaves the index of that one right`() throws {
    let store = try crates()
    let problem = failure(store) { editor throws(DatabaseError) in
      try editor.addField(
        "crates", FieldDefinition(3, "nickname", .text, searchedAs: "name"), value: .text("boxy"))
    }
    #expect(problem == nil)
    let database = try Database(store)
    #expect(try database.check().isClean)
    let found = Filter.words(FieldPath("name"), ["boxy"], isPhrase: false)
    #expect(try database.snapshot().count("crates", where: found) == 5)
  }

  @Test func `makes no reference that leads nowhere`() throws {
    let target = FieldKind.reference(entity: "crates", onDelete: .clear)
    let retyping = failure(try crates()) { editor throws(DatabaseError) in
      try editor.retypeField("crates", "weight", to: target) { value throws(DatabaseError) in
        value == .integer(4) ? .integer(40) : value
      }
    }
    let expected = InvalidReason.noSuchTarget(entity: "crates", EntityID(40))
    #expect(
      retyping == .invalid(entity: "crates", id: EntityID(4), field: "weight", expected))
    let adding = failure(try crates()) { editor throws(DatabaseError) in
      try editor.addField("crates", FieldDefinition(3, "next", target), value: .integer(40))
    }
    #expect(adding == .invalid(entity: "crates", id: EntityID(1), field: "next", expected))
    // What leads somewhere is kept, and is found from the other side.
    let store = try crates()
    let problem = failure(store) { editor throws(DatabaseError) in
      try editor.addField("crates", FieldDefinition(3, "next", target), value: .integer(4))
    }
    #expect(problem == nil)
    let database = try Database(store)
    try database.write { transaction throws(DatabaseError) in
      try transaction.delete("crates", EntityID(4))
    }
    #expect(try database.snapshot().record("crates", EntityID(1))?["next"] == nil)
    #expect(try database.check().isClean)
  }

  @Test func `takes what was computed of the old schema away from programs that have it open`()
    throws
  {
    let store = try crates()
    let open = try Database(store, entities: [Crate.self])
    let problem = failure(store) { editor throws(DatabaseError) in
      try editor.dropField("crates", "weight")
      try editor.addField("crates", FieldDefinition(3, "colour", .text), value: .text("red"))
    }
    #expect(problem == nil)
    for name in ["double", "twice"] {
      let filter = Filter.number([FieldPath(name)], .greater, Number(0))
      #expect(throws: DatabaseError.schemaChanged(entity: "crates")) {
        try open.snapshot().count("crates", where: filter)
      }
    }
    let red = Filter.text(FieldPath("colour"), "red")
    #expect(try open.snapshot().count("crates", where: red) == 5)
    #expect(throws: DatabaseError.noSuchField(entity: "crates", field: "triple")) {
      try open.snapshot().count("crates", where: .present(FieldPath("triple")))
    }
  }

  @Test func `that changes records alone is seen in a trial, and marks no other entity`() throws {
    let store = try crates()
    let migrations = [
      Migration("heavier") { editor throws(DatabaseError) in
        try editor.custom { transaction throws(DatabaseError) in
          try transaction.set(["weight": .integer(30)], of: "crates", EntityID(3))
          try transaction.set(["weight": .integer(5)], of: "crates", EntityID(5))
        }
      }
    ]
    let trial = try Database(store).tryMigrations(entities: [Crate.self], migrations)
    #expect(trial.failure == nil)
    #expect(trial.changes.map(\.entity) == ["crates"])
    #expect(trial.changes.map(\.changedRecordCount) == [1])
    _ = try Database(store, entities: [Crate.self], migrations: migrations)
    _ = try Database(store, entities: [Shelf.self])
    #expect(throws: DatabaseError.newerFile("migration 'heavier' is not known to this program")) {
      try Database(store, entities: [Crate.self])
    }
  }
}

@Suite struct `The list of migrations` {
  private func migration(_ name: String) -> Migration {
    Migration(name) { editor throws(DatabaseError) in
      try editor.custom { transaction throws(DatabaseError) in
        _ = try transaction.insert("shelves", ["label": .text(name)])
      }
    }
  }

  private func store(_ names: [String]) throws -> Store {
    let store = try Store.inMemory()
    _ = try Database(store, entities: [Shelf.self])
    _ = try Database(store, entities: [Shelf.self], migrations: names.map(migration))
    return store
  }

  @Test(arguments: [
    (["zero", "one", "two"], "zero", "one"), (["one", "half", "two"], "half", "two"),
    (["two", "one"], "two", "one"), (["two", "three"], "", ""),
  ])
  func `grows at its end only`(names: [String], expected: String, found: String) throws {
    let store = try store(["one", "two"])
    let migrations = names.map(migration)
    // Whoever has left one out does not know what it changed.
    let error =
      names.contains("one")
      ? DatabaseError.migrationsDiffer(expected: expected, found: found)
      : DatabaseError.newerFile("migration 'one' is not known to this program")
    #expect(throws: error) { try Database(store, entities: [Shelf.self], migrations: migrations) }
    #expect(throws: error) {
      try Database(store, entities: [Shelf.self], migrations: migrations, isReadOnly: true)
    }
    let grown = try Database(
      store, entities: [Shelf.self], migrations: ["one", "two", "three"].map(migration))
    let labels = try grown.snapshot().find(Query(entity: "shelves")).ids.count
    #expect(labels == 3)
  }
}
