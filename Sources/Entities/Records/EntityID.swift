public import Index

/// The number of a record, unique within its entity and never given to another one.
public struct EntityID: RawRepresentable, Hashable, Comparable, Sendable {
  /// From 0 to 2^48 - 1.
  public let rawValue: UInt64

  /// The greatest number that a record can have.
  public static let limit = EntityID(rawValue: RowID.limit.rawValue)

  /// The greatest number that can be chosen for a record; greater ones are only given in order.
  ///
  /// Whoever chooses a number leaves those below it out, so the upper half stays for new records.
  public static let choiceLimit = EntityID(rawValue: limit.rawValue / 2)

  /// The record number `rawValue`.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The record number `rawValue`.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Orders records by their number.
  public static func < (left: EntityID, right: EntityID) -> Bool { left.rawValue < right.rawValue }

  /// The number as an index knows it.
  public var row: RowID { RowID(rawValue: rawValue) }

  /// The record's key in its table: its number, big-endian, so that keys ascend as numbers do.
  var inlineKey: [8 of UInt8] {
    InlineArray { place in UInt8(truncatingIfNeeded: rawValue >> UInt64(56 - 8 * place)) }
  }

  /// The key as an array.
  var key: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(56 - 8 * $0)) } }
}

extension EntityID: CustomStringConvertible {
  /// The number in digits.
  public var description: String { String(rawValue) }
}
