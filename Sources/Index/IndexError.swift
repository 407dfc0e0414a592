public import PageStore

/// What can go wrong in an index.
public enum IndexError: Error, Equatable, Sendable {
  /// The store below failed.
  case store(StoreError)
  /// What stands under a term breaks the format; the term is as the index keeps it.
  case corrupt(index: String, term: [UInt8], Problem)
  /// A term of `byteCount` bytes is over the limit.
  case termTooLong(index: String, byteCount: Int, maximum: Int)
  /// A row has a number already, and a numeric index keeps one for each.
  case hasNumber(index: String, RowID)

  /// The ways in which the bytes of an index can break the format.
  public enum Problem: Equatable, Sendable {
    /// A key or a value has a form that no writer writes.
    case form(String)
    /// A container's numbers do not ascend, or lie outside of it.
    case container(number: UInt64)
    /// The count of a term differs from the rows that are there.
    case count(stored: UInt64, found: UInt64)
    /// A container belongs to no term.
    case stray(number: UInt64)
  }
}

extension IndexError: StoreFailure {
  /// The error of the store.
  public init(_ error: StoreError) { self = .store(error) }
}
