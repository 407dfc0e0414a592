import Entities

/// Moments as text, `2025-01-31T12:34:56.789Z`, in UTC; a day alone is its first moment.
enum Timestamp {
  static func text(of milliseconds: Int64) -> String {
    let day = DateReader.millisecondsPerDay
    let time = ((milliseconds % day) + day) % day
    let seconds = time / 1000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    return DateReader.text(of: milliseconds) + "T" + clock.joined(separator: ":") + "."
      + padded(time % 1000, 3) + "Z"
  }

  static func milliseconds(_ text: String) -> Int64? {
    let date = text.prefix { $0 != "T" && $0 != " " }
    guard let day = DateReader.day(String(date)) else { return nil }
    let rest = text.dropFirst(date.count)
    if rest.isEmpty { return day.lowerBound }
    guard rest.first == "T" || rest.first == " ", rest.allSatisfy(\.isASCII) else { return nil }
    let clock = rest.dropFirst().drop { _ in false }
    let body = clock.hasSuffix("Z") ? clock.dropLast() : clock
    let parts = body.split(separator: ".", omittingEmptySubsequences: false)
    let fields = parts[0].split(separator: ":", omittingEmptySubsequences: false).map {
      number($0, 2)
    }
    guard parts.count <= 2, fields.count == 3, let hours = fields[0], let minutes = fields[1],
      let seconds = fields[2], hours < 24, minutes < 60, seconds < 60
    else { return nil }
    var fraction: Int64 = 0
    if parts.count == 2 {
      guard let milliseconds = number(parts[1], 3) else { return nil }
      fraction = milliseconds
    }
    let time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction
    // The last day that there is ends before midnight.
    let (moment, isOver) = day.lowerBound.addingReportingOverflow(time)
    return isOver ? nil : moment
  }

  private static func number(_ text: Substring, _ width: Int) -> Int64? {
    text.count == width && text.allSatisfy { $0.isASCII && $0.isNumber } ? Int64(text) : nil
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
