import Entities
import PageStore
import SimulatedDisk
import Testing

/// Schemas and values that a seed decides.
struct RandomRecord {
  var random: SplitMix64

  mutating func text(_ limit: Int = 12) -> String {
    let scalars: [Unicode.Scalar] = ["a", "Z", " ", "é", "ß", "ピ", "♀", "\u{301}", "🐉", "\u{0}"]
    var text = String.UnicodeScalarView()
    for _ in 0..<random.number(in: 0..<limit) {
      text.append(scalars[random.number(in: 0..<scalars.count)])
    }
    return String(text)
  }

  mutating func kind() -> FieldKind {
    switch random.number(in: 0..<11) {
    case 0: .flag
    case 1: .integer
    case 2: .decimal(denominator: 10)
    case 3: .real
    case 4: .text
    case 5: .vocabulary(["x", "y", "z"])
    case 6: .names(nil)
    case 7: .names(["p", "q", "r", "s"])
    case 8: .translations
    case 9: .bytes
    default: .date
    }
  }

  mutating func schema() -> Schema {
    let numbers = Array(1..<60).shuffled(using: &random).prefix(random.number(in: 1..<25))
    return Schema(
      name: "r", fields: numbers.map { FieldDefinition($0, "f\($0)", kind()) })
  }

  mutating func value(_ kind: FieldKind) -> FieldValue {
    switch kind {
    case .flag: .flag(random.oneIn(2))
    case .integer, .decimal, .date, .reference:
      .integer(
        random.oneIn(3)
          ? [Int64.min, .max, 0, -1][random.number(in: 0..<4)]
          : Int64(random.number(in: -1000..<1000)))
    case .real: .real(random.oneIn(3) ? -0.0 : Double(random.number(in: -9..<9)) * 1e-300)
    case .text: .text(text())
    case .vocabulary(let names): .text(names[random.number(in: 0..<names.count)])
    case .names(nil): .names((0..<random.number(in: 1..<4)).map { _ in text() })
    case .names(let names?): .names(names.shuffled(using: &random).dropLast())
    case .translations:
      .translations(
        (0..<random.number(in: 1..<4)).map { _ in Translation(language: text(4), text: text()) })
    case .bytes: .bytes((0..<random.number(in: 0..<200)).map { UInt8(truncatingIfNeeded: $0) })
    }
  }

  mutating func record(_ schema: Schema) -> Record {
    var record = Record()
    for field in schema.fields where random.oneIn(2) { record[field.name] = value(field.kind) }
    return record
  }
}

@Suite struct `A record` {
  @Test(arguments: UInt64(0)..<24)
  func `comes back as it was written, whatever its schema`(seed: UInt64) throws {
    var maker = RandomRecord(random: SplitMix64(seed: seed))
    let schema = maker.schema()
    let records = (0..<20).map { _ in maker.record(schema) }
    let store = try Store.inMemory()
    let database = try Database(store)
    try database.createEntity(schema)
    try database.write { transaction throws(DatabaseError) in
      for record in records { _ = try transaction.insert("r", record) }
    }
    let snapshot = try database.snapshot()
    for (place, record) in records.enumerated() {
      #expect(try snapshot.record("r", EntityID(UInt64(place) + 1)) == record)
    }
    #expect(try snapshot.check().isClean)
    #expect(try snapshot.schema(of: "r") == schema)
  }

