import Entities
import PageStore
import SimulatedDisk
import Testing

@Suite struct `A database on a full disk` {
  /// Things in tables and indexes, in a file that has been made as small as it gets.
  private static func packed(
    _ disk: SimulatedDisk, count: Int
  ) throws -> (Database, Store, ids: [EntityID]) {
    var options = StoreOptions()
    options.reservedByteCount = 64 << 20
    let store = try Store(path: "things", options: options, fileSystem: SimulatedSystem(disk))
    let database = try Database(store, entities: [Thing.self])
    var random = SplitMix64(seed: 11)
    let ids = try database.write { transaction throws(DatabaseError) in
      var ids: [EntityID] = []
      for _ in 0..<count {
        var thing = Thing(random: &random)
        thing.note = String(repeating: "x", count: 300)
        ids.append(try transaction.insert(thing))
      }
      return ids
    }
    _ = try store.compact()
    try store.checkpoint()
    return (database, store, ids)
  }

  @Test(arguments: [40, 300])
  func `deletes records, and then has room for others`(count: Int) throws {
    let disk = SimulatedDisk(maximumFileByteCount: 64 << 20)
    let (database, store, ids) = try Self.packed(disk, count: count)
    disk.setRoom(0)
    func isRefused(_ thing: Thing) -> Bool {
      do {
        _ = try database.write { transaction throws(DatabaseError) in
          try transaction.insert(thing)
        }
        return false
      } catch {
        return true
      }
    }
    var long = Thing()
    long.name = "long"
    long.note = String(repeating: "y", count: 1 << 20)
    #expect(isRefused(long))
    // Not in the order in which they lie beside each other.
    var order = ids
    var random = SplitMix64(seed: 12)
    order.shuffle(using: &random)
    for id in order {
      try database.write { transaction throws(DatabaseError) in
        _ = try transaction.delete(Thing.self, id)
      }
    }
    #expect(try database.snapshot().count(Thing.self) == 0)
    var short = Thing()
    short.name = "short"
    for _ in 0..<20 { #expect(!isRefused(short)) }
    #expect(try database.check().isClean)
    try store.close()
  }
}
