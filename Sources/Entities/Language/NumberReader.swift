/// Reads the numbers of the query language: `["-"] digits ["." digits]`, in ASCII.
package enum NumberReader {
  package enum Outcome: Equatable {
    case value(Number)
    case outOfRange
    case notANumber
  }

  /// The number that `scalars` are, in lowest terms.
  package static func read(_ scalars: some Collection<Unicode.Scalar>) -> Outcome {
    let isNegative = scalars.first == "-"
    let parts = scalars.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }) else {
      return .notANumber
    }
    var fraction = parts.count == 2 ? Array(parts[1]) : []
    while fraction.last == "0" { fraction.removeLast() }
    guard fraction.count <= 18 else { return .outOfRange }
    var numerator: Int64 = 0
    for digit in Array(parts[0]) + fraction {
      let (tens, overflow) = numerator.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit.value) - 48)
      if overflow || carry { return .outOfRange }
      numerator = sum
    }
    var denominator: Int64 = 1
    for _ in fraction { denominator *= 10 }
    if isNegative { numerator = -numerator }
    return .value(Number(numerator, over: denominator).reduced)
  }
}

extension Number {
  /// The same fraction in lowest terms.
  package var reduced: Number {
    var (left, right) = (numerator.magnitude, denominator.magnitude)
    while right != 0 { (left, right) = (right, left % right) }
    // The common divisor is at most the denominator, which is an Int64.
    let divisor = Int64(left)
    return divisor <= 1 ? self : Number(numerator / divisor, over: denominator / divisor)
  }

  /// As a decimal fraction, or nil where it has none that ends within 18 digits.
  package var decimalText: String? {
    let number = reduced
    var scale: Int64 = 1
    var digits = 0
    while scale % number.denominator != 0 {
      digits += 1
      if digits > 18 { return nil }
      scale *= 10
    }
    let (scaled, overflow) = number.numerator.multipliedReportingOverflow(
      by: scale / number.denominator)
    if overflow { return nil }
    let magnitude = String(scaled.magnitude)
    let sign = scaled < 0 ? "-" : ""
    if digits == 0 { return sign + magnitude }
    let padded = String(repeating: "0", count: max(0, digits + 1 - magnitude.count)) + magnitude
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
