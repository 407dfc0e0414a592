/// What can be wrong with the file of facts that the library carries.
public enum FactsError: Error, Hashable, Sendable {
  /// The file does not begin as such a file does, or its checksum does not fit its bytes.
  case notTheFacts
  /// The file was made in a newer format than this program knows.
  case newerFormat(UInt32)
  /// The file has no such table.
  case missingTable(String)
  /// The table has no such column, or not of the kind that is wanted.
  case missingColumn(table: String, column: String)
  /// The bytes of the column, or of the table where there is no column, break the format.
  case damaged(table: String, column: String?, FactsDamage)
}

/// In which way the bytes of a table of facts break the format.
public enum FactsDamage: Hashable, Sendable {
  /// Something goes on beyond the end of what it is part of.
  case cutShort
  /// Bytes are left over.
  case tooLong
  /// The compressed bytes give something else than what is announced.
  case compression
  case kind(UInt8)
  case width(UInt8)
  case text
  /// A number that stands for one of several things is not among them.
  case reference(Int)
  /// A value that no record may hold.
  case value(String)
}
