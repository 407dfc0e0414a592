internal import PageStore

/// How far a check of records and indexes has come.
public struct CheckProgress: Equatable, Sendable {
  /// How many rows were looked at; each counts once as a record and once for each index.
  public var rowCount: Int
  /// How many there are to look at.
  public var totalRowCount: Int
}

/// Counts the rows that a check looks at, and says so now and then.
final class CheckMeter {
  var total = 0
  private var done = 0
  private var asked = 0
  private let progress: ((CheckProgress) -> Bool)?

  init(_ progress: ((CheckProgress) -> Bool)?) { self.progress = progress }

  func note() throws(StoreError) {
    done += 1
    guard done % 256 == 0, let progress else { return }
    if !progress(CheckProgress(rowCount: done, totalRowCount: total)) { throw .cancelled }
  }

  /// Asks whether to go on, now and then, where no row is counted.
  func ask() throws(StoreError) {
    asked += 1
    guard asked % 256 == 0, let progress else { return }
    if !progress(CheckProgress(rowCount: done, totalRowCount: total)) { throw .cancelled }
  }

  func noteRow() throws(DatabaseError) {
    do throws(StoreError) {
      try note()
    } catch {
      throw .store(error)
    }
  }

  /// Notes rows that were looked at together.
  func note(_ count: Int) throws(StoreError) {
    for _ in 0..<count { try note() }
  }
}
