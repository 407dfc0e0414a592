/// Which rows are wanted, said in terms of indexes.
///
/// Indexes are named as their tables are. Words and prefixes are folded already.
public indirect enum IndexQuery: Sendable {
  /// Every row.
  case everything
  /// No row.
  case nothing
  /// These rows.
  case rows(PostingSet)
  /// The rows that have a term of a `TermIndex`.
  case term(index: String, [UInt8])
  /// The rows that have a word of a `NameIndex`.
  case word(index: String, String, at: WordPlace)
  /// The rows that have a word of a `NameIndex` that begins with a prefix.
  case prefix(index: String, String, at: WordPlace)
  /// These rows, which were found as those that have a word of a `NameIndex` with a part in it, or at
  /// its end.
  case part(index: String, String, endsWord: Bool, PostingSet)
  /// The rows whose number in a `NumericIndex` lies between two, both included; nil is no end.
  case range(index: String, from: NumericKey?, through: NumericKey?)
  /// The rows that are in all of the answers; every row where there are none.
  case all([IndexQuery])
  /// The rows that are in at least one of the answers.
  case any([IndexQuery])
  /// The rows that are not in the answer.
  case not(IndexQuery)

  /// The rows that are in none of the answers.
  public static func none(_ queries: [IndexQuery]) -> IndexQuery { .not(.any(queries)) }
}

extension IndexQuery {
  /// The rows that the query wants.
  ///
  /// `tables` is a snapshot or a transaction. `universe` is a query for every row, on which
  /// `.everything` and `.not` stand. Throws `.corrupt`, or what the store throws, such as
  /// `.noSuchTable`.
  public func rows<Tables: IndexTables & ~Copyable>(
    in tables: borrowing Tables, universe: IndexQuery
  ) throws(IndexError) -> PostingSet {
    var step = try PlanStep(self, universe: universe, in: tables)
    return try step.rows(window: .everything, in: tables)
  }

  /// The first rows from `start` on that the query wants, at most `limit`, by ID.
  ///
  /// Stops reading once there are enough.
  public func first<Tables: IndexTables & ~Copyable>(
    _ limit: Int, from start: RowID = RowID(rawValue: 0), in tables: borrowing Tables,
    universe: IndexQuery
  ) throws(IndexError) -> [RowID] {
    var step = try PlanStep(self, universe: universe, in: tables)
    return try step.first(limit, from: start, in: tables)
  }

  /// How many rows the query wants, without making a set of them where that can be avoided.
  public func count<Tables: IndexTables & ~Copyable>(
    in tables: borrowing Tables, universe: IndexQuery
  ) throws(IndexError) -> Int {
    var step = try PlanStep(self, universe: universe, in: tables)
    return try step.count(in: tables)
  }

  /// How the query would be answered, with estimates.
  public func plan<Tables: IndexTables & ~Copyable>(
    in tables: borrowing Tables, universe: IndexQuery
  ) throws(IndexError) -> IndexPlan {
    IndexPlan(try PlanStep(self, universe: universe, in: tables))
  }

  /// The rows that the query wants, and how they were found, with what was estimated and what was.
  ///
  /// Where there is a `limit`, so many rows are enough, the first by ID.
  public func explained<Tables: IndexTables & ~Copyable>(
    limit: Int? = nil, in tables: borrowing Tables, universe: IndexQuery
  ) throws(IndexError) -> (rows: PostingSet, plan: IndexPlan) {
    var step = try PlanStep(self, universe: universe, in: tables)
    let rows =
      if let limit {
        PostingSet(try step.first(limit, from: RowID(rawValue: 0), in: tables))
      } else {
        try step.rows(window: .everything, in: tables)
      }
    return (rows, IndexPlan(step))
  }
}
