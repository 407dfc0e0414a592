import Entities
import Terminal

/// A list of records that answer a query line: what was found, what is chosen, what is in view.
///
/// No more is kept of an answer than its count and the rows around those in view.
struct BrowseList: Equatable {
  let realm: BrowseState.Realm
  /// The query line, as it was typed.
  var line = TypedLine()
  /// True while keys go to the query line.
  var isTyping = false
  var isGrid = false
  /// True while the answer takes longer than a key waited.
  var isLate = false
  /// What is wrong with the line; the last good answer stays meanwhile.
  var complaint: Complaint?
  /// The query that is answered.
  private(set) var query: Query
  private(set) var total = 0
  /// How many records there are without a query.
  private(set) var population = 0
  /// The place of the chosen record in the answer.
  private(set) var selection = 0
  /// The record that is chosen; nil where there is none.
  private(set) var chosen: EntityID?
  /// The place of the first record in view.
  private(set) var top = 0
  private var window: [BrowseRow] = []
  private var windowStart = 0
  /// What the answer is made of; another line or commit makes it stale.
  private var answered: Answered?

  /// What is wrong with the line, and where.
  struct Complaint: Equatable {
    var text: String
    var range: Range<Int>
  }

  private struct Answered: Equatable {
    var text: String
    var version: UInt64
  }

  /// How many rows are kept around those in view.
  private static let margin = 48
  /// Up to how many records a chosen one is looked for by its number.
  private static let findable = 20_000

  init(realm: BrowseState.Realm) {
    self.realm = realm
    query = Query(entity: realm.entity)
  }

  /// The record at a place of the answer, where that is near the view.
  func row(at place: Int) -> BrowseRow? {
    let index = place - windowStart
    return window.indices.contains(index) ? window[index] : nil
  }

  /// True while what is shown answers an earlier line.
  var isBehind: Bool { answered?.text != line.text }

  /// True where the chosen record is the one at its place, of an answer to the line.
  var showsChosen: Bool { !isBehind && chosenRow?.id == chosen }

  var chosenRow: BrowseRow? { row(at: selection) }

  // MARK: Answers

  /// Brings the answer up to date with the line and the data, and the rows with the view.
  ///
  /// - Parameters:
  ///   - source: What is asked.
  ///   - visible: How many records are in view.
  ///   - perLine: How many of them stand side by side.
  /// - Throws: `DatabaseError`; what is wrong with the line is noted instead.
  mutating func refresh(_ source: BrowseSource, visible: Int, perLine: Int) throws {
    let wanted = Answered(text: line.text, version: source.version)
    if answered != wanted {
      let isFirst = answered == nil
      answered = wanted
      do {
        let read = try source.query(line.text, realm)
        let isOther = read != query
        let isResorted = read.order != query.order
        complaint = nil
        query = read
        try answer(source, isOther: isOther, startsOver: isTyping || isResorted)
      } catch let error as QueryError {
        complaint = Complaint(
          text: ([error.message] + error.help.prefix(1)).joined(separator: ": "),
          range: error.range)
        if isFirst { try answer(source, isOther: false, startsOver: false) }
      }
    }
    scroll(visible: visible, perLine: perLine)
    try load(source, visible: visible)
    chosen = chosenRow?.id
    isLate = false
  }

  private mutating func answer(
    _ source: BrowseSource, isOther: Bool, startsOver: Bool
  ) throws {
    window = []
    population = try source.population(realm)
    total = try source.count(query)
    if isOther, startsOver {
      // What somebody types or sorts by is looked for at the top.
      selection = 0
      chosen = nil
    }
    try find(source, isOther: isOther)
  }

  /// Looks where the chosen record is now.
  private mutating func find(_ source: BrowseSource, isOther: Bool) throws {
    selection = min(selection, max(0, total - 1))
    guard let chosen, total > 0 else { return }
    let near = max(0, selection - Self.margin)
    let around = try source.ids(query, offset: near, limit: 2 * Self.margin)
    if let place = around.firstIndex(of: chosen) {
      selection = near + place
    } else if total <= Self.findable {
      let place = try source.ids(query, offset: 0, limit: total).firstIndex(of: chosen)
      selection = place ?? (isOther ? 0 : selection)
    }
  }

  private mutating func load(_ source: BrowseSource, visible: Int) throws {
    let end = min(total, top + visible)
    if top >= windowStart, end <= windowStart + window.count, !window.isEmpty || total == 0 {
      return
    }
    windowStart = max(0, top - Self.margin)
    let limit = min(total, end + Self.margin) - windowStart
    window = try source.rows(query, offset: windowStart, limit: max(0, limit), realm)
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

  mutating func select(_ place: Int) { selection = max(0, min(place, total - 1)) }

  /// Asks anew before the next drawing.
  mutating func forgetAnswer() { answered = nil }

  /// Chooses a record by its number, wherever in the answer it is.
  mutating func choose(_ id: EntityID) {
    chosen = id
    answered = nil
  }

  mutating func move(by count: Int) { select(selection + count) }

  /// Replaces the query line, as the screens for types and sorting do.
  mutating func setLine(_ text: String) { line = TypedLine(text) }
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
