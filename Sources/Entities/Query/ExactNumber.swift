/// A number as queries compare it: exact, and never overflowing.
enum ExactNumber: Sendable {
  /// The denominator is greater than zero and fits 64 bits.
  case fraction(Int128, over: Int128)
  /// Finite.
  case real(Double)

  init(_ number: Number) {
    self = .fraction(Int128(number.numerator), over: Int128(number.denominator))
  }

  /// -1, 0 or 1: how this number stands to `other`.
  func compared(to other: ExactNumber) -> Int {
    switch (self, other) {
    case (.fraction(let left, let leftOver), .fraction(let right, let rightOver)):
      compare(left, rightOver, with: right, leftOver)
    case (.real(let left), .real(let right)):
      left < right ? -1 : left > right ? 1 : 0
    case (.real(let left), .fraction(let right, let over)):
      compare(left, with: right, over)
    case (.fraction(let left, let over), .real(let right)):
      -compare(right, with: left, over)
    }
  }

  /// The number as well as a double can hold it.
  var approximation: Double {
    switch self {
    case .fraction(let numerator, let denominator): Double(numerator) / Double(denominator)
    case .real(let real): real
    }
  }

  func satisfies(_ comparison: Comparison, _ other: ExactNumber) -> Bool {
    let order = compared(to: other)
    return switch comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

/// The order of `a * b` beside `c * d`.
private func compare(_ a: Int128, _ b: Int128, with c: Int128, _ d: Int128) -> Int {
  if b == d { return a < c ? -1 : a > c ? 1 : 0 }
  let left = a.multipliedFullWidth(by: b)
  let right = c.multipliedFullWidth(by: d)
  if left.high != right.high { return left.high < right.high ? -1 : 1 }
  if left.low != right.low { return left.low < right.low ? -1 : 1 }
  return 0
}

/// The order of a double beside a fraction, exactly: a double is a whole number times a power of two.
private func compare(_ real: Double, with numerator: Int128, _ denominator: Int128) -> Int {
  if real == 0 { return numerator > 0 ? -1 : numerator < 0 ? 1 : 0 }
  let sign = real < 0 ? -1 : 1
  let numeratorSign = numerator < 0 ? -1 : numerator > 0 ? 1 : 0
  if sign != numeratorSign { return sign }
  // Both have the same sign now, and neither is zero: magnitudes decide.
  let significand = UInt128(real.magnitude.significandBitPattern) | (1 << 52)
  let isSubnormal = real.isSubnormal || real.isZero
  let whole = isSubnormal ? UInt128(real.magnitude.significandBitPattern) : significand
  let exponent = isSubnormal ? -1074 : Int(real.exponent) - 52
  let order = compareMagnitudes(whole, exponent, numerator.magnitude, denominator.magnitude)
  return sign * order
}

/// The order of `whole * 2^exponent * denominator` beside `numerator`; `whole` has 53 bits at most,
/// and the denominator 64.
private func compareMagnitudes(
  _ whole: UInt128, _ exponent: Int, _ numerator: UInt128, _ denominator: UInt128
) -> Int {
  let product = whole * denominator
  let productBits = 128 - product.leadingZeroBitCount + exponent
  let numeratorBits = 128 - numerator.leadingZeroBitCount
  if productBits != numeratorBits { return productBits < numeratorBits ? -1 : 1 }
  // As many bits: shifting the shorter one up loses nothing.
  if exponent >= 0 {
    let left = product << UInt128(exponent)
    return left < numerator ? -1 : left > numerator ? 1 : 0
  }
  let right = numerator << UInt128(-exponent)
  return product < right ? -1 : product > right ? 1 : 0
}
