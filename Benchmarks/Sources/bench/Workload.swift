/// How much is loaded, read and committed, and how often.
struct Scale {
  var rowCount = 1_000_000
  var wideRowCount = 200_000
  var getCount = 500_000
  var rangeCount = 100_000
  var durableCommitCount = 500
  var sharedCommitCount = 1600
  var eventualCommitCount = 50_000
  var filterCount = 40
  var prefixCount = 2000
  var questCount = 20_000
  var questRunCount = 1_000_000
  var readRounds = 7
  var writeRounds = 5

  static let full = Scale()
  static let quick = Scale(
    rowCount: 200_000, wideRowCount: 40_000, getCount: 200_000, rangeCount: 40_000,
    durableCommitCount: 200, sharedCommitCount: 800, eventualCommitCount: 20_000,
    filterCount: 20, prefixCount: 1000, questCount: 5_000, questRunCount: 400_000, readRounds: 5,
    writeRounds: 5)
}

/// The rows of every measurement and the order in which they are used; the same for all engines.
///
/// Keys are `%016d` of the numbers from 0; values have 100 bytes, wide ones 1 KiB, and compress 2:1.
final class Workload {
  static let valueByteCount = 100
  static let wideValueByteCount = 1024
  static let hotKeyCount = 1000
  static let groupSize = 16
  static let rangeLength = 10

  let scale: Scale

  init(_ scale: Scale) { self.scale = scale }

  private lazy var numbers = Array(0..<scale.rowCount)
  private lazy var shuffledNumbers = permutation(scale.rowCount, seed: 1)

  /// All rows by key, and in random order.
  lazy var ascending = Rows(numbers, valueByteCount: Workload.valueByteCount)
  lazy var shuffled = Rows(shuffledNumbers, valueByteCount: Workload.valueByteCount)

  /// All rows with wide values by key, and in random order.
  lazy var wideAscending = Rows(
    0..<scale.wideRowCount, valueByteCount: Workload.wideValueByteCount)
  lazy var wideShuffled = Rows(
    permutation(scale.wideRowCount, seed: 2), valueByteCount: Workload.wideValueByteCount)

  /// Keys drawn from all keys, from a thousand of them, and from those with wide values.
  lazy var randomKeys = Keys(draws(scale.getCount, below: scale.rowCount, seed: 3))
  lazy var hotKeys = Keys(
    draws(scale.getCount, below: Workload.hotKeyCount, seed: 4).map { shuffledNumbers[$0] })
  lazy var wideKeys = Keys(draws(scale.getCount, below: scale.wideRowCount, seed: 5))

  /// Where ranges begin.
  lazy var rangeKeys = Keys(draws(scale.rangeCount, below: scale.rowCount, seed: 6))

  /// A random half of the keys, in random order.
  var halfOfKeys: Keys { shuffled.keys[0..<scale.rowCount / 2] }

  /// New values for `count` different keys in random order, others in each round.
  func updates(_ count: Int, round: Int) -> Rows {
    let start = round * count % (scale.rowCount - count + 1)
    return shuffled.updates(at: start..<start + count, valuesFrom: 7919 * (round + 1))
  }

  private func permutation(_ count: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).shuffled(using: &random)
  }

  private func draws(_ count: Int, below limit: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in .random(in: 0..<limit, using: &random) }
  }
}
