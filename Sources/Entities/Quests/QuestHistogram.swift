/// How often which values occurred: exact below 64, and above within a thirty-second part.
///
/// Counting is a step without a branch on earlier values, and merging adds, in any order.
public struct QuestHistogram: Hashable, Sendable {
  /// Occurrences by bin; the last one is not zero.
  private(set) var counts: [UInt64] = []

  /// Nothing yet.
  public init() {}

  /// Values below this have a bin of their own.
  static let exactLimit: Int64 = 64
  private static let stepBits = 5
  /// No value reaches this bin.
  static let binLimit = 64 + 57 << stepBits

  /// The bin of a value; those below 0 count as 0.
  @inline(__always) public static func bin(of value: Int64) -> Int {
    if value < exactLimit { return Int(max(0, value)) }
    let exponent = 63 &- value.leadingZeroBitCount
    let step = Int(truncatingIfNeeded: value >> Int64(exponent &- stepBits)) & 31
    return 64 &+ ((exponent &- 6) << stepBits) &+ step
  }

  /// The values that fall into a bin.
  public static func values(of bin: Int) -> ClosedRange<Int64> {
    if bin < 64 { return Int64(bin)...Int64(bin) }
    let exponent = 6 + (bin - 64) >> stepBits
    let width = Int64(1) << Int64(exponent - stepBits)
    let low = (Int64(1) << Int64(exponent)) + Int64((bin - 64) & 31) * width
    return low...(low + (width - 1))
  }

  /// Counts a value.
  @inline(__always) public mutating func add(_ value: Int64) {
    let bin = Self.bin(of: value)
    if bin >= counts.count { grow(to: bin) }
    counts[bin] &+= 1
  }

  @inline(never) private mutating func grow(to bin: Int) {
    counts += [UInt64](repeating: 0, count: bin + 1 - counts.count)
  }

  /// Adds what another one has counted.
  public mutating func merge(_ other: QuestHistogram) {
    if other.counts.count > counts.count { grow(to: other.counts.count - 1) }
    for bin in other.counts.indices { counts[bin] &+= other.counts[bin] }
  }

  /// How many values were counted.
  public var total: UInt64 { counts.reduce(0, &+) }

  /// The bins that are not empty, ascending: the values and how many.
  public var bins: [(values: ClosedRange<Int64>, count: UInt64)] {
    counts.indices.filter { counts[$0] > 0 }.map { (Self.values(of: $0), counts[$0]) }
  }

  /// The bin in which the value stands that so many thousandths do not exceed; nil where all is
  /// empty.
  public func bin(atThousandth thousandth: Int) -> Int? {
    let total = total
    if total == 0 { return nil }
    let (high, low) = (total - 1).multipliedFullWidth(by: UInt64(min(1_000, max(0, thousandth))))
    let rank = UInt64(1_000).dividingFullWidth((high, low)).quotient
    var seen: UInt64 = 0
    for bin in counts.indices {
      seen &+= counts[bin]
      if seen > rank { return bin }
    }
    return nil
  }

  /// The values of the bin that so many thousandths do not exceed: 500 is the median.
  public func percentile(thousandth: Int) -> ClosedRange<Int64>? {
    bin(atThousandth: thousandth).map { Self.values(of: $0) }
  }

  func encode(to writer: inout ByteWriter) {
    let filled = counts.indices.filter { counts[$0] > 0 }
    writer.variable(UInt64(filled.count))
    var last = 0
    for bin in filled {
      writer.variable(UInt64(bin - last))
      writer.variable(counts[bin])
      last = bin
    }
  }

