/// The answers to a query over time: the present one, and a new one whenever a commit changes it.
///
/// Commits of all processes count. Answers that nobody asked for in time are left out, the newest
/// never. Ends when the database is closed or the task cancelled.
public struct QueryObservation: AsyncSequence, Sendable {
  /// The answer to the query.
  public typealias Element = QueryResult
  /// What can go wrong while looking.
  public typealias Failure = DatabaseError

  let database: Database
  let query: Query

  /// Begins with the present answer.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(database: database, query: query)
  }

  /// Where an observation stands.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let database: Database
    private let query: Query
    private var last: QueryResult?
    private var isOver = false

    init(database: Database, query: Query) {
      self.database = database
      self.query = query
    }

    /// The next answer, once there is another one; nil at the end.
    public mutating func next() async throws(DatabaseError) -> QueryResult? {
      try await next(isolation: nil)
    }

    /// The next answer, once there is another one; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DatabaseError) -> QueryResult? {
      while !isOver {
        // The number is taken first: what is committed while the query runs wakes the next wait.
        let change = database.changes.current
        guard let answer = try answer() else { return nil }
        if answer != last {
          last = answer
          return answer
        }
        if await !database.changes.wait(after: change) { isOver = true }
      }
      return nil
    }

    /// The present answer; nil where the database has been closed.
    ///
    /// An error ends the observation.
    private mutating func answer() throws(DatabaseError) -> QueryResult? {
      do throws(DatabaseError) {
        return try database.snapshot().find(query)
      } catch {
        isOver = true
        if database.changes.isStopped { return nil }
        throw error
      }
    }
  }
}

extension Database {
  /// The answers to a query over time: the present one, and a new one whenever a commit changes it.
  public func observe(_ query: Query) -> QueryObservation {
    QueryObservation(database: self, query: query)
  }

  /// How many observers wait for a change.
  package var observerCount: Int { changes.waiterCount }
}
