extension Number: Comparable {
  /// True where the left fraction is the smaller one, without rounding.
  public static func < (left: Number, right: Number) -> Bool {
    let (a, b) = (
      left.numerator.multipliedFullWidth(by: right.denominator),
      right.numerator.multipliedFullWidth(by: left.denominator)
    )
    return (a.high, a.low) < (b.high, b.low)
  }
}
