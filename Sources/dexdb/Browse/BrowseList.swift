import Entities
import Terminal

/// A list of records that answer a query line: what was found, what is chosen, what is in view.
///
/// Of an answer its order is kept, and the rows around those in view. The order may come in parts,
/// while its beginning is shown already.
struct BrowseList: Equatable {
  let realm: BrowseState.Realm
  /// The query line, as it was typed.
  var line = TypedLine()
  /// True where it was not typed here, but comes from a box or from the command line.
  private(set) var isWritten = false
  /// True while keys go to the query line.
  var isTyping = false
  var isGrid = false
  /// What is wrong with the line; the last good answer stays meanwhile.
  var complaint: Complaint?
  /// The query that is answered.
  private(set) var query: Query
  /// How many records there are without a query.
  private(set) var population = 0
  /// The place of the chosen record in the answer.
  private(set) var selection = 0
  /// The record that is chosen; nil where there is none.
  private(set) var chosen: EntityID?
  /// The place of the first record in view.
  private(set) var top = 0
  private var order = RecordOrder()
  private var window: [BrowseRow?] = []
  private var windowStart = 0
  /// What the line says.
  private var read: Read?
  /// What the order answers; another line or commit makes it stale.
  private var answered: Answered?
  /// True while another answer is on its way.
  private var isAwaiting = true
  /// The record that is looked for in an answer that is not complete.
  private var sought: EntityID?
  /// True where records are wanted that are far from both ends of the answer.
  private var wantsWhole = false
  /// True where the last record is wanted, once it is known which that is.
  private var wantsEnd = false

  /// What is wrong with the line, and where.
  struct Complaint: Equatable {
    var text: String
    var range: Range<Int>
  }

  private struct Read: Equatable {
    var text: String
    /// Nil where the line is no query.
    var query: Query?
    /// True where somebody typed it, who looks for it at the top.
    var startsOver: Bool
  }

  private struct Answered: Equatable {
    var question: BrowseQuestion
    var isFinal: Bool
  }

  /// How many rows are kept around those in view.
  private static let margin = 48

  init(realm: BrowseState.Realm) {
    self.realm = realm
    query = Query(entity: realm.entity)
  }

  /// The record at a place of the answer, where that is near the view.
  func row(at place: Int) -> BrowseRow? {
    let index = place - windowStart
    return window.indices.contains(index) ? window[index] : nil
  }

  /// Where a record stands in the answer, as far as that is known.
  func place(of id: EntityID) -> Int? { order.place(of: id) }

  /// The record at a place of the answer; nil beyond its ends, and where it is not known.
  func id(at place: Int) -> EntityID? {
    place < 0 ? nil : order.ids(at: place..<place + 1)?.first
  }

  /// How many records were found, so far at least.
  var total: Int { order.count }

  /// True where that are all.
  var isCounted: Bool { order.isCounted }

  /// True while what is shown answers an earlier line.
  var isBehind: Bool {
    guard let read, read.text == line.text else { return true }
    if let wanted = read.query { return answered?.question.query != wanted }
    return answered == nil
  }

  /// True while more is to come than what is shown.
  var isUnfinished: Bool {
    isBehind || isAwaiting || wantsEnd || wantsWhole && !order.isComplete
  }

  /// True where the chosen record is the one at its place, of an answer to the line.
  var showsChosen: Bool { !isBehind && sought == nil && chosenRow?.id == chosen }

  var chosenRow: BrowseRow? { row(at: selection) }

  // MARK: Answers

  /// Brings the answer up to date with the line and the data, as far as is known, and the rows with
  /// the view.
  ///
  /// - Parameters:
  ///   - source: What is asked.
  ///   - visible: How many records are in view.
  ///   - perLine: How many of them stand side by side.
  /// - Throws: `DatabaseError`; what is wrong with the line is noted instead.
  mutating func refresh(_ source: BrowseSource, visible: Int, perLine: Int) throws {
    if read?.text != line.text { readLine(source) }
    population = try source.population(realm)
    let wanted = read?.query ?? query
    let answer = try source.answer(wanted, isWhole: wantsWhole)
    isAwaiting = answer.map { !$0.isFinal || !$0.isNewest } ?? true
    if let answer { take(answer, visible) }
    if wantsEnd, order.isCounted {
      selection = max(0, total - 1)
      wantsEnd = false
    }
    scroll(visible: visible, perLine: perLine)
    try load(source, visible: visible)
    chosen = chosenRow?.id
  }

  private mutating func readLine(_ source: BrowseSource) {
    var new = Read(text: line.text, query: nil, startsOver: isTyping)
    do {
      new.query = try source.query(line.text, realm)
      complaint = nil
    } catch let error as QueryError {
      complaint = Complaint(
        text: ([error.message] + error.help.prefix(1)).joined(separator: ": "),
        range: error.range)
    } catch {
      complaint = Complaint(text: "\(error)", range: 0..<line.text.unicodeScalars.count)
    }
    // An answer that nobody saw is no reason to stay where it is.
    if isBehind, read?.startsOver == true { new.startsOver = true }
    read = new
  }

