/// A number as a bar, beside which the number itself stands.
package enum Bar {
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// A bar of at most `columns` for `value` of `maximum`; anything above zero shows.
  package static func text(
    _ value: Int, of maximum: Int, columns: Int, isASCII: Bool = false
  ) -> String {
    guard value > 0, maximum > 0, columns > 0 else { return "" }
    let steps = isASCII ? columns : columns * 8
    // The value may be any number of a damaged file: the product is taken in full width.
    let product = min(value, maximum).multipliedFullWidth(by: steps)
    let length = max(1, maximum.dividingFullWidth(product).quotient)
    if isASCII { return String(repeating: "#", count: length) }
    return String(repeating: "█", count: length / 8) + eighths[length % 8]
  }
}
