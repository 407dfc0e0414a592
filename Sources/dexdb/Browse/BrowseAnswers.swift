import Entities
import PageStore
import Terminal

/// What a list knows of the answer to a query.
struct BrowseAnswer {
  var question: BrowseQuestion
  var order: RecordOrder
  /// False while more of it is being found.
  var isFinal: Bool
  /// False where it is as of an earlier commit, or of less than is wanted.
  var isNewest = true
}

/// Answers that threads beside the screen find.
extension BrowseSource {
  /// Has threads find the answers from now on, until they are stopped.
  func answerBeside() {
    let path = database.store.path
    isBeside = orders.start(path: path)
    if isBeside, !countings.start(path: path) { stop() }
  }

  /// Ends the threads.
  func stop() {
    orders.stop()
    countings.stop()
    isBeside = false
  }

  /// What is known of the records that answer a query; nil where that is nothing yet.
  func answer(_ query: Query, isWhole: Bool) throws -> BrowseAnswer? {
    // Whoever waits for an answer gets all of it.
    let question = BrowseQuestion(query: query, version: version, isWhole: isWhole || !isBeside)
    var (found, progress) = try orders.ask(question, snapshot)
    if !isBeside, found?.question != question {
      orders.work()
      (found, progress) = try orders.ask(question, snapshot)
    }
    if let found {
      return BrowseAnswer(
        question: found.question, order: found.answer, isFinal: true,
        isNewest: found.question == question)
    }
    if let progress {
      return BrowseAnswer(question: question, order: progress.known, isFinal: false)
    }
    return nil
  }

  /// How many records each query has; nil while they are counted.
  func counts(_ queries: [Query]) throws -> [Int]? {
    let question = BrowseCounting(queries: queries, version: version)
    var found = try countings.ask(question, snapshot).found
    if !isBeside, found?.question != question {
      countings.work()
      found = try countings.ask(question, snapshot).found
    }
    return found?.answer
  }
}
