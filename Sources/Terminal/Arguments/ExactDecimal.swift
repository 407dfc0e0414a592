internal import Entities

/// Decimal fractions for fields that keep parts of a whole.
package enum ExactDecimal {
  /// `parts`/`denominator` without loss; with nine digits where no decimal fraction is equal.
  package static func text(of parts: Int64, over denominator: Int64) -> String {
    if let text = Number(parts, over: denominator).decimalText { return text }
    let whole = parts.magnitude / denominator.magnitude
    let rest = (parts.magnitude % denominator.magnitude).multipliedFullWidth(by: 1_000_000_000)
    // The rest is smaller than the denominator, so the quotient fits.
    let digits = String(denominator.magnitude.dividingFullWidth(rest).quotient)
    return (parts < 0 ? "-" : "") + "\(whole)."
      + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
  }

  package enum Outcome: Equatable {
    case parts(Int64)
    case notANumber
    case outOfRange
    /// The text lies between two values; the size of the steps.
    case between(step: String)
  }

  /// How many parts the number in `text` is.
  ///
  /// Decimal parts, such as tenths, must be met exactly; of others, such as 1/256, which nobody
  /// types in full, the nearest counts.
  package static func parts(_ text: String, over denominator: Int64) -> Outcome {
    if let whole = wholeNumber(text) {
      let (parts, overflow) = whole.multipliedReportingOverflow(by: denominator)
      return overflow ? .outOfRange : .parts(parts)
    }
    let number: Number
    switch NumberReader.read(text.unicodeScalars) {
    case .value(let value): number = value
    case .outOfRange: return .outOfRange
    case .notANumber: return .notANumber
    }
    let (product, overflow) = number.numerator.multipliedReportingOverflow(by: denominator)
    if overflow { return .outOfRange }
    let (whole, rest) = product.quotientAndRemainder(dividingBy: number.denominator)
    if rest == 0 { return .parts(whole) }
    var power: Int64 = 1
    while power < denominator { power *= 10 }
    if power == denominator { return .between(step: self.text(of: 1, over: denominator)) }
    let isUp = rest.magnitude >= number.denominator.magnitude - rest.magnitude
    return .parts(isUp ? whole + (product < 0 ? -1 : 1) : whole)
  }

  /// The number in a text of up to 18 digits and nothing else.
  private static func wholeNumber(_ text: String) -> Int64? {
    if text.isEmpty || text.utf8.count > 18 { return nil }
    var number: Int64 = 0
    for byte in text.utf8 {
      guard byte >= 48, byte <= 57 else { return nil }
      number = number * 10 + Int64(byte - 48)
    }
    return number
  }

  /// At most two places after the point, and no zeros at the end.
  package static func rounded(_ number: Double) -> String {
    guard number.magnitude < 1e15 else { return "\(number)" }
    let hundredths = Int64((number * 100).rounded())
    return Number(hundredths, over: 100).decimalText ?? "\(number)"
  }
}
