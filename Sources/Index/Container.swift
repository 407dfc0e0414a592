/// The rows of one term among 8192 that lie side by side, as sorted bytes or bits in 1 KiB at most.
///
/// In memory and on disk a container is the same bytes, so those of a mapped page are used where
/// they lie. On disk a byte with the kind stands before them.
///
/// Invariants: the numbers ascend and are below 8192; there is at least one, but for a bitmap from
/// disk, which may have none.
struct Container: ~Escapable {
  /// How many rows lie in the range of one container: 2^13, so that a bitmap fits into a leaf.
  static let rowBits = 13
  static let rowCount = 1 << rowBits
  static let bitmapWordCount = rowCount / 64
  static let bitmapByteCount = rowCount / 8
  /// The most numbers that an array has, from which on a bitmap is no longer.
  static let arrayLimit = bitmapByteCount / 2

  enum Kind: UInt8 {
    /// Numbers of 16 bits, ascending.
    case array = 1
    /// One bit for each row.
    case bitmap = 2
    /// Pairs of a first number and how many follow it without a gap, 16 bits each.
    case runs = 3
  }

  let kind: Kind
  /// Numbers of an array, runs, or 0.
  let count: Int
  let bytes: RawSpan

  @_lifetime(copy bytes)
  init(_ kind: Kind, count: Int, bytes: RawSpan) {
    self.kind = kind
    self.count = count
    self.bytes = bytes
  }

  /// Takes `value`, fresh from disk, as a container; nil where it is none.
  @_lifetime(copy value)
  init?(untrusted value: RawSpan) {
    guard value.byteCount > 1, let kind = Kind(rawValue: value.byte(at: 0)) else { return nil }
    let byteCount = value.byteCount - 1
    let unit = kind == .runs ? 4 : kind == .array ? 2 : Container.bitmapByteCount
    guard byteCount % unit == 0, byteCount <= Container.bitmapByteCount else { return nil }
    self.init(
      kind, count: kind == .bitmap ? 0 : byteCount / unit, bytes: value.extracting(droppingFirst: 1)
    )
    if !isSound { return nil }
  }

  /// How many rows the container has.
  var rowCount: Int {
    switch kind {
    case .array: count
    case .bitmap, .runs: codedRowCount
    }
  }

  /// True where the container has the row `number`.
  func contains(_ number: UInt16) -> Bool {
    switch kind {
    case .bitmap: return bytes.byte(at: Int(number / 8)) >> (number % 8) & 1 == 1
    case .array:
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        let found = bytes.uint16(at: middle)
        if found == number { return true }
        if found < number { low = middle + 1 } else { high = middle }
      }
      return false
    case .runs:
      for run in 0..<count {
        let first = bytes.uint16(at: 2 * run)
        if number < first { return false }
        if number - first <= bytes.uint16(at: 2 * run + 1) { return true }
      }
      return false
    }
  }

  /// The numbers of the rows, ascending.
  var numbers: [UInt16] {
    if kind == .array { return (0..<count).map { bytes.uint16(at: $0) } }
    var words = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    add(to: &words)
    return words.bitmapNumbers
  }

  /// What is written to disk for these rows: the shortest of the three forms.
  static func coding(ofBitmap words: [UInt64], rowCount: Int) -> [UInt8] {
    precondition(words.count == bitmapWordCount, "a bitmap of \(words.count) words")
    let runCount = words.bitmapRunCount
    let kind: Kind =
      4 * runCount < min(2 * rowCount, bitmapByteCount)
      ? .runs : rowCount <= arrayLimit ? .array : .bitmap
    switch kind {
    case .array: return coding(kind, words.bitmapNumbers)
    case .runs: return coding(kind, words.bitmapRuns)
    case .bitmap:
      var bytes: [UInt8] = [kind.rawValue]
      bytes.reserveCapacity(1 + bitmapByteCount)
      for word in words {
        for shift in stride(from: 0, to: 64, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
      }
      return bytes
    }
  }

  /// What is written to disk for the container.
  var coding: [UInt8] {
    var words = [UInt64](repeating: 0, count: Container.bitmapWordCount)
    add(to: &words)
    return Container.coding(ofBitmap: words, rowCount: rowCount)
  }

  private static func coding(_ kind: Kind, _ numbers: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = [kind.rawValue]
    bytes.reserveCapacity(1 + 2 * numbers.count)
    for number in numbers {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
    return bytes
  }
}

/// How two sets are combined.
enum SetOperation {
  case intersection
  case union
  case subtraction
}
