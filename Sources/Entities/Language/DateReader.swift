/// Reads days, `2025-01-31`, as the milliseconds that belong to them, in UTC.
///
/// Years before 0 and after 9999 have a sign and up to nine digits, `+12025-01-31`.
package enum DateReader {
  package static let millisecondsPerDay: Int64 = 86_400_000

  /// The milliseconds of the day that `text` names; nil where it names none.
  package static func day(_ text: String) -> ClosedRange<Int64>? {
    let sign = text.utf8.first { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let isSigned = sign != nil && text.utf8.first == sign
    let parts = text.utf8.dropFirst(isSigned ? 1 : 0)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isYear = { (count: Int) in isSigned ? (4...9).contains(count) : count == 4 }
    guard parts.count == 3, isYear(parts[0].count), parts[1].count == 2, parts[2].count == 2 else {
      return nil
    }
    var numbers: [Int] = []
    for part in parts {
      guard part.allSatisfy({ (48...57).contains($0) }), let number = Int(Substring(part)) else {
        return nil
      }
      numbers.append(number)
    }
    if isSigned, sign == UInt8(ascii: "-") { numbers[0] = -numbers[0] }
    let day = Int64(days(year: numbers[0], month: numbers[1], day: numbers[2]))
    guard date(ofDay: day) == (numbers[0], numbers[1], numbers[2]) else { return nil }
    let (first, isOver) = day.multipliedReportingOverflow(by: millisecondsPerDay)
    return isOver ? nil : first...first.addingSaturating(millisecondsPerDay - 1)
  }

  /// The day of `milliseconds` as it is written.
  package static func text(of milliseconds: Int64) -> String {
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: millisecondsPerDay)
    let day = whole - (rest < 0 ? 1 : 0)
    let (year, month, dayOfMonth) = date(ofDay: day)
    let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
    return "\(sign)\(padded(abs(year), 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Days since the beginning of 1970 in the Gregorian calendar.
  ///
  /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(ofDay day: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = Int(day) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
  }
}
