internal import Index

/// A comparison with a number as a range of the keys of an index of numbers.
///
/// Exact: what lies within the range is just what satisfies the comparison.
struct NumericBounds {
  /// The least and the greatest key; empty where the first is greater.
  var lower = NumericKey.least
  var upper = NumericKey.greatest

  var isEmpty: Bool { lower > upper }

  /// The keys that are at least `from` and at most `through`, of a field of that kind.
  init(
    from: Number?, isAbove: Bool = false, through: Number?, isBelow: Bool = false, _ kind: FieldKind
  ) {
    if kind == .real {
      if let from { lower = Self.real(atLeast: ExactNumber(from), isAbove) }
      if let through { upper = Self.real(atMost: ExactNumber(through), isBelow) }
    } else {
      let denominator = Int128(kind.denominator ?? 1)
      if let from { bound(atLeast: Self.quotient(from, denominator), isAbove) }
      if let through { bound(atMost: Self.quotient(through, denominator), isBelow) }
    }
  }

  /// The greatest whole number of parts that is not above `number`, and whether it is just that.
  private static func quotient(
    _ number: Number, _ denominator: Int128
  ) -> (floor: Int128, isExact: Bool) {
    let parts = Int128(number.numerator) * denominator
    let (quotient, rest) = parts.quotientAndRemainder(dividingBy: Int128(number.denominator))
    return (rest < 0 ? quotient - 1 : quotient, rest == 0)
  }

  private mutating func bound(atLeast value: (floor: Int128, isExact: Bool), _ isAbove: Bool) {
    let least = value.isExact && !isAbove ? value.floor : value.floor + 1
    if least > Int128(Int64.max) {
      self = .nothing
    } else if least > Int128(Int64.min) {
      lower = NumericKey(Int64(least))
    }
  }

  private mutating func bound(atMost value: (floor: Int128, isExact: Bool), _ isBelow: Bool) {
    let greatest = value.isExact && isBelow ? value.floor - 1 : value.floor
    if greatest < Int128(Int64.min) {
      self = .nothing
    } else if greatest < Int128(Int64.max) {
      upper = NumericKey(Int64(greatest))
    }
  }

  private static var nothing: NumericBounds {
    var bounds = NumericBounds(from: nil, through: nil, .integer)
    bounds.lower = .greatest
    bounds.upper = .least
    return bounds
  }

  /// The least double that is at least `number`, or above it.
  private static func real(atLeast number: ExactNumber, _ isAbove: Bool) -> NumericKey {
    func fits(_ value: Double) -> Bool {
      let order = ExactNumber.real(value).compared(to: number)
      return isAbove ? order > 0 : order >= 0
    }
    var value = number.approximation
    while !fits(value) { value = value.nextUp }
    while fits(value.nextDown) { value = value.nextDown }
    return NumericKey(value) ?? .least
  }

  /// The greatest double that is at most `number`, or below it.
  private static func real(atMost number: ExactNumber, _ isBelow: Bool) -> NumericKey {
    func fits(_ value: Double) -> Bool {
      let order = ExactNumber.real(value).compared(to: number)
      return isBelow ? order < 0 : order <= 0
    }
    var value = number.approximation
    while !fits(value) { value = value.nextDown }
    while fits(value.nextUp) { value = value.nextUp }
    return NumericKey(value) ?? .greatest
  }
}
