/// One change that a transaction made, as the body of its frame tells it.
///
/// The bytes are slices of that body: they live as long as it does. What they say is checked for
/// form only; whether the table exists is for the one who applies it.
@safe package enum LogOperation {
  /// The table's `key` has `value` now.
  case put(table: UInt32, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
  /// The table's `key` is gone.
  case delete(table: UInt32, key: UnsafeRawBufferPointer)
  /// All keys from `lower` up to and without `upper` are gone; without `upper`, all to the end.
  case deleteRange(table: UInt32, lower: UnsafeRawBufferPointer, upper: UnsafeRawBufferPointer?)
  /// There is a new table; its name is meant to be UTF-8.
  case createTable(UInt32, name: UnsafeRawBufferPointer)
  /// The table and all its keys are gone.
  case dropTable(UInt32)
  /// The table has another name.
  case renameTable(UInt32, name: UnsafeRawBufferPointer)

  /// The longest key and the longest name.
  package static let maximumKeyByteCount = Int(UInt16.max)
  /// The longest value that the encoding can tell.
  package static let maximumValueByteCount = Int(UInt32.max)

  /// How an operation starts; the fields follow one another unaligned, and then come the bytes.
  package enum Layout {
    static let kind = Field<UInt8>(
      "kind", at: 0,
      "1: put, 2: delete, 3: delete range, 4: delete to the end, 5: create, 6: drop, 7: rename")
    static let table = Field<UInt32>("table", at: 1, "number of the table")
    static let keyByteCount = Field<UInt16>(
      "keyByteCount", at: 5, "length of the key, the lower key or the name; not in a drop")
    static let valueByteCount = Field<UInt32>(
      "valueByteCount", at: 7, "length of the value; in a put only")
    static let upperByteCount = Field<UInt16>(
      "upperByteCount", at: 7, "length of the upper key; in a delete range only")

    package static let rows = [
      kind.row, table.row, keyByteCount.row, valueByteCount.row, upperByteCount.row,
    ]
  }

  /// The values of `Layout.kind`.
  enum Kind: UInt8 {
    case put = 1
    case delete, deleteRange, deleteToEnd, createTable, dropTable, renameTable

    /// The length of the fields before the first bytes.
    var headerByteCount: Int {
      switch self {
      case .put: Layout.valueByteCount.end
      case .deleteRange: Layout.upperByteCount.end
      case .delete, .deleteToEnd, .createTable, .renameTable: Layout.keyByteCount.end
      case .dropTable: Layout.table.end
      }
    }
  }
}
