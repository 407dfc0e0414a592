import Entities

/// Two fighters on the same quests: the same enemies in the same order, and the same draws.
///
/// What luck gives to one it gives to the other as well, so that the differences quest by quest tell
/// more than two samples would. All sums are of integers.
struct QuestComparison {
  let names: (String, String)
  private(set) var count: UInt64 = 0
  private(set) var wins = PairedMeasure("won")
  private(set) var kills = PairedMeasure("kills")
  private(set) var experience = PairedMeasure("experience")
  private(set) var ticks = PairedMeasure("seconds", divisor: 1_000)
  private(set) var dealt = PairedMeasure("damage_done")
  private(set) var taken = PairedMeasure("damage_taken")

  init(names: (String, String)) { self.names = names }

  /// Sends both on the quests from 0 on; both with the draws of the first one's number.
  init(
    _ one: Fighter, _ other: Fighter, names: (String, String), seed: UInt64, quests: UInt64,
    enemies: EnemyTable, settings: QuestSettings
  ) throws(QuestError) {
    self.init(names: names)
    let first = try Quest(
      seed: seed, number: 0, fighter: one.rested, enemies: enemies, settings: settings)
    let second = try Quest(
      seed: seed, number: 0, fighter: other.rested, enemies: enemies, settings: settings,
      drawnFor: one.id)
    for number in 0..<quests { add(first.numbered(number).run(), second.numbered(number).run()) }
  }

  mutating func add(_ one: QuestResult, _ other: QuestResult) {
    count += 1
    wins.add(one.outcome == .win ? 1 : 0, other.outcome == .win ? 1 : 0)
    kills.add(Int64(one.kills), Int64(other.kills))
    experience.add(Int64(one.experience), Int64(other.experience))
    ticks.add(one.tick, other.tick)
    dealt.add(one.dealt, other.dealt)
    taken.add(one.taken, other.taken)
  }

  var measures: [PairedMeasure] { [kills, experience, ticks, dealt, taken] }
}

/// One number of both fighters, pair by pair.
struct PairedMeasure {
  let key: String
  let divisor: Double
  private(set) var count: UInt64 = 0
  private var sums: (Int128, Int128) = (0, 0)
  private var squares: (Int128, Int128) = (0, 0)
  private var products: Int128 = 0

  init(_ key: String, divisor: Double = 1) {
    self.key = key
    self.divisor = divisor
  }

  mutating func add(_ one: Int64, _ other: Int64) {
    count += 1
    let (one, other) = (Int128(one), Int128(other))
    sums.0 += one
    sums.1 += other
    squares.0 += one * one
    squares.1 += other * other
    products += one * other
  }

  var means: (Double, Double) {
    let count = Double(max(1, count)) * divisor
    return (Double(sums.0) / count, Double(sums.1) / count)
  }

  /// How much more the second one has.
  var difference: Double { Double(sums.1 - sums.0) / (Double(max(1, count)) * divisor) }

  /// Half the width of the 95% interval of the difference; nil for fewer than two pairs.
  var error: Double? {
    if count < 2 { return nil }
    let square = squares.0 + squares.1 - 2 * products
    return QuestEstimate.quantile
      * (Self.variance(sums.1 - sums.0, square, count) / Double(count)).squareRoot() / divisor
  }

  /// How many times as many quests would be needed without pairs; nil where pairs do not differ.
  var saving: Double? {
    if count < 2 { return nil }
    let paired = Self.variance(
      sums.1 - sums.0, squares.0 + squares.1 - 2 * products, count)
    let apart =
      Self.variance(sums.0, squares.0, count) + Self.variance(sums.1, squares.1, count)
    return paired > 0 ? apart / paired : nil
  }

  private static func variance(_ sum: Int128, _ square: Int128, _ count: UInt64) -> Double {
    // The numerator is exact, so that nothing is lost by the subtraction.
    let number = Int128(count)
    let (product, overflow) = square.multipliedReportingOverflow(by: number)
    let (squared, isTooLarge) = sum.multipliedReportingOverflow(by: sum)
    let spread =
      overflow || isTooLarge
      ? Double(square) * Double(number) - Double(sum) * Double(sum)
      : Double(product - squared)
    return max(0, spread) / Double(number) / Double(number - 1)
  }
}
