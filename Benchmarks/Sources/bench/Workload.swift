/// How much is loaded, read and committed, and how often.
struct Scale {
  var rowCount = 1_000_000
  var publishedRowCount = 400_000
  var publishedSingleCount = 500
  var publishedBatchCount = 50
  var wideRowCount = 200_000
  var getCount = 500_000
  var rangeCount = 100_000
  var durableCommitCount = 500
  var sharedCommitCount = 1600
  var eventualCommitCount = 50_000
  var filterCount = 20
  var prefixCount = 500
  var questCount = 20_000
  var questRunCount = 1_000_000
  var adventurerCount = 1_000_000
  var readRounds = 7
  var writeRounds = 5
  var fewRounds = 3

  static let full = Scale()
  static let quick = Scale(
    rowCount: 200_000, publishedRowCount: 50_000, publishedSingleCount: 100,
    publishedBatchCount: 10, wideRowCount: 20_000, getCount: 100_000, rangeCount: 20_000,
    durableCommitCount: 100, sharedCommitCount: 400, eventualCommitCount: 10_000,
    filterCount: 10, prefixCount: 200, questCount: 2_000, questRunCount: 100_000,
    adventurerCount: 10_000, readRounds: 3,
    writeRounds: 3, fewRounds: 3)

  /// The same with so many rows, and with less of what is shared by all of them where they are few.
  func resized(to count: Int) -> Scale {
    var scale = self
    scale.rowCount = count
    scale.wideRowCount = min(wideRowCount, count)
    return scale
  }

  /// For one size of those that show how cost grows: few rounds, and as many reads and commits at all
  /// sizes.
  func growing(to count: Int) -> Scale {
    var scale = resized(to: count)
    scale.getCount = min(getCount, 200_000)
    scale.rangeCount = min(rangeCount, 20_000)
    scale.durableCommitCount = 200
    scale.eventualCommitCount = min(10_000, count)
    scale.wideRowCount = max(wideRowCount, 100_000)
    scale.setRounds(3)
    return scale
  }

  mutating func setRounds(_ count: Int) {
    readRounds = count
    writeRounds = count
    fewRounds = count
  }
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
  static let batchSize = 1000

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

  /// Random keys of 24 bytes with random values of 150, as redb's benchmark loads them.
  lazy var published = publishedAndMore[0..<scale.publishedRowCount]

  /// The keys that its readers ask for, and those from which ranges begin.
  lazy var publishedKeys = published.keys[0..<min(scale.getCount, published.count)]
  lazy var publishedRangeKeys = published.keys[0..<min(scale.rangeCount, published.count)]

  /// Rows to be added one by one, others in each round.
  func publishedSingles(round: Int) -> Rows {
    let start = scale.publishedRowCount + round * scale.publishedSingleCount
    return publishedAndMore[start..<start + scale.publishedSingleCount]
  }

  /// Rows to be added by batches, others in each round.
  func publishedBatches(round: Int) -> Rows {
    let count = scale.publishedBatchCount * Workload.batchSize
    let singles = (scale.fewRounds + 1) * scale.publishedSingleCount
    let start = scale.publishedRowCount + singles + round * count
    return publishedAndMore[start..<start + count]
  }

  /// New values for `count` keys drawn from all keys, in the order of the draws.
  func randomUpdates(_ count: Int, seed: UInt64) -> Rows {
    Rows(draws(count, below: scale.rowCount, seed: seed), valueByteCount: Workload.valueByteCount)
      .withValuesReversed()
  }

  private lazy var publishedAndMore: Rows = {
    let perRound = scale.publishedSingleCount + scale.publishedBatchCount * Workload.batchSize
    return Rows(
      randomCount: scale.publishedRowCount + (scale.fewRounds + 1) * perRound, keyByteCount: 24,
      valueByteCount: 150, seed: 7)
  }()

  private func permutation(_ count: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).shuffled(using: &random)
  }

  private func draws(_ count: Int, below limit: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in .random(in: 0..<limit, using: &random) }
  }
}
