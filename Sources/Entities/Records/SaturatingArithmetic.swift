/// Arithmetic with numbers that nobody has checked: what would overflow becomes the nearest number.
extension FixedWidthInteger {
  /// The sum, or the nearest number to it.
  func addingSaturating(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? (other < 0 ? .min : .max) : sum
  }

  /// The product, or the nearest number to it.
  func multipliedSaturating(by other: Self) -> Self {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}
