/// The random numbers of one quest, which a seed, an adventurer and a quest's number decide.
///
/// A generator xoshiro256++ whose state is mixed out of the three.
///
/// - Source: Blackman, Vigna, "Scrambled linear pseudorandom number generators".
public struct QuestRandom: RandomNumberGenerator, Hashable, Sendable {
  private var first: UInt64
  private var second: UInt64
  private var third: UInt64
  private var fourth: UInt64

  /// The number of the quest that an adventurer's first statistics are drawn for.
  public static let recruiting = UInt64.max

  /// A generator in this state, which must not be all zeros.
  public init(state first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    precondition(first | second | third | fourth != 0, "a state of zeros gives zeros forever")
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// The generator of quest number `quest` of the adventurer `id` under `seed`.
  public init(seed: UInt64, adventurer id: UInt64, quest: UInt64) {
    let step = SplitMix.step
    let x = SplitMix.mix(seed &+ step)
    let y = SplitMix.mix(x ^ ((id &* step) &+ 1))
    let z = SplitMix.mix(y ^ ((quest &* step) &+ 2))
    // The finaliser maps only one number to zero, and three of these cannot all be zero with w.
    self.init(state: x, y, z, SplitMix.mix(z &+ step))
  }

  /// What the enemies of the quest are drawn from, apart from the fight, so that two builds under one
  /// seed meet the same ones; of a generator from which nothing was drawn yet.
  var enemyStream: UInt64 { fourth ^ 0xD1B5_4A32_D192_ED03 }

  /// The next number.
  @inline(__always) public mutating func next() -> UInt64 {
    let result = Self.rotate(first &+ fourth, by: 23) &+ first
    let shifted = second << 17
    third ^= first
    fourth ^= second
    second ^= third
    first ^= fourth
    third ^= shifted
    fourth = Self.rotate(fourth, by: 45)
    return result
  }

  /// The next number brought into `range`, by the upper half of a product with its length.
  public mutating func draw(_ range: ClosedRange<Int>) -> Int {
    let length = UInt64(range.upperBound - range.lowerBound + 1)
    return range.lowerBound + Int(((next() >> 32) * length) >> 32)
  }

  @inline(__always) private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
    (value << count) | (value >> (64 - count))
  }
}

/// The finaliser of SplitMix64, which spreads a number over all bits.
///
/// - Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators".
public enum SplitMix {
  /// By how much the state of the generator grows from number to number: 2^64 over the golden ratio.
  public static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The number that `value` is mixed to; no two give the same.
  @inline(__always) public static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
