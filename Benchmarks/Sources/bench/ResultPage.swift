/// Results as one page that needs nothing else: charts, tables, circumstances and method.
struct ResultPage {
  let lines: [ResultLine]
  let circumstances: Circumstances

  var text: String {
    let judged = lines.filter { $0.isReached != nil }
    let numbers = EngineNumbers(lines)
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Measured beside its peers</title>
      <style>
      \(PageStyle.text)
      </style>
      </head>
      <body>
      <h1>Measured beside its peers</h1>
      <p>\(circumstances.date.escaped), on \(circumstances.machine.escaped).
      \(circumstances.software.escaped).</p>
      <p>All figures are ratios of medians, measured in one run, round by round, each engine in turn.
      <strong>Above 1, this store is better</strong>, whatever the unit.</p>

      """
    if !judged.isEmpty { text += targets(judged) }
    text += overview(numbers)
    text += growth(numbers)
    text += "<h2>All figures</h2>\n" + table
    return text + PageStyle.method + "</body>\n</html>\n"
  }

  private func targets(_ judged: [ResultLine]) -> String {
    let reached = judged.count { $0.isReached == true }
    return """
      <h2>Targets</h2>
      <p>\(reached) of \(judged.count) reached. A bar begins at 1 and ends at the ratio; the thick
      mark is the target.</p>
      \(RatioChart().bars(judged))
      """
  }

  private func overview(_ numbers: EngineNumbers) -> String {
    let once = lines.filter { !$0.isOfGrowth && $0.ratio != nil }
    if once.isEmpty { return "" }
    return """
      <h2>Every row beside every peer</h2>
      \(numbers.legend(once.map(\.peer)))\(RatioChart().dots(once, peers: numbers))
      """
  }

  private func growth(_ numbers: EngineNumbers) -> String {
    let grown = lines.filter(\.isOfGrowth)
    var rows: [String] = []
    for line in grown where !rows.contains(line.row) { rows.append(line.row) }
    if rows.isEmpty { return "" }
    var text = """
      <h2>How cost grows</h2>
      <p>Figures by the number of rows, both axes logarithmic.</p>
      \(numbers.legend(["ours"] + grown.map(\.peer)))<div class="charts">

      """
    for row in rows {
      let lines = grown.filter { $0.row == row }
      text += "<div>\(GrowthChart(row: row, lines: lines, numbers: numbers).picture)</div>\n"
    }
    return text + "</div>\n"
  }

  private var table: String {
    var text = """
      <table>
      <thead><tr><th>row</th><th>rows</th><th>unit</th><th>ours</th><th>peer</th><th>theirs</th>
      <th>ratio</th><th>target</th></tr></thead>
      <tbody>

      """
    var last: ResultLine?
    for line in lines {
      let isNew = last?.row != line.row || last?.rowCount != line.rowCount
      last = line
      let ours = line.ours.map { short($0) + spread(line.oursSpread) } ?? "–"
      let target = line.target.map { "\(short($0))\(line.isReached == true ? " ✓" : " ✗")" } ?? ""
      text += isNew ? #"<tr class="new">"# : "<tr>"
      for cell in [
        isNew ? line.row : "", isNew ? short(Double(line.rowCount)) : "", line.unit,
        isNew ? ours : "", line.peer, short(line.theirs) + spread(line.theirsSpread),
        line.ratio.map(short) ?? "–", target,
      ] {
        text += "<td>\(cell.escaped)</td>"
      }
      text += "</tr>\n"
    }
    return text + "</tbody>\n</table>\n"
  }

  private func spread(_ spread: Double?) -> String {
    guard let spread, spread > 0 else { return "" }
    return " ±\(Int((spread * 50).rounded()))%"
  }
}
