import Entities
import PageStore
import SimulatedDisk
import Testing

/// What a program does to a whole stack, step by step: records with indexes of every kind, portraits
/// that others refer to, rules about what is unique, migrations, checkpoints, closing and opening.
///
/// A step is one transaction and follows from the seed and its number alone, so two runs of the same
/// workload go through the same contents, whatever happens to one of them.
struct StackWorkload: Sendable {
  var seed: UInt64
  var stepCount = 14
  /// The step at which the program is replaced by a newer one, with migrations.
  var migrationStep: Int?

  static let path = "stack"

  var options: StoreOptions {
    var options = StoreOptions()
    options.pageByteCount = 4096
    options.reservedByteCount = 16 << 20
    options.logHalfByteCount = 64 << 10
    options.logHalfCapacity = 256 << 10
    options.busyTimeout = .milliseconds(50)
    return options
  }

  /// What the contents are after each step; the first are those before there is a database.
  func history() throws -> [UInt64] {
    let run = StackRun(self, on: SimulatedSystem(SimulatedDisk(maximumFileByteCount: 16 << 20)))
    var history = [StackDigest.nothing]
    while try run.step() {
      let database = try #require(run.database)
      history.append(try StackDigest.of(database))
    }
    return history
  }
}

/// A workload under way in one simulated process.
final class StackRun {
  let workload: StackWorkload
  let system: SimulatedSystem
  private(set) var store: Store?
  private(set) var database: Database?
  /// How many steps are done.
  private(set) var done: Int

  init(_ workload: StackWorkload, on system: SimulatedSystem, done: Int = 0) {
    self.workload = workload
    self.system = system
    self.done = done
  }

  /// Opens the database with the program's version that belongs to the present step.
  func open() throws {
    let store = try Store(
      path: StackWorkload.path, options: workload.options, fileSystem: system)
    self.store = store
    let isNewer = workload.migrationStep.map { done >= $0 } ?? false
    let shoes: any Entity.Type = isNewer ? Shoes.Last.self : Shoes.First.self
    database = try Database(
      store, entities: [Adventurer.self, StoredPortrait.self, shoes],
      migrations: isNewer ? Shoes.migrations : [])
  }

  /// Goes on with the step after the first `done`, which another process has done.
  func goOn(from done: Int) { self.done = done }

  func close() throws {
    database = nil
    try store?.close()
    store = nil
  }

  /// Does the next step; false where none is left.
  func step() throws -> Bool {
    if done == workload.stepCount { return false }
    if done == workload.migrationStep { try close() }
    if store == nil { try open() }
    var random = SplitMix64(seed: workload.seed &* 1_000_003 &+ UInt64(done))
    guard let database, let store else { return false }
    // Opening was the step, where it made the tables or went through the migrations.
    if done != 0 && done != workload.migrationStep {
      try database.write { (transaction: inout DatabaseTransaction) throws in
        for _ in 0..<random.number(in: 1..<4) { try change(&transaction, &random) }
      }
    }
    done += 1
    switch random.number(in: 0..<6) {
    case 0: try store.checkpoint()
    // The opening before the migrations is a step of its own.
    case 1 where done != workload.migrationStep: try close()
    default: break
    }
    if self.store == nil { try open() }
    return true
  }

  private func change(
    _ transaction: inout DatabaseTransaction, _ random: inout SplitMix64
  ) throws {
    let adventurers = try transaction.findIDs(Query(entity: "adventurers"))
    let portraits = try transaction.findIDs(Query(entity: "portraits"))
    switch random.number(in: 0..<8) {
    case 0, 1, 2:
      let number = random.number(in: 0..<1_000_000)
      let portrait = try StackPortraits.stored(number % 3, name: "portrait \(number)")
      let picture = try transaction.insert(portrait)
      var adventurer = Adventurer.recruit(
        name: "Ana \(number)", profession: number % 2 == 0 ? "Wizard" : "Baker", seed: 1,
        id: EntityID(UInt64(number + 1)))
      adventurer.portrait = random.chance(70) ? picture : portraits.first
      try transaction.insert(adventurer)
    case 3 where !adventurers.isEmpty:
      let id = adventurers[random.number(in: 0..<adventurers.count)]
      guard var adventurer = try transaction.get(Adventurer.self, id) else { return }
      adventurer.name = "Bo \(random.number(in: 0..<1000))"
      adventurer.level = random.number(in: 1..<200)
      try transaction.update(adventurer, id: id)
    case 4 where !adventurers.isEmpty:
      _ = try transaction.delete(
        "adventurers", adventurers[random.number(in: 0..<adventurers.count)])
    case 5 where !portraits.isEmpty:
      // Clears the field of whoever has it.
      _ = try transaction.delete("portraits", portraits[random.number(in: 0..<portraits.count)])
    default:
      let number = random.number(in: 0..<1_000_000)
      let isNewer = workload.migrationStep.map { done >= $0 } ?? false
      _ = try transaction.insert("shoes", isNewer ? Shoes.after(number) : Shoes.before(number))
    }
  }
}

/// Pictures of few, of many and of noisy pixels, the last ones longer than a page.
enum StackPortraits {
  private static let portraits: [Portrait] = [(8, 2), (40, 5), (96, 251)].compactMap {
    side, colours in
    var random = SplitMix64(seed: UInt64(side))
    let pixels = (0..<side * side).map { _ in
      let grey = UInt8(random.number(in: 0..<colours))
      return PixelColor(red: grey, green: grey &* 7, blue: 255 &- grey)
    }
    return try? Portrait(width: side, height: side, pixels: pixels)
  }

  static func stored(_ index: Int, name: String) throws -> StoredPortrait {
    let portrait = try #require(index < portraits.count ? portraits[index] : nil)
    return StoredPortrait(
      name: name, width: portrait.width, height: portrait.height,
      pixels: try PortraitCoding.encode(portrait))
  }
}

/// All contents of a database as one number: schemas, records, and the portraits' pixels.
enum StackDigest {
  /// Of a file that is not there, or has no entities yet.
  static let nothing: UInt64 = 0

  /// The digest of a database that has been checked.
  ///
  /// - Throws: What the check found, or what could not be read.
  static func of(_ database: Database) throws -> UInt64 {
    let snapshot = try database.snapshot()
    let report = try snapshot.check()
    guard report.isClean else { throw Wrong("the check says: \(report)") }
    let names = try snapshot.entityNames().sorted()
    if names.isEmpty { return nothing }
    var hash = FNV()
    for name in names {
      hash.add("\(name) \(try snapshot.schema(of: name).fields)")
      try snapshot.forEach(name) { id, record throws(DatabaseError) in
        let values = record.values.sorted { $0.key < $1.key }
        hash.add("\(id)")
        for (key, value) in values { hash.add("\(key)=\(value)") }
        return true
      }
    }
    return hash.value
  }

  struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// FNV-1a, of 64 bits.
  private struct FNV {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
      value = (value ^ 0xff) &* 0x100_0000_01b3
    }
  }
}
