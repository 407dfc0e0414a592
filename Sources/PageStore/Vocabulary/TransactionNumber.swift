/// The position of a commit in a store's history.
///
/// Frames of the log, births of pages and snapshots carry one. Numbers only grow; 0 is the empty
/// store before its first commit.
@frozen public struct TransactionNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The position, counted from 0.
  public let rawValue: UInt64

  /// The transaction at position `rawValue`.
  @inlinable public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The number of the empty store.
  @inlinable public static var zero: TransactionNumber { TransactionNumber(0) }

  /// The number that follows this one.
  @inlinable package var next: TransactionNumber { TransactionNumber(rawValue &+ 1) }

  /// Numbers from here on are given to no transaction: a file that has one is damaged.
  ///
  /// Ten million transactions a second would reach it in 29,000 years.
  package static var limit: TransactionNumber { TransactionNumber(1 << 63) }

  /// Orders transactions by their place in history.
  @inlinable public static func < (left: TransactionNumber, right: TransactionNumber) -> Bool {
    left.rawValue < right.rawValue
  }

  /// For example `transaction 150`.
  public var description: String { "transaction \(rawValue)" }
}
