import Entities
import PageStore
import Testing

@Suite struct `The names of a schema` {
  private func problem(_ fields: [FieldDefinition]) throws -> String? {
    let database = try Database.inMemory()
    do throws(DatabaseError) {
      try database.createEntity(Schema(name: "things", fields: fields))
      return nil
    } catch {
      guard case .invalidSchema("things", let text) = error else { throw error }
      return text
    }
  }

  @Test func `mean one field each, in whatever case`() throws {
    let name = FieldDefinition(1, "name", .text)
    #expect(try problem([name, FieldDefinition(2, "Name", .text)]) != nil)
    #expect(try problem([name, FieldDefinition(2, "title", .text, aliases: ["name"])]) != nil)
    #expect(try problem([name, FieldDefinition(2, "title", .text, aliases: ["T"])]) != nil)
    #expect(try problem([name, FieldDefinition(2, "title", .text, aliases: ["a b"])]) != nil)
    #expect(try problem([name, FieldDefinition(2, "title", .text, aliases: ["t", "t"])]) != nil)
    let other = FieldDefinition(3, "total", .integer, aliases: ["t"])
    #expect(try problem([name, FieldDefinition(2, "title", .text, aliases: ["t"]), other]) != nil)
    #expect(try problem([name, FieldDefinition(2, "title", .text, aliases: ["ti"]), other]) == nil)
  }

  @Test(arguments: ["is", "has", "Is", "HAS"])
  func `are none that mean something else in queries`(name: String) throws {
    #expect(try problem([FieldDefinition(1, name, .text)]) != nil)
    let aliased = FieldDefinition(1, "name", .text, aliases: [name.lowercased()])
    #expect(try problem([aliased]) != nil)
    #expect(try problem([FieldDefinition(1, name + "s", .text)]) == nil)
  }

  @Test(arguments: [
    "\u{1B}[2J", "k\u{7}", "\u{202E}gk", "\u{2028}", String(repeating: "k", count: 101),
  ])
  func `and its units are short and harmless`(text: String) throws {
    let unit = try problem([FieldDefinition(1, "weight", .integer, unit: text)])
    #expect(unit?.contains("a unit") == true)
    let alias = try problem([FieldDefinition(1, "weight", .integer, aliases: [text])])
    #expect(alias?.contains("an alias") == true)
    #expect(try problem([FieldDefinition(1, "weight", .integer, unit: "µg/m²")]) == nil)
  }

  /// A file with a field `order`, as older programs could make it.
  private func oldFile() throws -> Store {
    let store = try Store.inMemory()
    let database = try Database(store)
    try database.createEntity(
      Schema(
        name: "songs",
        fields: [
          FieldDefinition(1, "name", .text, index: .words), FieldDefinition(2, "ordxr", .integer),
        ]))
    try database.write { transaction throws(DatabaseError) in
      for number in 1...4 {
        _ = try transaction.insert(
          "songs", ["name": .text("song \(number)"), "ordxr": .integer(Int64(number))])
      }
    }
    try store.write { transaction throws(StoreError) in
      for name in try transaction.tableNames() {
        let table = try transaction.table(name)
        _ = try transaction.edit(in: table) { _, value throws(StoreError) in
          var bytes = (0..<value.byteCount).map {
            value.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
          }
          let wanted = Array("ordxr".utf8)
          let place = bytes.indices.dropLast(4).first {
            Array(bytes[$0..<$0 + 5]) == wanted
          }
          guard let place else { return .keep }
          bytes[place + 3] = UInt8(ascii: "e")
          return .replace(bytes)
        }
      }
    }
    return store
  }

  @Test func `of an older file are read, compared, and can be mended`() throws {
    let store = try oldFile()
    let database = try Database(store)
    #expect(try database.schemas()[0].fields[1].name == "order")
    let query = try database.query("order>2 sort:-name", of: "songs")
    #expect(try database.snapshot().findIDs(query).map(\.rawValue) == [4, 3])
    let equal = try database.query("order=2", of: "songs")
    #expect(try database.snapshot().findIDs(equal).map(\.rawValue) == [2])
    let mended = try Database(
      store,
      migrations: [
        Migration("places") { editor throws(DatabaseError) in
          try editor.addIndex("songs", "order", .numbers)
          try editor.renameField("songs", from: "order", to: "place")
        }
      ])
    #expect(try mended.check().isClean)
    #expect(try mended.schemas()[0].fields[1].name == "place")
  }
}
