/// Lays rows out for people: as a table, as a table with lines, or each row as lines of its own.
package struct TablePrinter {
  private let columns: [OutputColumn]
  private let rows: [[String]]
  private let styling: Styling
  private let hasHeader: Bool

  /// A table of `rows`, each of which has a value for each of `columns`.
  package init(
    columns: [OutputColumn], rows: [[OutputValue]], styling: Styling, hasHeader: Bool = true
  ) {
    self.columns = columns.map {
      OutputColumn(TerminalText.escaped($0.name), isNumeric: $0.isNumeric)
    }
    self.styling = styling
    self.hasHeader = hasHeader
    self.rows = rows.map { $0.map { TerminalText.escaped($0.shown) } }
  }

  // Tables

  /// True where a table can be so narrow without cutting every column down to a few letters.
  package func fits(_ maximumWidth: Int) -> Bool {
    columns.count * 8 <= maximumWidth
      || widths(separator: 2, edges: 0, nil).reduce(0) { $0 + $1 + 2 } <= maximumWidth
  }

  /// How many of the first columns make a grid so narrow, with texts cut where they must be.
  package func gridColumnCount(fitting maximumWidth: Int) -> Int {
    let whole = widths(separator: 3, edges: 4, nil)
    var most = 0
    for count in stride(from: columns.count, to: 0, by: -1) {
      let widths = widths(separator: 3, edges: 4, maximumWidth, count: count)
      if widths.reduce(1, { $0 + $1 + 3 }) > maximumWidth { continue }
      most = max(most, count)
      // A few letters say less of a text than a column less would.
      if zip(widths, whole).allSatisfy({ $0 >= min($1, 8) }) { return count }
    }
    return most
  }

  /// How many of the first columns make a table so narrow without cutting any; nil where fewer than
  /// half of them would.
  package func columnCount(fitting maximumWidth: Int) -> Int? {
    var end = -2
    let count = widths(separator: 2, edges: 0, nil).prefix { width in
      end += width + 2
      return end <= maximumWidth
    }.count
    return count * 2 >= columns.count ? count : nil
  }

  /// A header, a rule and the rows, `maximumWidth` columns wide at most; nil is no limit.
  package func table(maximumWidth: Int?) -> String {
    let widths = widths(separator: 2, edges: 0, maximumWidth)
    var result = ""
    if hasHeader {
      result += line(columns.map(\.name), widths, "  ", style: styling.bold) + "\n"
      let rule = widths.map { String(repeating: styling.isASCII ? "-" : "─", count: $0) }
      result += styling.faint(rule.joined(separator: "  ")) + "\n"
    }
    for row in rows { result += line(row, widths, "  ") { $0 } + "\n" }
    return result
  }

  /// A table with lines around every cell.
  package func grid(maximumWidth: Int?) -> String {
    let widths = widths(separator: 3, edges: 4, maximumWidth)
    let marks = styling.isASCII ? ["+", "+", "+", "-", "|"] : ["┌", "├", "└", "─", "│"]
    let joints = styling.isASCII ? ["+", "+", "+"] : ["┬", "┼", "┴"]
    let ends = styling.isASCII ? ["+", "+", "+"] : ["┐", "┤", "┘"]
    let rule = { (index: Int) in
      marks[index]
        + widths.map { String(repeating: marks[3], count: $0 + 2) }.joined(separator: joints[index])
        + ends[index] + "\n"
    }
    let edge = marks[4]
    let row = { (cells: [String], style: (String) -> String) in
      "\(edge) " + line(cells, widths, " \(edge) ", isPadded: true, style: style) + " \(edge)\n"
    }
    var result = rule(0)
    if hasHeader { result += row(columns.map(\.name), styling.bold) + rule(1) }
    for cells in rows { result += row(cells) { $0 } }
    return result + rule(2)
  }

  /// A table as Markdown has it; nothing is cut.
  package func markdown() -> String {
    let escaped = { (text: String) in
      text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
    let row = { (cells: [String]) in "| " + cells.map(escaped).joined(separator: " | ") + " |\n" }
    let rules = columns.map { $0.isNumeric ? "---:" : "---" }
    return row(columns.map(\.name)) + row(rules) + rows.map(row).joined()
  }

  /// Each row as a block of lines with a name and a value; nothing is cut.
  package func lines() -> String {
    let width = columns.map { DisplayWidth.of($0.name) }.max() ?? 0
    let blocks = rows.map { row in
      zip(columns, row).map { column, cell in
        let name = DisplayWidth.padded(column.name, to: width, isRightAligned: true)
        return "\(styling.bold(name))  \(cell)\n"
      }.joined()
    }
    return blocks.joined(separator: "\n")
  }

  // Layout

  private func line(
    _ cells: [String], _ widths: [Int], _ separator: String, isPadded: Bool = false,
    style: (String) -> String
  ) -> String {
    let texts = cells.enumerated().map { index, cell in
      let text = DisplayWidth.truncated(cell, to: widths[index], ellipsis: styling.ellipsis)
      let isLast = index == cells.count - 1 && !columns[index].isNumeric && !isPadded
      if isLast { return style(text) }
      let spaces = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(text)))
      return columns[index].isNumeric ? spaces + style(text) : style(text) + spaces
    }
    return texts.joined(separator: separator)
  }

  /// The width of each column, or of the first `count`; the widest ones give way until all fit.
  private func widths(
    separator: Int, edges: Int, _ maximumWidth: Int?, count: Int = .max
  ) -> [Int] {
    var widths = columns.prefix(count).map { hasHeader ? DisplayWidth.of($0.name) : 1 }
    for row in rows {
      for (index, cell) in row.prefix(count).enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    guard let maximumWidth, !widths.isEmpty else { return widths }
    let room = maximumWidth - edges - separator * (widths.count - 1)
    var excess = widths.reduce(0, +) - room
    while excess > 0 {
      // Numbers are worth nothing when cut, so texts give way first.
      let texts = widths.indices.filter { !columns[$0].isNumeric && widths[$0] > 8 }
      let candidates = texts.isEmpty ? widths.indices.filter { widths[$0] > 4 } : texts
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      let second = candidates.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
      let cut = min(excess, max(1, widths[widest] - max(second, texts.isEmpty ? 4 : 8)))
      widths[widest] -= cut
      excess -= cut
    }
    return widths
  }
}
