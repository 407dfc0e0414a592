/// Reads numbers, texts and runs of bytes from a table of facts, one behind the other.
///
/// Nothing is taken beyond the end: then the reading throws.
struct FactReader {
  /// The bytes that are still to be read.
  private(set) var rest: ArraySlice<UInt8>
  let table: String
  let column: String?

  init(_ bytes: ArraySlice<UInt8>, table: String, column: String? = nil) {
    rest = bytes
    self.table = table
    self.column = column
  }

  /// The error that the bytes are damaged so.
  func failure(_ damage: FactsDamage) -> FactsError {
    .damaged(table: table, column: column, damage)
  }

  mutating func bytes(_ count: Int) throws(FactsError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw failure(.cutShort) }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func byte() throws(FactsError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw failure(.cutShort) }
    return byte
  }

  /// A little-endian number.
  mutating func number<Value: FixedWidthInteger>(
    _ type: Value.Type = Value.self
  ) throws(FactsError) -> Value {
    let bytes = try bytes(Value.bitWidth / 8)
    return bytes.reversed().reduce(0) { ($0 << 8) | Value(truncatingIfNeeded: $1) }
  }

  mutating func text(_ count: Int) throws(FactsError) -> String {
    guard let text = String(validating: try bytes(count), as: UTF8.self) else {
      throw failure(.text)
    }
    return text
  }

  /// `count` texts: first the lengths of all, then their bytes.
  mutating func texts(_ count: Int) throws(FactsError) -> [String] {
    let lengths = try bytes(count)
    var texts: [String] = []
    texts.reserveCapacity(count)
    for length in lengths { texts.append(try text(Int(length))) }
    return texts
  }

  /// A count of texts, and the texts.
  mutating func dictionary() throws(FactsError) -> [String] {
    try texts(Int(try number(UInt16.self)))
  }

  /// `count` numbers of texts of a dictionary, 0 for none: all lower bytes, then, where the
  /// dictionary has more than 255 texts, all upper bytes.
  mutating func references(_ count: Int, toTexts textCount: Int) throws(FactsError) -> [Int] {
    var references = try bytes(count).map(Int.init)
    if textCount > 0xFF {
      for (place, upper) in try bytes(count).enumerated() { references[place] |= Int(upper) << 8 }
    }
    for reference in references where reference > textCount {
      throw failure(.reference(reference))
    }
    return references
  }

  /// Throws where bytes are left over.
  func finish() throws(FactsError) {
    guard rest.isEmpty else { throw failure(.tooLong) }
  }
}
