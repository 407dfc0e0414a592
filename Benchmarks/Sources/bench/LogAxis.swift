import Glibc

/// A logarithmic axis from one pixel to another.
struct LogAxis {
  let lower: Double
  let upper: Double
  let start: Double
  let end: Double

  /// Where the value is drawn; values beyond the ends are drawn at them.
  func position(_ value: Double) -> Double {
    let share = (log10(clamped(value)) - log10(lower)) / (log10(upper) - log10(lower))
    return ((start + share * (end - start)) * 10).rounded() / 10
  }

  func isWithin(_ value: Double) -> Bool { value >= lower && value <= upper }

  private func clamped(_ value: Double) -> Double { min(max(value, lower), upper) }

  /// The powers of ten on the axis, with 2 and 5 times each where it is shorter than three of them.
  var ticks: [Double] {
    let steps: [Double] = log10(upper / lower) < 3 ? [1, 2, 5] : [1]
    let first = Int(log10(lower).rounded(.down))
    let last = Int(log10(upper).rounded(.up))
    return (first...max(first, last)).flatMap { power in
      steps.map { $0 * pow(10, Double(power)) }
    }.filter { $0 >= lower * 0.999 && $0 <= upper * 1.001 }
  }

  /// The axis that holds all values, and ends at 1, 2 or 5 times powers of ten.
  init(holding values: [Double], from start: Double, to end: Double) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    lower = Self.rounded(positive.min() ?? 1, up: false)
    let upper = Self.rounded(positive.max() ?? 10, up: true)
    self.upper = upper > lower ? upper : lower * 10
    self.start = start
    self.end = end
  }

  init(from lower: Double, through upper: Double, from start: Double, to end: Double) {
    self.lower = lower
    self.upper = upper
    self.start = start
    self.end = end
  }

  private static func rounded(_ value: Double, up: Bool) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    let steps: [Double] = [1, 2, 5, 10]
    let step =
      up
      ? steps.first { $0 * power >= value * 0.9999 } : steps.last { $0 * power <= value * 1.0001 }
    return (step ?? 1) * power
  }
}

/// Pieces of pictures.
enum SVG {
  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String
  ) -> String {
    #"<line class="\#(style)" x1="\#(x1)" y1="\#(y1)" x2="\#(x2)" y2="\#(y2)"/>"# + "\n"
  }

  static func text(
    _ x: Double, _ y: Double, _ style: String, _ text: String
  ) -> String {
    #"<text class="\#(style)" x="\#(x)" y="\#(y)">\#(text.escaped)</text>"# + "\n"
  }

  static func picture(width: Int, height: Int, title: String, _ body: String) -> String {
    #"<svg viewBox="0 0 \#(width) \#(height)" role="img" aria-label="\#(title.escaped)">"#
      + "\n<title>\(title.escaped)</title>\n\(body)</svg>\n"
  }

  /// The mark of the engine of that number, so that colour is not all that tells them apart.
  static func mark(_ number: Int, _ x: Double, _ y: Double) -> String {
    let style = #"class="m e\#(number)""#
    func polygon(_ points: [(Double, Double)]) -> String {
      let list = points.map { "\(x + $0.0),\(y + $0.1)" }.joined(separator: " ")
      return #"<polygon \#(style) points="\#(list)"/>"# + "\n"
    }
    return switch number % 5 {
    case 0: #"<circle \#(style) cx="\#(x)" cy="\#(y)" r="4"/>"# + "\n"
    case 1: polygon([(-4, -4), (4, -4), (4, 4), (-4, 4)])
    case 2: polygon([(0, -5), (5, 4), (-5, 4)])
    case 3: polygon([(0, -5), (5, 0), (0, 5), (-5, 0)])
    default: polygon([(-5, -4), (5, -4), (0, 5)])
    }
  }
}

extension String {
  /// The text with the characters that HTML reads as its own replaced.
  var escaped: String {
    var text = ""
    for character in self {
      switch character {
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "&": text += "&amp;"
      case "\"": text += "&quot;"
      default: text.append(character)
      }
    }
    return text
  }
}
