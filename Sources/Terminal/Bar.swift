/// A number as a bar, beside which the number itself stands.
package enum Bar {
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// A bar of at most `columns` for `value` of `maximum`; anything above zero shows.
  package static func text(
    _ value: Int, of maximum: Int, columns: Int, isASCII: Bool = false
  ) -> String {
    guard value > 0, maximum > 0, columns > 0 else { return "" }
    let value = min(value, maximum)
    if isASCII {
      return String(repeating: "#", count: max(1, value * columns / maximum))
    }
    let length = max(1, value * columns * 8 / maximum)
    return String(repeating: "█", count: length / 8) + eighths[length % 8]
  }
}
