internal import PageStore

/// The rows of one term, as they stand in the table of an index.
///
/// A list has a head, in which a short list stands whole, and cells of one container each. Heads of
/// an index lie side by side, so that terms and their counts are walked without their rows.
struct PostingList {
  /// The index's name, for errors.
  let index: String
  /// The term's key; no key of an index is the beginning of another.
  let key: [UInt8]

  /// What the first byte of a key in the table says.
  enum Family: UInt8 {
    case total = 0
    case head = 1
    case container = 2
    case slice = 3
  }

  /// The bytes of a container's number in a key, big-endian.
  static let numberByteCount = 5
  /// The longest key of a term, in bytes.
  static let keyLimit = StoreLimits.keyByteCount - 1 - numberByteCount
  /// The longest head that holds its rows itself, in bytes.
  static let inlineByteCount = 512
  /// The most rows that make a list short again when others are removed.
  static let inlineRowCount = 32

  var headKey: [UInt8] { [Family.head.rawValue] + key }
  var containerPrefix: [UInt8] { [Family.container.rawValue] + key }

  func containerKey(_ number: UInt64) -> [UInt8] { containerPrefix + number.containerKeyBytes }

  func corrupt(_ problem: IndexError.Problem) -> IndexError {
    .corrupt(index: index, term: key, problem)
  }
}

extension RawSpan {
  /// The container's number that stands in a key from `offset` on, which the key must reach.
  ///
  /// Nil where no container can have that number.
  func containerNumber(at offset: Int) -> UInt64? {
    var number: UInt64 = 0
    for place in offset..<offset + PostingList.numberByteCount {
      number = number << 8 | UInt64(byte(at: place))
    }
    return number <= RowID.limit.containerNumber ? number : nil
  }
}

extension UInt64 {
  /// A container's number as the last bytes of a key.
  var containerKeyBytes: [UInt8] {
    stride(from: 8 * (PostingList.numberByteCount - 1), through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: self >> UInt64($0))
    }
  }

  /// The eight bytes, the greatest first, so that they sort as the number does.
  var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}

/// The head of a list.
///
/// Its value is 0 and the rows, as varints: the first, and for each other how far it lies behind
/// the row before it, less one. Or it is 1 and the number of rows in 6 bytes, little-endian, and
/// the rows are in containers.
enum PostingHead: Equatable {
  case inline([UInt64])
  case containers(count: Int)

  private static let inlineTag: UInt8 = 0
  private static let containersTag: UInt8 = 1
  private static let countByteCount = 6

  /// Takes `value`, fresh from disk, as a head; nil where it is none.
  init?(untrusted value: RawSpan) {
    if value.byteCount == 0 { return nil }
    switch value.byte(at: 0) {
    case PostingHead.inlineTag:
      var rows: [UInt64] = []
      guard PostingHead.appendRows(of: value, to: &rows) else { return nil }
      self = .inline(rows)
    case PostingHead.containersTag:
      guard let count = PostingHead.rowCount(of: value) else { return nil }
      self = .containers(count: count)
    default: return nil
    }
  }

  /// The rows of a head, untrusted, or nil where they are in containers; false where it is damaged.
  static func appendRows(of value: RawSpan, to rows: inout [UInt64]) -> Bool {
    guard value.byteCount > 1, value.byte(at: 0) == inlineTag else { return false }
    var row: UInt64 = 0
    var isFirst = true
    var offset = 1
    while offset < value.byteCount {
      var number: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        guard offset < value.byteCount, shift < 49 else { return false }
        let byte = value.byte(at: offset)
        offset += 1
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { break }
        shift += 7
      }
      row = isFirst ? number : row + number + 1
      isFirst = false
      if row > RowID.limit.rawValue { return false }
      rows.append(row)
    }
    return true
  }

  /// How many rows the list has, untrusted; nil where the head is damaged.
  static func rowCount(of value: RawSpan) -> Int? {
    guard value.byteCount > 1 else { return nil }
    switch value.byte(at: 0) {
    case inlineTag:
      var count = 0
      for offset in 1..<value.byteCount where value.byte(at: offset) < 0x80 { count += 1 }
      return value.byte(at: value.byteCount - 1) < 0x80 ? count : nil
    case containersTag:
      guard value.byteCount == 1 + countByteCount else { return nil }
      var count = 0
      for offset in (1...countByteCount).reversed() {
        count = count << 8 | Int(value.byte(at: offset))
      }
      return count > 0 ? count : nil
    default: return nil
    }
  }

  /// True where the rows stand in the head itself.
  static func isInline(_ value: RawSpan) -> Bool {
    value.byteCount > 0 && value.byte(at: 0) == inlineTag
  }

  /// The head as it is written.
  var coding: [UInt8] {
    switch self {
    case .inline(let rows):
      var bytes: [UInt8] = [PostingHead.inlineTag]
      var least: UInt64 = 0
      for row in rows {
        var rest = row - least
        while rest >= 0x80 {
          bytes.append(UInt8(rest & 0x7F) | 0x80)
          rest >>= 7
        }
        bytes.append(UInt8(rest))
        least = row + 1
      }
      return bytes
    case .containers(let count):
      return [PostingHead.containersTag]
        + (0..<PostingHead.countByteCount).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
  }

  /// The head of a list of `rows`, where it is short enough to hold them itself.
  static func shortCoding(of rows: [UInt64]) -> [UInt8]? {
    // A row takes a byte at least, so that longer lists need not be coded to see their length.
    if rows.count >= PostingList.inlineByteCount { return nil }
    let coding = PostingHead.inline(rows).coding
    return coding.count <= PostingList.inlineByteCount ? coding : nil
  }

  var count: Int {
    switch self {
    case .inline(let rows): rows.count
    case .containers(let count): count
    }
  }
}