  private mutating func take(_ answer: BrowseAnswer, _ visible: Int) {
    let new = Answered(question: answer.question, isFinal: answer.isFinal)
    if new == answered, answer.isFinal { return }
    let isOther = answer.question.query != query
    let startsOver =
      isOther && (read?.startsOver == true || answer.question.query.order != query.order)
    if !answer.isFinal, !isUseful(answer, startsOver: startsOver, visible) { return }
    // A list that grows keeps what it has.
    if isOther || answered?.question.version != answer.question.version { window = [] }
    order = answer.order
    query = answer.question.query
    answered = new
    if startsOver {
      // What somebody types or sorts by is looked for at the top.
      selection = 0
      chosen = nil
      sought = nil
      wantsWhole = false
      wantsEnd = false
    }
    find(isOther: isOther, isNewest: answer.isNewest)
  }

  /// True where a part of an answer shows as much as the answer before it.
  private func isUseful(_ answer: BrowseAnswer, startsOver: Bool, _ visible: Int) -> Bool {
    if answer.order.count == 0 { return false }
    if answered?.question == answer.question { return true }
    // A newer commit replaces what is shown at once, and not bit by bit.
    if answered?.question.query == answer.question.query { return false }
    guard answer.order.ids(at: 0..<visible) != nil else { return false }
    guard !startsOver, let chosen = sought ?? chosen else { return true }
    return answer.order.place(of: chosen) != nil
  }

  /// Looks where the chosen record is now.
  private mutating func find(isOther: Bool, isNewest: Bool) {
    selection = min(selection, max(0, total - 1))
    guard let chosen = sought ?? chosen, total > 0 else { return }
    if let place = order.place(of: chosen) {
      selection = place
      sought = nil
    } else if order.isComplete {
      if isOther { selection = 0 }
      // One who has just come is not in an answer from before.
      if isNewest { sought = nil }
    } else {
      sought = chosen
      wantsWhole = true
    }
  }

  private mutating func load(_ source: BrowseSource, visible: Int) throws {
    let end = min(total, top + visible)
    if top >= windowStart, end <= windowStart + window.count, !window.isEmpty || total == 0 {
      return
    }
    var places = max(0, top - Self.margin)..<min(total, end + Self.margin)
    if order.ids(at: places) == nil { places = top..<max(top, end) }
    guard let ids = order.ids(at: places) else {
      wantsWhole = true
      window = []
      return
    }
    windowStart = places.lowerBound
    window = try source.rows(query, ids, realm)
  }

  private mutating func scroll(visible: Int, perLine: Int) {
    let perLine = max(1, perLine)
    let lines = max(1, visible / perLine)
    let line = selection / perLine
    var first = top / perLine
    if line < first { first = line }
    if line >= first + lines { first = line - lines + 1 }
    let last = max(0, (total + perLine - 1) / perLine - lines)
    top = min(first, last) * perLine
  }

  // MARK: Moving

  mutating func select(_ place: Int) {
    selection = max(0, min(place, total - 1))
    sought = nil
    wantsEnd = false
    if !order.isComplete { wantsWhole = true }
  }

  /// Chooses the last record; later, where it is not known yet which that is.
  mutating func selectLast() {
    select(total - 1)
    wantsEnd = !order.isCounted
  }

  /// Asks anew before the next drawing.
  mutating func forgetAnswer() {
    read = nil
    answered = nil
  }

  /// Chooses a record by its number, wherever in the answer it is.
  mutating func choose(_ id: EntityID) {
    sought = id
    answered = nil
  }

  mutating func move(by count: Int) { select(selection + count) }

}

extension BrowseList {
  /// Replaces the query line, as the screens for types and sorting do.
  mutating func setLine(_ text: String) {
    // What is left as it was is still what somebody typed.
    if text != line.text { isWritten = true }
    line = TypedLine(text)
  }

  /// Changes the query line by a key.
  ///
  /// Who goes on behind what he did not type himself means another word.
  mutating func type(_ key: ScreenKey) {
    if isWritten, line.position == line.characters.count { setOff(key) }
    let before = line.characters
    _ = line.handle(key)
    if line.characters != before { isWritten = false }
  }

  /// Puts a blank at the cursor, where a key would go on with the word before it.
  mutating func setOff(_ key: ScreenKey) {
    let next: Character? =
      switch key {
      case .character(let character): character
      case .pasted(let text): text.first
      default: nil
      }
    guard let next, !next.isWhitespace, !":<>=!,/)".contains(next),
      let last = line.characters.prefix(line.position).last, !last.isWhitespace
    else { return }
    _ = line.handle(.character(" "))
  }
}

/// A record as a list shows it.
struct BrowseRow: Equatable {
  var id: EntityID
  var name: String
  /// The name in another language by which the record was found.
  var foundName: String?
  /// The types of a Pokémon.
  var types: [String] = []
  /// The numbers of an adventurer.
  var adventurer: Numbers?
  /// What the list is sorted by.
  var sortValue: String?

  /// What a table of adventurers shows.
  struct Numbers: Equatable {
    var profession: String
    var level: Int
    var hitPoints: Int
    var totalHitPoints: Int
    /// Parts of 1/256.
    var multiplier: Int
    var wins: Int
    var losses: Int
  }
}
