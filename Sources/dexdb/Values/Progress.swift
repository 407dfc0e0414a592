import Terminal

/// Shows on a terminal how far long work is: what is done, how fast, and how long the rest will take.
struct Progress {
  private let what: String
  private let unit: String
  private let total: Int?
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var isVisible = false

  /// - Parameters:
  ///   - what: The work: `import`.
  ///   - unit: What is counted.
  ///   - total: How many there will be, where that is known.
  init(_ what: String, unit: String, total: Int? = nil) {
    self.what = what
    self.unit = unit
    self.total = total
    isShown = SystemCalls.isTerminal(2)
  }

  /// Notes that `count` are done, of which `part` are of `whole` where that says more.
  mutating func note(_ count: Int, part: Int? = nil, of whole: Int? = nil) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if now - last < .milliseconds(200) { return }
    last = now
    isVisible = true
    let seconds = Double((now - start).components.seconds) + 0.2
    let text = Self.text(
      what, unit, count, seconds: seconds, part: part ?? count, whole: whole ?? total)
    _ = SystemCalls.write(Array("\r\(text)\u{1B}[K".utf8), to: 2)
  }

  /// Takes the line away.
  mutating func finish() {
    if isVisible { _ = SystemCalls.write(Array("\r\u{1B}[K".utf8), to: 2) }
    isVisible = false
  }

  /// The line: `import: 120,000 rows, 40,000/s, 12 s left`.
  static func text(
    _ what: String, _ unit: String, _ count: Int, seconds: Double, part: Int, whole: Int?
  ) -> String {
    var text = "\(what): \(grouped(count)) \(unit)"
    if seconds > 0 { text += ", \(grouped(Int(Double(count) / seconds)))/s" }
    if let whole, whole > 0, part > 0, part <= whole {
      let left = Int((seconds * Double(whole - part) / Double(part)).rounded(.up))
      text += ", \(part * 100 / whole)%, \(time(left)) left"
    }
    return text
  }

  private static func time(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }

  /// A count with a comma before every three digits.
  static func grouped(_ count: Int) -> String {
    var text = ""
    for (place, digit) in String(count).reversed().enumerated() {
      if place > 0, place % 3 == 0 { text = "," + text }
      text = String(digit) + text
    }
    return text
  }
}
