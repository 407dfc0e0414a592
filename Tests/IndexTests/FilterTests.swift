import PageStore
import SimulatedDisk
import Testing

@testable import Index

/// A filter as a query and as what a plain scan of the columns finds: a bit for each row.
private struct Filter {
  var query: IndexQuery
  var mask: [UInt64]
}

/// Makes random filters over the rows; what a scan found for one field's value is kept.
private struct FilterMaker {
  let rows: SyntheticRows
  var random: SplitMix64
  private var scans: [String: [UInt64]] = [:]

  init(_ rows: SyntheticRows, seed: UInt64) {
    self.rows = rows
    random = SplitMix64(seed: seed)
  }

  private mutating func scan(_ name: String, _ isIn: (Int) -> Bool) -> [UInt64] {
    if let mask = scans[name] { return mask }
    var mask = [UInt64](repeating: 0, count: (rows.count + 63) / 64)
    for row in 0..<rows.count where isIn(row) { mask[row / 64] |= 1 << UInt64(row % 64) }
    scans[name] = mask
    return mask
  }

  mutating func filter(depth: Int) -> Filter {
    if depth == 0 || random.chance(25) { return leaf() }
    let count = random.number(in: 2..<4)
    let parts = (0..<count).map { _ in filter(depth: depth - 1) }
    switch random.number(in: 0..<4) {
    case 0, 1:
      return Filter(
        query: .all(parts.map(\.query)), mask: combine(parts) { $0 & $1 })
    case 2: return Filter(query: .any(parts.map(\.query)), mask: combine(parts) { $0 | $1 })
    default:
      let excluded = combine(parts) { $0 | $1 }
      return Filter(query: .none(parts.map(\.query)), mask: complement(excluded))
    }
  }

  private func combine(_ parts: [Filter], _ body: (UInt64, UInt64) -> UInt64) -> [UInt64] {
    parts.dropFirst().reduce(parts[0].mask) { mask, part in
      zip(mask, part.mask).map { body($0, $1) }
    }
  }

  private func complement(_ mask: [UInt64]) -> [UInt64] {
    var mask = mask.map { ~$0 }
    if rows.count % 64 != 0 { mask[mask.count - 1] &= (1 << UInt64(rows.count % 64)) - 1 }
    return mask
  }

  private mutating func leaf() -> Filter {
    switch random.number(in: 0..<10) {
    case 0..<4:
      let type = random.number(in: 0..<SyntheticRows.typeCount)
      let types = rows.types
      return Filter(
        query: .term(index: "type", SyntheticRows.typeTerm(type)),
        mask: scan("type \(type)") { types[$0] >> UInt32(type) & 1 == 1 })
    case 4:
      let generation = UInt8(random.number(in: 0..<10))
      let generations = rows.generations
      return Filter(
        query: .term(index: "generation", [generation]),
        mask: scan("generation \(generation)") { generations[$0] == generation })
    case 5..<8: return range()
    case 8: return prefix()
    default:
      return random.chance(50)
        ? Filter(query: .everything, mask: scan("everything") { _ in true })
        : Filter(query: .nothing, mask: scan("nothing") { _ in false })
    }
  }

  private mutating func range() -> Filter {
    if random.chance(30) {
      // A few ends only, so that their scans are kept.
      let ends = [-900, -1, 0, 3, 700, 1700].map { $0 * 1_000_000_000 }
      let (lower, upper) = (
        ends[random.number(in: 0..<6)], ends[random.number(in: 0..<6)]
      )
      let dates = rows.dates
      return Filter(
        query: .range(
          index: "date", from: NumericKey(Int64(lower)), through: NumericKey(Int64(upper))),
        mask: scan("date \(lower) \(upper)") { dates[$0] >= lower && dates[$0] <= upper })
    }
    let lower = random.chance(20) ? nil : random.number(in: 0..<26) * 10
    let upper = random.chance(20) ? nil : random.number(in: 0..<26) * 10 + 5
    let stats = rows.stats
    return Filter(
      query: .range(
        index: "stat", from: lower.map { NumericKey(Int64($0)) },
        through: upper.map { NumericKey(Int64($0)) }),
      mask: scan("stat \(lower ?? -1) \(upper ?? 999)") {
        stats[$0] > 0 && Int(stats[$0]) >= lower ?? 0 && Int(stats[$0]) <= upper ?? 999
      })
  }

  private mutating func prefix() -> Filter {
    let prefixes = ["k", "p", "pi", "pik", "kari", "drago", "chuchu", "momomo", "z"]
    let prefix = prefixes[random.number(in: 0..<prefixes.count)]
    let atStart = random.chance(50)
    let names = rows.names
    return Filter(
      query: .prefix(index: "name", prefix, at: atStart ? .start : .anywhere),
      mask: scan("prefix \(prefix) \(atStart)") { row in
        names[row].utf8.starts(with: prefix.utf8)
          || !atStart
            && names[row].split(separator: " ").contains { $0.utf8.starts(with: prefix.utf8) }
      })
  }
}

@Suite struct `Filters over a million rows` {
  #if DEBUG
    private static let rowCount = 30_000
    private static let filterCount = 300
  #else
    private static let rowCount = 1_000_000
    private static let filterCount = 10_000
  #endif

  private func mask(of rows: PostingSet, _ wordCount: Int) -> [UInt64] {
    var mask = [UInt64](repeating: 0, count: wordCount)
    for row in rows { mask[Int(row.rawValue) / 64] |= 1 << (row.rawValue % 64) }
    return mask
  }

  @Test func `find what a plain scan finds`() throws {
    let rows = SyntheticRows(count: Self.rowCount, seed: 7)
    let store = try rows.store()
    let snapshot = try store.snapshot()
    let universe = IndexQuery.term(index: "all", [])
    var maker = FilterMaker(rows, seed: 11)
    var telling = 0
    for number in 0..<Self.filterCount {
      let filter = maker.filter(depth: number % 4)
      let expectedCount = filter.mask.reduce(0) { $0 + $1.nonzeroBitCount }
      if expectedCount > 0 && expectedCount < rows.count { telling += 1 }
      let found = try filter.query.rows(in: snapshot, universe: universe)
      let count = try filter.query.count(in: snapshot, universe: universe)
      guard found.count == expectedCount, count == expectedCount,
        mask(of: found, filter.mask.count) == filter.mask
      else {
        Issue.record("\(filter.query): \(found.count) and \(count), not \(expectedCount)")
        return
      }
      if number % 10 == 0 {
        let start = RowID(rawValue: UInt64(maker.random.number(in: 0..<rows.count)))
        let first = try filter.query.first(20, from: start, in: snapshot, universe: universe)
        #expect(first == found.prefix(20, from: start))
      }
    }
    #expect(2 * telling >= Self.filterCount, "\(telling) of \(Self.filterCount)")
    try store.close()
  }
}