  @Test func `lies in the file as the format says`() throws {
    let schema = Schema(
      name: "r",
      fields: [
        FieldDefinition(1, "flag", .flag), FieldDefinition(2, "absent", .integer),
        FieldDefinition(3, "integer", .integer), FieldDefinition(4, "real", .real),
        FieldDefinition(8, "text", .text), FieldDefinition(9, "name", .vocabulary(["x", "y"])),
        FieldDefinition(10, "list", .names(["p", "q"])), FieldDefinition(11, "names", .names(nil)),
        FieldDefinition(12, "translations", .translations), FieldDefinition(17, "bytes", .bytes),
      ])
    let bytes: [UInt8] =
      [1, 3, 0b1000_1101, 0b0000_1111, 0b0000_0001]
      + [1] + [0xAB, 0x02] + [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]
      + [2, 0xC3, 0xA9] + [1] + [2, 1, 0] + [1, 1, 0x61] + [1, 2, 0x64, 0x65, 1, 0x62] + [2, 9, 8]
    let record: Record = [
      "flag": .flag(true), "integer": .integer(-150), "real": .real(1.5), "text": .text("é"),
      "name": .text("y"), "list": .names(["q", "p"]), "names": .names(["a"]),
      "translations": .translations([Translation(language: "de", text: "b")]),
      "bytes": .bytes([9, 8]),
    ]
    let database = try Database.inMemory()
    try database.createEntity(schema)
    let id = try database.write { transaction throws(DatabaseError) in
      try transaction.insert("r", record)
    }
    let written = try database.store.read { snapshot throws(StoreError) in
      guard let value = try snapshot.table("r").get([0, 0, 0, 0, 0, 0, 0, 1]) else {
        return [UInt8]()
      }
      return (0..<value.byteCount).map { value.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
    #expect(written == bytes)
    #expect(try database.snapshot().record("r", id) == record)
  }

  /// Damaged bytes give an error or another record, and never a trap; each truncation is an error.
  @Test(arguments: UInt64(0)..<6)
  func `survives every truncation and every flipped bit`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let database = try Database.inMemory(entities: [Thing.self])
    let thing = Thing(random: &random)
    try database.write { transaction throws(DatabaseError) in _ = try transaction.insert(thing) }
    let key: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    let good = try database.store.read { snapshot throws(StoreError) in
      guard let value = try snapshot.table("things").get(key) else { return [UInt8]() }
      return (0..<value.byteCount).map { value.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
    #expect(good.count > 4)
    var errorCount = 0
    func look(_ bytes: [UInt8], mustFail: Bool) throws {
      try database.store.write { transaction throws(StoreError) in
        try transaction.put(key, bytes, in: try transaction.table("things"))
      }
      let snapshot = try database.snapshot()
      var isError = false
      do throws(DatabaseError) { _ = try snapshot.record("things", EntityID(1)) } catch {
        isError = true
        if case .corruptRecord(let entity, let id, _, _) = error {
          #expect(entity == "things" && id == EntityID(1))
        } else {
          Issue.record("\(error)")
        }
      }
      do throws(DatabaseError) { _ = try snapshot.get(Thing.self, EntityID(1)) } catch {
        if case .corruptRecord = error {} else { Issue.record("\(error)") }
      }
      if isError { errorCount += 1 }
      #expect(isError || !mustFail, "\(bytes)")
    }
    for count in 0..<good.count { try look(Array(good.prefix(count)), mustFail: true) }
    try look(good + [0], mustFail: true)
    for bit in 0..<(good.count * 8) {
      var bytes = good
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try look(bytes, mustFail: false)
    }
    #expect(errorCount > good.count)
  }

  @Test func `is the same by its type and by its fields' names`() throws {
    var random = SplitMix64(seed: 3)
    let database = try Database.inMemory(entities: [Thing.self])
    for _ in 0..<50 {
      let thing = Thing(random: &random)
      let id = try database.write { transaction throws(DatabaseError) in
        try transaction.insert(thing)
      }
      let record = try #require(try database.snapshot().record("things", id))
      let copy = try database.write { transaction throws(DatabaseError) in
        try transaction.insert("things", record)
      }
      #expect(try database.snapshot().get(Thing.self, copy) == thing)
      #expect(record["count"] == thing.count.map { .integer(Int64($0)) })
      #expect(record["kind"] == thing.kind.map { .text($0) })
      #expect(record["nicks"] == (thing.nicks.isEmpty ? nil : .translations(thing.nicks)))
    }
  }

  @Test func `reads its fields in any order`() throws {
    struct Backwards: Entity, Equatable {
      var a: Int
      var b: String
      var c: [String]
      static let schema = Schema(
        name: "backwards",
        fields: [
          FieldDefinition(1, "a", .integer), FieldDefinition(5, "b", .text),
          FieldDefinition(9, "c", .names(nil)),
        ])
      init(a: Int, b: String, c: [String]) { (self.a, self.b, self.c) = (a, b, c) }
      init(from record: inout RecordReader) {
        c = record.names(9)
        b = record.text(5)
        a = record.integer(1)
      }
      func encode(to record: inout RecordWriter) {
        record.set(9, names: c)
        record.set(1, integer: a)
        record.set(5, text: b)
      }
    }
    let database = try Database.inMemory(entities: [Backwards.self])
    let value = Backwards(a: -7, b: "ü", c: ["x", ""])
    try database.write { transaction throws(DatabaseError) in _ = try transaction.insert(value) }
    #expect(try database.snapshot().get(Backwards.self, EntityID(1)) == value)
  }

  @Test func `that lacks what its type needs is an error which names the field`() throws {
    let database = try Database.inMemory(entities: [Thing.self])
    try database.write { transaction throws(DatabaseError) in
      _ = try transaction.insert("things", ["count": .integer(1)])
    }
    #expect(
      throws: DatabaseError.corruptRecord(
        entity: "things", id: EntityID(1), field: "name", .missing)
    ) { try database.snapshot().get(Thing.self, EntityID(1)) }
  }
}
