/// A number as a numeric index keeps it: as 64 bits that sort as the numbers do.
///
/// An index holds either integers or floating-point numbers, never both.
public struct NumericKey: RawRepresentable, Hashable, Comparable, Sendable {
  /// The 64 bits.
  public let rawValue: UInt64

  /// The key before all others.
  public static let least = NumericKey(rawValue: 0)
  /// The key after all others.
  public static let greatest = NumericKey(rawValue: .max)

  /// The key of those 64 bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The key of an integer.
  public init(_ number: Int64) { rawValue = UInt64(bitPattern: number) ^ 1 << 63 }

  /// The key of a floating-point number; nil for NaN, which has no place among them.
  ///
  /// Both zeros have one key. A literal without a point is an integer.
  @_disfavoredOverload public init?(_ number: Double) {
    if number.isNaN { return nil }
    let bits = (number == 0 ? 0 : number).bitPattern
    rawValue = bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// The integer whose key this is.
  public var integer: Int64 { Int64(bitPattern: rawValue ^ 1 << 63) }

  /// The floating-point number whose key this is.
  public var double: Double {
    Double(bitPattern: rawValue >> 63 == 1 ? rawValue & ~(1 << 63) : ~rawValue)
  }

  /// The next key, or nil after the greatest.
  public var next: NumericKey? {
    rawValue == .max ? nil : NumericKey(rawValue: rawValue + 1)
  }

  /// The key before, or nil before the least.
  public var previous: NumericKey? {
    rawValue == 0 ? nil : NumericKey(rawValue: rawValue - 1)
  }

  /// True where `left` stands for the lower number.
  public static func < (left: NumericKey, right: NumericKey) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The number as a term of eight bytes, which sort as the numbers do.
  var term: [UInt8] { rawValue.bigEndianBytes }
}
