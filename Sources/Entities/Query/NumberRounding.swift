extension Number {
  /// The number in parts such as 1/256, which nobody writes in full: the nearest is meant.
  ///
  /// - Parameter denominator: How many parts a whole has.
  /// - Returns: The nearest number of parts, halves away from zero; nil where parts are decimal
  ///   fractions, which can be written in full, or the number is out of their range.
  package func rounded(toParts denominator: Int64) -> Number? {
    var power: Int64 = 1
    while power < denominator { power *= 10 }
    if power == denominator { return nil }
    let (product, isOver) = numerator.multipliedReportingOverflow(by: denominator)
    if isOver { return nil }
    let (whole, rest) = product.quotientAndRemainder(dividingBy: self.denominator)
    let isUp = rest.magnitude >= self.denominator.magnitude - rest.magnitude
    return Number(isUp ? whole + (product < 0 ? -1 : 1) : whole, over: denominator)
  }
}
