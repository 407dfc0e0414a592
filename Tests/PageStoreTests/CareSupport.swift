import PageStore
import SimulatedDisk
import Testing

/// A store with rows that a seed decides, and a dictionary that should equal it.
struct CareModel {
  typealias Rows = [[UInt8]: [UInt8]]

  var random: SplitMix64
  var tables: [String: Rows] = [:]
  /// Values are up to this long, in bytes; the longest get pages of their own.
  var maximumValueByteCount = 6000

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func key() -> [UInt8] {
    let number = random.number(in: 0..<4000)
    return Array("key \(number % 7) \(number)".utf8)
  }

  mutating func value() -> [UInt8] {
    let isLarge = random.chance(5)
    let count = random.number(in: 0..<(isLarge ? maximumValueByteCount * 4 : 200))
    let byte = UInt8(random.number(in: 0..<256))
    return (0..<count).map { UInt8(truncatingIfNeeded: $0) &+ byte }
  }

  /// Runs one transaction of `count` random changes.
  mutating func change(_ store: Store, count: Int) throws {
    var model = self
    try store.write { transaction in
      for _ in 0..<count {
        let name = "table \(model.random.number(in: 0..<3))"
        let table = try transaction.createTableIfNeeded(name)
        var rows = model.tables[name] ?? [:]
        switch model.random.number(in: 0..<100) {
        case 0..<75:
          let (key, value) = (model.key(), model.value())
          try transaction.put(key, value, in: table)
          rows[key] = value
        case 75..<97:
          let key = model.key()
          try transaction.delete(key, in: table)
          rows[key] = nil
        case 97..<99:
          let lower = model.key()
          let upper = lower + [0xFF]
          if lexicographic(lower, upper) {
            try transaction.deleteRange(from: lower, to: upper, in: table)
            rows = rows.filter { lexicographic($0.key, lower) || !lexicographic($0.key, upper) }
          }
        default:
          if !model.random.chance(10) { continue }
          try transaction.drop(table)
          model.tables[name] = nil
          continue
        }
        model.tables[name] = rows
      }
    }
    self = model
  }
}

/// True where `left` sorts before `right`.
func lexicographic(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.lexicographicallyPrecedes(right)
}

extension Snapshot {
  /// All rows of all tables.
  func contents() throws -> [String: CareModel.Rows] {
    var tables: [String: CareModel.Rows] = [:]
    for name in try tableNames() {
      var rows: CareModel.Rows = [:]
      var cursor = try table(name).cursor()
      while try cursor.next() {
        let value = try cursor.value
        rows[cursor.key.careBytes] = value.careBytes
      }
      tables[name] = rows
    }
    return tables
  }
}

extension RawSpan {
  /// A copy of the bytes.
  var careBytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension Store {
  /// All rows of all tables.
  func contents() throws -> [String: CareModel.Rows] { try snapshot().contents() }
}

extension StoreOptions {
  /// Small pages, so that trees are deep.
  static var small: StoreOptions {
    var options = StoreOptions()
    options.pageByteCount = 4096
    options.reservedByteCount = 1 << 30
    return options
  }
}

/// Two things at once, each on a thread.
struct CareThreads {
  private final class Outcome: Sendable {
    let error = Guarded<(any Error)?>(nil)
  }

  /// Runs `first` on a thread of its own and `second` on this one; throws what either threw.
  func run(_ first: @escaping @Sendable () throws -> Void, and second: () throws -> Void) throws {
    let outcome = Outcome()
    let thread = try BackgroundThread(path: "test") {
      do {
        try first()
      } catch {
        outcome.error.withLock { $0 = error }
      }
    }
    let result = Result { try second() }
    thread.join()
    try result.get()
    if let error = outcome.error.withLock({ $0 }) { throw error }
  }
}
