/// What `Store.salvage` brought out of a damaged database, and what it had to leave.
public struct SalvageReport: Equatable, Sendable {
  /// A range of keys: not below `lower`, and below `upper`; nil is no bound.
  public struct KeyRange: Equatable, Sendable {
    /// The least key that may be missing.
    public var lower: [UInt8]?
    /// The least key above all that may be missing.
    public var upper: [UInt8]?

    /// True where the range has `key`.
    public func contains(_ key: [UInt8]) -> Bool {
      if let lower, key.lexicographicallyPrecedes(lower) { return false }
      guard let upper else { return true }
      return key.lexicographicallyPrecedes(upper)
    }
  }

  /// What became of one table.
  public struct Table: Equatable, Sendable {
    /// The table's name; one that was made up where the catalog's record of it is lost.
    public var name: String
    /// The rows that were copied.
    public var rowCount = 0
    /// Those among them that were found in pages which no branch led to any more.
    public var orphanRowCount = 0
    /// The rows that the catalog says there were, where it does.
    public var expectedRowCount: Int?
    /// The damaged pages, at most `CheckReport.problemLimit` of them.
    public var damages: [Damage] = []
    /// The ranges in which rows may be missing, at most `CheckReport.problemLimit` of them.
    public var missingRanges: [KeyRange] = []
    /// The keys of rows that were left out because their values are damaged, at most as many.
    public var lostKeys: [[UInt8]] = []
    /// How many rows were left out because their values are damaged.
    public var lostKeyCount = 0

    init(name: String) { self.name = name }
  }

  /// True where no meta page said which state is the newest, so that an old page may have been taken
  /// for a live one: rows that were deleted or replaced before may be back.
  public var mayHoldDeletedRows = false
  /// The durable state that was read; the log's transactions were applied to it.
  public var transaction = TransactionNumber.zero
  /// The tables, first those that the catalog names.
  public var tables: [Table] = []
  /// What is wrong beside the tables: with meta pages, map of space, catalog and log.
  public var problems: [StoreError] = []
  /// Transactions of the log that were applied.
  public var replayedTransactionCount = 0
  /// Transactions of the log that are lost.
  public var lostTransactions: [ClosedRange<TransactionNumber>] = []
  /// Changes in the log that could not be applied without those.
  public var skippedOperationCount = 0

  /// True where everything was there.
  public var isComplete: Bool {
    !mayHoldDeletedRows && problems.isEmpty && lostTransactions.isEmpty
      && skippedOperationCount == 0
      && tables.allSatisfy { $0.damages.isEmpty && $0.lostKeyCount == 0 }
  }

  mutating func note(_ problem: StoreError) {
    if problems.count < CheckReport.problemLimit { problems.append(problem) }
  }
}

/// Keys that are spoken for: closed ranges that do not meet, in ascending order.
struct KeyCover {
  private var ranges: [(lower: [UInt8], upper: [UInt8])] = []

  /// True where some range has `key`.
  func contains(_ key: [UInt8]) -> Bool {
    let index = firstRange(endingAtOrAfter: key)
    return index < ranges.count && !key.lexicographicallyPrecedes(ranges[index].lower)
  }

  /// Adds the keys from `lower` to `upper`.
  mutating func insert(_ lower: [UInt8], _ upper: [UInt8]) {
    let first = firstRange(endingAtOrAfter: lower)
    var end = first
    var merged = (lower: lower, upper: upper)
    while end < ranges.count, !upper.lexicographicallyPrecedes(ranges[end].lower) {
      if ranges[end].lower.lexicographicallyPrecedes(merged.lower) {
        merged.lower = ranges[end].lower
      }
      if merged.upper.lexicographicallyPrecedes(ranges[end].upper) {
        merged.upper = ranges[end].upper
      }
      end += 1
    }
    ranges.replaceSubrange(first..<end, with: [merged])
  }

  private func firstRange(endingAtOrAfter key: [UInt8]) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upper.lexicographicallyPrecedes(key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
