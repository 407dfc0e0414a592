/// A source of choices that are the same for the same seed, everywhere and always.
///
/// - Source: SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
struct DrawingDice {
  private var state: UInt64

  /// Dice for a number and a word.
  init(number: Int, word: String) {
    // FNV-1a over the word.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in word.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = hash ^ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// A whole number from 0 up to but not including `count`.
  mutating func roll(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// True once in `sides` times.
  mutating func isOne(in sides: Int) -> Bool { roll(sides) == 0 }

  /// A number between two.
  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) / Double(UInt64(1) << 53)
  }

  /// One of `choices`.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[roll(choices.count)] }
}
