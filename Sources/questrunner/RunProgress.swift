import Entities
import PageStore
import Terminal

/// Says on a terminal how far a run is, how fast, and how long it will take.
final class RunProgress {
  private let isShown = SystemCalls.isTerminal(2)
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  init() {}

  func show(_ progress: QuestRunner.Progress) {
    let now = ContinuousClock.now
    if !isShown { return }
    if let last, now - last < .milliseconds(100), progress.done < progress.total { return }
    last = now
    let rate = Double(progress.doneHere) / max(1e-6, Self.seconds(now - start))
    let left = Double(progress.total - progress.done) / max(1e-6, rate)
    let percent = progress.total == 0 ? 100 : progress.done * 100 / progress.total
    write(
      "\r\(progress.done) of \(progress.total.counted("quest")), \(percent)%, "
        + "\(Self.text(rate)) a second, \(Self.clock(left)) left\u{1B}[K")
  }

  /// Makes room for what comes next.
  func end() { if isShown, last != nil { write("\r\u{1B}[K") } }

  private func write(_ text: String) { _ = SystemCalls.write(Array(text.utf8), to: 2) }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  static func text(_ rate: Double) -> String {
    if rate >= 1e6 { return ExactDecimal.rounded(rate / 1e6) + " million" }
    return rate >= 10 ? "\(Int(rate))" : ExactDecimal.rounded(rate)
  }

  /// Seconds as hours, minutes and seconds.
  static func clock(_ seconds: Double) -> String {
    let seconds = Int(min(seconds.rounded(.up), 1e9))
    let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let head = seconds >= 3_600 ? "\(seconds / 3_600):" + pad(seconds / 60 % 60) : "\(seconds / 60)"
    return head + ":" + pad(seconds % 60)
  }
}
