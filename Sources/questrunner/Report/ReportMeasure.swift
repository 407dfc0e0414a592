import Entities
import Terminal

/// One number of many quests, as a report tells of it: here integers become fractions, at last.
struct ReportMeasure {
  /// For programs.
  let key: String
  /// For people.
  let title: String
  let measure: QuestMeasure
  /// What one is, in parts as they were counted.
  let divisor: Int64

  /// The percentiles that are told, in thousandths, and what they are called.
  static let percentiles = [
    (0, "least"), (50, "5%"), (250, "25%"), (500, "median"), (750, "75%"), (950, "95%"),
    (1_000, "most"),
  ]

  init(_ key: String, _ title: String, _ measure: QuestMeasure, divisor: Int64 = 1) {
    self.key = key
    self.title = title
    self.measure = measure
    self.divisor = divisor
  }

  var mean: Double? { measure.mean.map { $0 / Double(divisor) } }
  var meanError: Double? { measure.meanError.map { $0 / Double(divisor) } }

  /// The bounds between which a percentile lies: the same where it is known exactly.
  func percentile(_ thousandth: Int) -> (low: Double, high: Double)? {
    measure.histogram.percentile(thousandth: thousandth).map {
      (Double($0.lowerBound) / Double(divisor), Double($0.upperBound) / Double(divisor))
    }
  }

  /// A percentile in few characters; with a mark where it is not known exactly.
  func percentileText(_ thousandth: Int) -> String {
    guard let (low, high) = percentile(thousandth) else { return "-" }
    if low == high { return ExactDecimal.rounded(low) }
    let middle = (low + high) / 2
    return "~" + (middle >= 10 ? "\(Int(middle.rounded()))" : ExactDecimal.rounded(middle))
  }

  /// A column of a histogram.
  struct Column: Equatable {
    /// The values that count for it, as they were counted.
    var values: ClosedRange<Int64>
    var count: UInt64
  }

  /// A histogram of columns that are equally wide, and no more than `most`.
  ///
  /// Above 64 the counts are kept by a thirty-second part, each of which goes where its middle is.
  func columns(most: Int) -> [Column] {
    let bins = measure.histogram.bins
    guard let first = bins.first?.values.lowerBound, let last = bins.last?.values.upperBound else {
      return []
    }
    // The values may go up to the greatest number there is, which nothing may be added to.
    let span = last - first + (last - first == .max ? 0 : 1)
    let width = Self.width(span: span, most: most, unit: divisor)
    let start = first / width * width
    var columns: [Column] = []
    for place in 0...(last - start) / width {
      let low = start + place * width
      columns.append(Column(values: low...(low + min(width - 1, .max - low)), count: 0))
    }
    for bin in bins {
      let middle = bin.values.lowerBound + (bin.values.upperBound - bin.values.lowerBound) / 2
      columns[Int((middle - start) / width)].count &+= bin.count
    }
    return columns
  }

  /// The least of 1, 2 and 5 with any number of zeroes that makes no more columns than that.
  static func width(span: Int64, most: Int, unit: Int64 = 1) -> Int64 {
    var power: Int64 = 1
    while true {
      for step in [1, 2, 5] as [Int64] {
        let width = step * power
        // The first column may begin before the first value.
        if span / width <= Int64(most) - 2 || width > Int64.max / 5 { return width }
        if width == 1, span <= Int64(most) { return width }
      }
      power *= 10
    }
  }

  /// The values of a column, in the measure's unit.
  func text(_ column: Column) -> String {
    let low = ExactDecimal.rounded(Double(column.values.lowerBound) / Double(divisor))
    if column.values.count == 1 { return low }
    let last = Double(column.values.upperBound) + (divisor == 1 ? 0 : 1)
    return "\(low) to \(ExactDecimal.rounded(last / Double(divisor)))"
  }
}

/// Numbers as people read them.
enum ReportNumber {
  /// A part of a whole in hundredths, such as `62.31%`.
  static func percent(_ part: Double) -> String {
    let tenThousandths = Int((part * 10_000).rounded())
    let (whole, rest) = (tenThousandths.magnitude / 100, tenThousandths.magnitude % 100)
    return "\(tenThousandths < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)%"
  }

  /// A number with about three digits that matter.
  static func short(_ number: Double) -> String {
    number.magnitude >= 1_000 && number.magnitude < 1e15
      ? "\(Int64(number.rounded()))" : ExactDecimal.rounded(number)
  }
}
