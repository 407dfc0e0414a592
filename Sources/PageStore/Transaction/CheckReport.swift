/// What `Store.check` found.
public struct CheckReport: Equatable, Sendable {
  /// What is to be said of one table.
  public struct Table: Equatable, Sendable {
    /// The table's name.
    public var name: String
    /// The rows in leaves that could be read.
    public var rowCount: Int
    /// The pages of the tree and of its large values.
    public var pageCount: Int
  }

  /// The state that was checked.
  public var transaction = TransactionNumber.zero
  /// The first problems, at most `problemLimit`.
  public var problems: [StoreError] = []
  /// How many problems there were in all.
  public var problemCount = 0
  /// The tables, in the order of their names.
  public var tables: [Table] = []
  /// The size of a page, in bytes; 0 where it could not be told.
  public var pageByteCount = 0
  /// The size of the main file, in bytes.
  public var fileByteCount = 0
  /// The pages that the checked state consists of: its trees, and the values beside them.
  public var livePageCount = 0
  /// The pages that only wait until nobody sees them any more.
  public var pendingPageCount = 0
  /// The pages that hold nothing.
  public var freePageCount = 0
  /// The pages that hold the map of space.
  public var mapPageCount = 0
  /// True where each page was found to be live, free or pending and nothing else.
  ///
  /// That is not to be known beside a writer in another process, or where a damaged branch hides
  /// what lies below it.
  public var isComplete = false
  /// The transactions that the log holds beyond the checked state, for a file that was not closed.
  public var logTransactionCount = 0

  /// How many problems a report keeps.
  public static let problemLimit = 1000

  /// True where nothing is wrong.
  public var isClean: Bool { problemCount == 0 }

  /// Adds a problem, once.
  mutating func note(_ problem: StoreError) {
    if problems.count < CheckReport.problemLimit {
      if problems.contains(problem) { return }
      problems.append(problem)
    }
    problemCount += 1
  }
}

/// How far a check of pages has come.
public struct PageCheckProgress: Equatable, Sendable {
  /// How many pages were looked at.
  public var pageCount: Int
  /// How many there are at most, free ones among them.
  public var totalPageCount: Int
}
