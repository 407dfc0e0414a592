/// The number of a row, which an index holds in the row's place.
///
/// Rows are numbered from 0 to `limit`; numbers that lie close together are kept in less space.
public struct RowID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number itself.
  public let rawValue: UInt64

  /// The greatest number of a row, 2^48 - 1.
  public static let limit = RowID(rawValue: (1 << 48) - 1)

  /// The row `rawValue`.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// True where `left` has the lower number.
  public static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }
}
