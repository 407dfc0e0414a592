import Entities
import PageStore
import Synchronization
import Terminal

/// A thread that finds answers beside the screen, which never waits for one.
///
/// One question is worked on at a time. Another question gives the one before it up; the same one as
/// of a later commit does not, or a writer in a hurry would keep every slow answer from coming.
final class BrowseWorker<Question: BrowseQuestioning, Answer: Sendable>: Sendable {
  /// What is asked, of which snapshot.
  struct Job: Sendable {
    let question: Question
    let snapshot: DatabaseSnapshot
    let number: Int
    /// What is known before all is.
    let progress = RecordProgress()
  }

  /// An answer, perhaps as of an earlier commit.
  struct Found: Sendable {
    var question: Question
    var answer: Answer
  }

  private struct State {
    var job: Job?
    var number = 0
    var found: Result<Found, DatabaseError>?
    var isStopped = false
  }

  private let state = Guarded(State())
  private let bell = WaitWord()
  /// The number of the job that is wanted.
  private let wanted = Atomic(0)
  private let body: Body

  /// What finds an answer; the closure tells whether nobody wants it any more.
  typealias Body =
    @Sendable (Job, @escaping @Sendable () -> Bool) throws(DatabaseError) -> Answer

  /// How long a sleep is at most, in nanoseconds.
  private static var pause: UInt64 { 1_000_000_000 }

  init(_ body: @escaping Body) { self.body = body }

  /// Starts the thread; without one, whoever asks works for the answer.
  func start(path: String) -> Bool {
    do throws(StoreError) {
      try BackgroundThread(path: path) { [self] in
        while !state.withLock({ $0.isStopped }) {
          let heard = bell.value
          if !work() { bell.wait(while: heard, nanoseconds: Self.pause) }
        }
      }.detach()
      return true
    } catch {
      return false
    }
  }

  /// Gives up what is worked on, and ends the thread.
  func stop() {
    state.withLock {
      $0.isStopped = true
      $0.job = nil
      wanted.store(0, ordering: .relaxed)
    }
    ring()
  }

  private func ring() {
    bell.ring()
    bell.wakeAll()
  }

  /// Asks, unless that was asked already.
  ///
  /// - Returns: The newest answer to the question or to the same as of an earlier commit, and what is
  ///   known so far of the one that is worked on.
  func ask(
    _ question: Question, _ snapshot: DatabaseSnapshot
  ) throws(DatabaseError) -> (found: Found?, progress: RecordProgress?) {
    var isNew = false
    let (result, job) = state.withLock { state -> (Result<Found, DatabaseError>?, Job?) in
      if case .success(let found)? = state.found, !found.question.isSame(as: question) {
        state.found = nil
      }
      if case .success(let found)? = state.found, found.question == question {
        return (state.found, nil)
      }
      if let job = state.job, job.question.isSame(as: question) {
        return (state.found, job.question == question ? job : nil)
      }
      state.number += 1
      let job = Job(question: question, snapshot: snapshot, number: state.number)
      state.job = job
      wanted.store(job.number, ordering: .relaxed)
      isNew = true
      defer { if case .failure? = state.found { state.found = nil } }
      return (state.found, job)
    }
    if isNew { ring() }
    return (try result?.get(), job?.progress)
  }

  /// Works on the question that waits; false where none does.
  @discardableResult
  func work() -> Bool {
    guard let job = state.withLock({ $0.job }) else { return false }
    let result: Result<Found, DatabaseError>
    do throws(DatabaseError) {
      result = .success(Found(question: job.question, answer: try answer(to: job)))
    } catch {
      result = .failure(error)
    }
    let isWanted = state.withLock { state in
      guard state.job?.number == job.number else { return false }
      state.job = nil
      state.found = result
      return true
    }
    if isWanted { Screen.wake() }
    return true
  }

  private func answer(to job: Job) throws(DatabaseError) -> Answer {
    let number = job.number
    return try body(job) { [self] in wanted.load(ordering: .relaxed) != number }
  }
}

/// A question as of some commit.
protocol BrowseQuestioning: Equatable, Sendable {
  /// True where the other asks the same, perhaps as of another commit.
  func isSame(as other: Self) -> Bool
}

/// Which records answer a query, and in which order.
struct BrowseQuestion: BrowseQuestioning {
  var query: Query
  var version: UInt64
  /// False while only the records near both ends are wanted.
  var isWhole: Bool

  func isSame(as other: BrowseQuestion) -> Bool { query == other.query }
}

/// How many records each of several queries has.
struct BrowseCounting: BrowseQuestioning {
  var queries: [Query]
  var version: UInt64

  func isSame(as other: BrowseCounting) -> Bool { queries == other.queries }
}
