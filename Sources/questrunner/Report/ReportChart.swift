import Entities
import Terminal

/// Charts as SVG, which takes its colours from the page.
enum ReportChart {
  private static let width = 640
  private static let height = 220
  private static let left = 56
  private static let bottom = 34
  private static let top = 12
  private static let right = 8

  private static var plotWidth: Double { Double(width - left - right) }
  private static var plotHeight: Double { Double(height - top - bottom) }

  /// Text as HTML has it, with nothing in it that means something else.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in TerminalText.escaped(text) {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
    return result
  }

  private static func begin(_ title: String, _ description: String) -> String {
    """
    <svg viewBox="0 0 \(width) \(height)" role="img" aria-label="\(escaped(title + ": " + description))">
    <title>\(escaped(title))</title><desc>\(escaped(description))</desc>

    """
  }

  private static func rounded(_ number: Double) -> String { ExactDecimal.rounded(number) }

  private static func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
    "<text x=\"\(rounded(x))\" y=\"\(rounded(y))\" text-anchor=\"\(anchor)\">\(escaped(text))</text>\n"
  }

  /// Lines across at round values, and what they are.
  private static func grid(from low: Double, to high: Double) -> String {
    let span = max(high - low, 1e-9)
    var step = 1e-6
    search: while true {
      for factor in [1.0, 2, 5] where span / (step * factor) <= 4.5 {
        step *= factor
        break search
      }
      step *= 10
    }
    var svg = ""
    var value = (low / step).rounded(.up) * step
    while value <= high + step / 1_000 {
      let y = Double(top) + plotHeight * (1 - (value - low) / span)
      svg +=
        "<line class=\"grid\" x1=\"\(left)\" x2=\"\(width - right)\" y1=\"\(rounded(y))\" y2=\"\(rounded(y))\"/>\n"
      svg += text(ReportNumber.short(value), Double(left - 6), y + 4, "end")
      value += step
    }
    return svg
  }

  /// The histogram of a measure.
  static func histogram(_ measure: ReportMeasure) -> String {
    let columns = measure.columns(most: 40)
    guard let most = columns.map(\.count).max(), most > 0 else { return "" }
    let mean = measure.mean ?? 0
    var svg = begin(
      measure.title,
      "quests by \(measure.title.lowercased()); mean \(ReportNumber.short(mean)), median "
        + measure.percentileText(500))
    svg += grid(from: 0, to: Double(most))
    let step = plotWidth / Double(columns.count)
    // As many labels as do not touch each other.
    let labels = columns.map { column in
      ReportNumber.short(Double(column.values.lowerBound) / Double(measure.divisor))
    }
    let room = Double((labels.map(\.count).max() ?? 1) * 8 + 10)
    let every = max(1, Int((room / step).rounded(.up)))
    for (place, column) in columns.enumerated() {
      let x = Double(left) + step * Double(place)
      let height = plotHeight * Double(column.count) / Double(most)
      let y = Double(top) + plotHeight - height
      svg += "<rect class=\"bar\" x=\"\(rounded(x + step * 0.06))\" y=\"\(rounded(y))\""
      svg += " width=\"\(rounded(step * 0.88))\" height=\"\(rounded(height))\">"
      svg += "<title>\(escaped(measure.text(column))): \(column.count)</title></rect>\n"
      if place % every == 0 {
        svg += text(labels[place], x + step / 2, Double(height0 + 16), "middle")
      }
    }
    svg += axis
    return svg
      + text(measure.title, Double(left) + plotWidth / 2, Double(Self.height - 3), "middle")
      + "</svg>\n"
  }

  private static var height0: Int { height - bottom }

  private static var axis: String {
    "<line class=\"axis\" x1=\"\(left)\" x2=\"\(width - right)\" y1=\"\(height0)\" y2=\"\(height0)\"/>\n"
  }

  /// How the mean level went on from the first quests to the last.
  static func curve(_ curve: QuestCurve) -> String {
    let levels = curve.meanLevels
    guard levels.count > 1, let least = levels.min(), let most = levels.max() else { return "" }
    let (low, high) = (least.rounded(.down), max(most.rounded(.up), least.rounded(.down) + 1))
    var svg = begin(
      "Level",
      "mean level from the first quests to the last, from \(ReportNumber.short(levels[0])) to "
        + ReportNumber.short(levels[levels.count - 1]))
    svg += grid(from: low, to: high)
    let points = levels.enumerated().map { place, level in
      let x = Double(left) + plotWidth * Double(place) / Double(levels.count - 1)
      let y = Double(top) + plotHeight * (1 - (level - low) / (high - low))
      return "\(rounded(x)),\(rounded(y))"
    }
    svg += "<polyline class=\"line\" points=\"\(points.joined(separator: " "))\"/>\n" + axis
    svg += text("first quests", Double(left), Double(height0 + 16), "start")
    svg += text("last quests", Double(width - right), Double(height0 + 16), "end")
    return svg + "</svg>\n"
  }

  /// A rate with its interval, from 0 to 100%.
  static func rate(_ rate: Double, _ low: Double, _ high: Double) -> String {
    let x = { (part: Double) in rounded(10 + 620 * part) }
    let label =
      "win rate \(ReportNumber.percent(rate)), from \(ReportNumber.percent(low)) to "
      + ReportNumber.percent(high)
    return """
      <svg viewBox="0 0 640 34" role="img" aria-label="\(label)">
      <title>\(label)</title>
      <rect class="track" x="10" y="10" width="620" height="6"/>
      <rect class="range" x="\(x(low))" y="7" width="\(rounded(max(2, 620 * (high - low))))" height="12"/>
      <line class="mark" x1="\(x(rate))" x2="\(x(rate))" y1="3" y2="23"/>
      <text x="10" y="33" text-anchor="start">0</text><text x="630" y="33" text-anchor="end">100%</text>
      </svg>

      """
  }
}
