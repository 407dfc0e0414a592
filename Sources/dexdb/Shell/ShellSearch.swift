import Entities
import PageStore
import Terminal

extension CommandContext {
  /// Writes the answer to a query; in the shell no more rows than the screen holds.
  func write(
    _ query: Query, _ reading: QueryReading, _ output: RowOutput, of snapshot: DatabaseSnapshot
  ) throws {
    if session?.isExplained == true {
      for line in try snapshot.explain(query) { note("  " + line) }
    }
    guard let session, let limit = session.rowLimit, outputIsTerminal, !output.format.isForMachines,
      query.groups.isEmpty, query.limit == nil
    else {
      let result = try snapshot.find(query)
      output.write(result) { reading.title($0, of: query.entity) }
      try noteCount(result.rows.count, query, reading, snapshot)
      return
    }
    var shown = query
    shown.limit = limit + 1
    var result = try snapshot.find(shown)
    if result.rows.count <= limit {
      session.hidden = nil
      output.write(result) { reading.title($0, of: query.entity) }
      try noteCount(result.rows.count, query, reading, snapshot)
      return
    }
    result.rows.removeLast()
    output.write(result) { reading.title($0, of: query.entity) }
    session.hidden = (query, limit, reading)
    let count =
      try snapshot.count(query.entity, where: query.filter, language: query.language)
      - query.offset
    afterwards = "\(limit) of \(count) rows; .last shows the others" + leftOutWords
  }

  private func noteCount(
    _ count: Int, _ query: Query, _ reading: QueryReading, _ snapshot: DatabaseSnapshot
  ) throws {
    if outputIsTerminal { afterwards = count.counted("row") + leftOutWords }
    guard count == 0 else { return }
    for words in query.filter.searchedNames
    where try snapshot.count(query.entity, where: words.filter, language: query.language) == 0 {
      let lookup = RecordLookup(snapshot: snapshot, reading: reading)
      if let near = try lookup.nearest(words.text, [query.entity]) {
        afterwards = (outputIsTerminal ? "0 rows; " : "") + "did you mean \(near)?"
        return
      }
    }
  }

  private var leftOutWords: String {
    leftOut.isEmpty ? "" : "; no room for \(leftOut.joined(separator: ", ")): show: chooses columns"
  }
}

extension Filter {
  /// What a matching record must be called, as far as the filter says so by a start of words.
  fileprivate var searchedNames: [(filter: Filter, text: String)] {
    switch self {
    case .words(FieldPath("name"), let words, _): [(self, words.joined(separator: " "))]
    case .all(let filters): filters.flatMap(\.searchedNames)
    default: []
    }
  }
}
