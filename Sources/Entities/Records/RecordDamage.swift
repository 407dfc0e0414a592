/// The ways in which the bytes of a record can be wrong.
public enum RecordDamage: Equatable, Sendable {
  /// They end within a value, or a length leads beyond their end.
  case truncated
  /// They go on after the last value.
  case trailingBytes(Int)
  /// They have fields that the schema never had.
  case unknownField(Int)
  /// They were written by a newer schema than the stored one.
  case schemaVersion(UInt64)
  /// A number is longer than 64 bits.
  case oversizedInteger
  /// A text is not UTF-8.
  case invalidText
  /// A flag is neither 0 nor 1.
  case invalidFlag(UInt8)
  /// A number is not finite.
  case notFinite
  /// A name is not one of the closed list.
  case ordinal(UInt64, count: Int)
  /// A field is absent that a value of the type cannot be without.
  case missing
  /// A field was asked for as something that it is not.
  case wrongKind
  /// The key of the row is no number of a record.
  case key
}
