import PageStore
import SimulatedDisk

/// What a run of edits is made of: how large, how often what, and by which seed.
///
/// The weights of a swarm are drawn by the seed itself, so that some runs never delete and others do
/// little else.
struct Workload: Sendable, CustomStringConvertible {
  /// A change within a transaction.
  enum Change: Int, CaseIterable, Sendable {
    case put, replace, delete, deleteRange, createTable, dropTable, renameTable
    case keptSavepoint, undoneSavepoint
  }

  /// Something between two transactions.
  enum Event: Int, CaseIterable, Sendable {
    case transaction, rollback, burst, checkpoint, sync, takeSnapshot, lookAtSnapshots
    case dropSnapshot, reopen, backgroundWork
  }

  var name: String
  var seed: UInt64
  var eventCount = 12
  var changeCounts = 1...6
  var changes: [Int] = Workload.weights([.put: 8, .replace: 4, .delete: 3])
  var events: [Int] = Workload.weights([.transaction: 1])
  /// The lengths of values; one is chosen, then a length up to it.
  var valueByteCounts = [0, 8, 40, 200]
  var keyCount = 60
  var pageByteCount = 4096
  var writeBufferByteCount = 256 << 20
  var durability = Durability.immediate
  var closesAtEnd = false
  /// Told what the store does.
  var trace: (@Sendable (TraceEvent) -> Void)?

  var description: String { "\(name), seed \(seed)" }

  static func weights(_ weights: [Change: Int]) -> [Int] {
    Change.allCases.map { weights[$0] ?? 0 }
  }

  static func weights(_ weights: [Event: Int]) -> [Int] {
    Event.allCases.map { weights[$0] ?? 0 }
  }

  /// A workload of which the seed decides everything.
  static func swarm(seed: UInt64, eventCount: Int) -> Workload {
    var random = SplitMix64(seed: seed)
    var workload = Workload(name: "swarm", seed: seed, eventCount: eventCount)
    workload.changes = Change.allCases.map { _ in
      [0, 1, 1, 3, 10].randomElement(using: &random) ?? 1
    }
    workload.changes[Change.put.rawValue] += 3
    workload.events = Event.allCases.map { _ in [0, 1, 1, 2].randomElement(using: &random) ?? 1 }
    workload.events[Event.transaction.rawValue] += 4
    workload.valueByteCounts =
      [[0, 8], [8, 100], [40, 400, 1500], [0, 100, 5000], [10, 40_000]].randomElement(
        using: &random) ?? [8]
    workload.keyCount = [5, 30, 200, 1000].randomElement(using: &random) ?? 30
    workload.changeCounts = [1...2, 1...8, 5...40].randomElement(using: &random) ?? 1...2
    workload.pageByteCount = [4096, 4096, 8192, 16384].randomElement(using: &random) ?? 4096
    workload.writeBufferByteCount =
      [16 << 10, 48 << 10, 256 << 20].randomElement(using: &random) ?? 48 << 10
    workload.durability =
      random.chance(30) ? .eventual(interval: .milliseconds(50)) : .immediate
    workload.closesAtEnd = random.chance(50)
    return workload
  }

  /// The options that the workload's store is opened with.
  var options: StoreOptions {
    var options = StoreOptions()
    options.pageByteCount = pageByteCount
    options.writeBufferByteCount = writeBufferByteCount
    options.durability = durability
    options.busyTimeout = .milliseconds(20)
    options.reservedByteCount = 16 << 20
    options.logHalfByteCount = 16 << 10
    options.logHalfCapacity = 64 << 10
    options.trace = trace
    return options
  }

  /// A key of any of several shapes.
  func key(using random: inout SplitMix64) -> [UInt8] {
    let number = random.number(in: 0..<keyCount)
    switch number % 5 {
    case 0: return Array("key \(number)".utf8)
    case 1: return [UInt8](repeating: UInt8(number % 7), count: number % 40)
    case 2: return [0xFF, 0xFF, UInt8(number & 0xFF), 0]
    case 3:
      return Array("a long common beginning of many keys \(number / 10)".utf8) + [UInt8(number & 7)]
    default:
      return [UInt8](repeating: 0x61, count: 100 + number % 800) + [
        UInt8(number >> 8), UInt8(number & 0xFF),
      ]
    }
  }

  /// A value of any of several lengths.
  func value(using random: inout SplitMix64) -> [UInt8] {
    let limit = valueByteCounts.randomElement(using: &random) ?? 0
    let count = random.number(in: 0..<limit + 1)
    if random.chance(20) { return [UInt8](repeating: UInt8(count & 0xFF), count: count) }
    var word = random.next()
    return (0..<count).map { index in
      if index & 7 == 0 { word = word &* 6_364_136_223_846_793_005 &+ 1 }
      return UInt8(truncatingIfNeeded: word >> UInt64(8 * (index & 7)))
    }
  }

  /// The index of a weight, as likely as it is large.
  static func choose(_ weights: [Int], using random: inout SplitMix64) -> Int {
    var rest = random.number(in: 0..<max(1, weights.reduce(0, +)))
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    return 0
  }
}
