/// An error that can carry an index's error upward.
public protocol IndexFailure: Error {
  /// The error that stands for `error`.
  init(_ error: IndexError)
}

extension IndexError: IndexFailure {
  /// The error itself.
  public init(_ error: IndexError) { self = error }
}

/// What a comparison of an index with its rows found.
public struct IndexReport: Sendable {
  /// The index's name.
  public let index: String
  /// The first problems, no more than were asked for.
  public internal(set) var problems: [Problem] = []
  /// How many problems there are.
  public internal(set) var problemCount = 0
  /// How many pairs of a term and a row the index holds.
  public internal(set) var pairCount = 0

  /// True where the index says what the rows say.
  public var isSound: Bool { problemCount == 0 }

  /// Something that an index says otherwise than its rows.
  public enum Problem: Equatable, Sendable, CustomStringConvertible {
    /// The row has the term, and the index does not say so.
    case missing(RowID, term: String)
    /// The index says that the row has the term, and it does not.
    case extra(RowID, term: String)
    /// Bytes of the index cannot be read, or contradict each other.
    case damaged(IndexError)

    /// For example `row 25 is missing under 'electric'`.
    public var description: String {
      switch self {
      case .missing(let row, let term): "row \(row.rawValue) is missing under \(term)"
      case .extra(let row, let term): "row \(row.rawValue) stands wrongly under \(term)"
      case .damaged(let error): "damaged: \(error)"
      }
    }
  }
}
