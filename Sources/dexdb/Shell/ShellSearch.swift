import Entities
import Terminal

extension CommandContext {
  /// Writes the answer to a query; in the shell no more rows than the screen holds.
  func write(
    _ query: Query, _ reading: QueryReading, _ output: RowOutput, of snapshot: DatabaseSnapshot
  ) throws {
    if session?.isExplained == true {
      for line in try snapshot.explain(query) { note("  " + line) }
    }
    guard let session, let limit = session.rowLimit, !output.format.isForMachines,
      query.groups.isEmpty, query.limit == nil
    else {
      let result = try snapshot.find(query)
      output.write(result) { reading.title($0, of: query.entity) }
      noteCount(result.rows.count)
      return
    }
    var shown = query
    shown.limit = limit + 1
    var result = try snapshot.find(shown)
    if result.rows.count <= limit {
      session.hidden = nil
      output.write(result) { reading.title($0, of: query.entity) }
      noteCount(result.rows.count)
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

  private func noteCount(_ count: Int) {
    if outputIsTerminal { afterwards = "\(count) \(count == 1 ? "row" : "rows")" + leftOutWords }
  }

  private var leftOutWords: String {
    leftOut.isEmpty ? "" : "; no room for \(leftOut.joined(separator: ", ")): show: chooses columns"
  }
}
