/// The number of a page: its place in the main file, counted in pages from 0.
///
/// Pages 0 and 1 are the meta pages; as a pointer to a tree page, 0 says "none".
@frozen public struct PageID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The page's place in the file, in pages.
  public let rawValue: UInt32

  /// The page at place `rawValue`.
  @inlinable public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The pointer to no page.
  @inlinable public static var none: PageID { PageID(0) }

  /// The first page that is not a meta page.
  @inlinable package static var firstAfterMetas: PageID { PageID(2) }

  /// The number as an index, for arithmetic in pages.
  @inlinable public var index: Int { Int(rawValue) }

  /// Orders pages by their place in the file.
  @inlinable public static func < (left: PageID, right: PageID) -> Bool {
    left.rawValue < right.rawValue
  }

  /// For example `page 17`.
  public var description: String { "page \(rawValue)" }
}