  /// The histogram that comes next, which nobody believes; nil where there is none.
  init?(untrusted reader: inout ByteReader) {
    let count = reader.length()
    var bin = 0
    for index in 0..<count {
      let step = reader.variable()
      let occurrences = reader.variable()
      guard reader.damage == nil, step < UInt64(Self.binLimit), occurrences > 0,
        index == 0 || step > 0
      else { return nil }
      bin += Int(step)
      if bin >= Self.binLimit { return nil }
      if bin >= counts.count { grow(to: bin) }
      counts[bin] = occurrences
    }
    if reader.damage != nil { return nil }
    // No adventurer has been on so many quests, so that sums of a whole roster's do not overflow.
    var total: UInt64 = 0
    for occurrences in counts {
      if occurrences > UInt64(QuestPlan.questLimit) - total { return nil }
      total += occurrences
    }
  }
}

/// What is known of one number of many quests: its sum, the sum of its squares, and a histogram.
public struct QuestMeasure: Hashable, Sendable {
  /// How many values.
  public private(set) var count: UInt64 = 0
  /// Their sum.
  public private(set) var sum: UInt128 = 0
  /// The sum of their squares.
  public private(set) var squares: UInt128 = 0
  /// How often which occurred.
  public private(set) var histogram = QuestHistogram()

  /// Nothing yet.
  public init() {}

  /// Takes a value, which is not below 0.
  @inline(__always) public mutating func add(_ value: Int64) {
    let value = max(0, value)
    count &+= 1
    sum &+= UInt128(truncatingIfNeeded: value)
    let product = UInt64(bitPattern: value).multipliedFullWidth(by: UInt64(bitPattern: value))
    squares &+= UInt128(truncatingIfNeeded: product.high) << 64 | UInt128(product.low)
    histogram.add(value)
  }

  /// Adds what another one knows.
  public mutating func merge(_ other: QuestMeasure) {
    count &+= other.count
    sum &+= other.sum
    squares &+= other.squares
    histogram.merge(other.histogram)
  }

  /// The mean; nil where there are no values.
  public var mean: Double? { count == 0 ? nil : Double(sum) / Double(count) }

  /// Half the width of the mean's 95% interval; nil where there are fewer than two values.
  public var meanError: Double? {
    if count < 2 { return nil }
    let count = Double(count)
    // n·Σx² and (Σx)² are exact until here, so that the difference loses little.
    let spread = max(0, Double(squares) - Double(sum) * (Double(sum) / count)) / (count - 1)
    return QuestEstimate.quantile * (spread / count).squareRoot()
  }

  func encode(to writer: inout ByteWriter) {
    for number in [sum, squares] {
      writer.variable(UInt64(truncatingIfNeeded: number))
      writer.variable(UInt64(truncatingIfNeeded: number >> 64))
    }
    histogram.encode(to: &writer)
  }

  /// The measure that comes next, which nobody believes; nil where there is none.
  init?(untrusted reader: inout ByteReader) {
    var numbers: [UInt128] = []
    for _ in 0..<2 {
      let low = reader.variable()
      numbers.append(UInt128(low) | UInt128(reader.variable()) << 64)
    }
    guard let histogram = QuestHistogram(untrusted: &reader) else { return nil }
    sum = numbers[0]
    squares = numbers[1]
    self.histogram = histogram
    count = histogram.total
  }
}

/// Estimates from counts.
public enum QuestEstimate {
  /// Of the normal distribution, for an interval of 95%.
  public static let quantile = 1.959963984540054

  /// Wilson's 95% interval of a rate, of which `successes` in `count` were seen.
  ///
  /// - Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference".
  public static func interval(_ successes: UInt64, of count: UInt64) -> (low: Double, high: Double)
  {
    if count == 0 { return (0, 1) }
    let number = Double(count)
    let rate = Double(successes) / number
    let square = quantile * quantile
    let middle = (rate + square / (2 * number)) / (1 + square / number)
    let half =
      quantile / (1 + square / number)
      * (rate * (1 - rate) / number + square / (4 * number * number)).squareRoot()
    return (
      successes == 0 ? 0 : max(0, middle - half), successes == count ? 1 : min(1, middle + half)
    )
  }
}
