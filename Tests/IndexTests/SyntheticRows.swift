import PageStore
import SimulatedDisk

@testable import Index

/// Many rows that a seed decides, as plain columns and as indexes in a store.
struct SyntheticRows {
  let count: Int
  /// One or two of eighteen types each, as bits.
  var types: [UInt32] = []
  /// From 0 through 8, in long runs, as if rows were numbered by it.
  var generations: [UInt8] = []
  /// From 1 through 255, or 0 where there is none.
  var stats: [UInt16] = []
  /// Milliseconds, all different but for a few, below 0 too.
  var dates: [Int64] = []
  var names: [String] = []

  static let typeCount = 18
  private static let syllables = [
    "ka", "ri", "mo", "pi", "chu", "dra", "go", "ni", "te", "lu", "sa",
  ]

  init(count: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    self.count = count
    for row in 0..<count {
      var bits: UInt32 = 1 << UInt32(random.number(in: 0..<Self.typeCount))
      if random.chance(50) { bits |= 1 << UInt32(random.number(in: 0..<Self.typeCount)) }
      types.append(bits)
      generations.append(UInt8(9 * row / count))
      stats.append(random.chance(10) ? 0 : UInt16(random.number(in: 1..<256)))
      dates.append(Int64(random.number(in: -1_000_000_000_000..<1_800_000_000_000)))
      names.append(Self.name(&random))
    }
  }

  private static func name(_ random: inout SplitMix64) -> String {
    var words: [String] = []
    for _ in 0..<random.number(in: 1..<3) {
      var word = ""
      for _ in 0..<random.number(in: 2..<5) {
        word += syllables[random.number(in: 0..<syllables.count)]
      }
      words.append(word)
    }
    return words.joined(separator: " ")
  }

  /// A store with the indexes `type`, `generation`, `stat`, `date`, `name`, and `all` with one term.
  func store() throws -> Store {
    let store = try Store.inMemory()
    try store.write { (transaction) throws(IndexError) in
      try buildTerms(&transaction)
      try buildNumbers(&transaction)
      let index = NameIndex("name")
      let table = try index.create(in: &transaction)
      var builder = NameIndexBuilder(index)
      for row in 0..<count {
        builder.add(RowID(rawValue: UInt64(row)), [names[row]])
        if builder.isFull { try builder.flush(in: table, of: &transaction) }
      }
      try builder.flush(in: table, of: &transaction)
    }
    return store
  }

  private func buildTerms(_ transaction: inout WriteTransaction) throws(IndexError) {
    for name in ["type", "generation", "all"] {
      let index = TermIndex(name)
      let table = try index.create(in: &transaction)
      var builder = TermIndexBuilder(index, byteLimit: 16 << 20)
      for row in 0..<count {
        let id = RowID(rawValue: UInt64(row))
        switch name {
        case "type":
          for type in 0..<Self.typeCount where types[row] >> UInt32(type) & 1 == 1 {
            try builder.add(id, Self.typeTerm(type))
          }
        case "generation": try builder.add(id, [generations[row]])
        default: try builder.add(id, [])
        }
        if builder.isFull { try builder.flush(in: table, of: &transaction) }
      }
      try builder.flush(in: table, of: &transaction)
    }
  }

  private func buildNumbers(_ transaction: inout WriteTransaction) throws(IndexError) {
    for name in ["stat", "date"] {
      let index = NumericIndex(name)
      let table = try index.create(in: &transaction)
      var builder = NumericIndexBuilder(index, byteLimit: 16 << 20)
      for row in 0..<count {
        let id = RowID(rawValue: UInt64(row))
        if name == "date" {
          builder.add(id, NumericKey(dates[row]))
        } else if stats[row] > 0 {
          builder.add(id, NumericKey(Int64(stats[row])))
        }
        if builder.isFull { try builder.flush(in: table, of: &transaction) }
      }
      try builder.flush(in: table, of: &transaction)
    }
  }

  static func typeTerm(_ type: Int) -> [UInt8] { Array("type \(type)".utf8) }
}
