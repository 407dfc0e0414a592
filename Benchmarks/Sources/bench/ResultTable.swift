/// Results as tables, for terminals and documents: a line for each row, all its peers in it.
enum ResultTable {
  /// The ratios beside all peers; what reaches its target is marked, and what does not.
  static func text(_ lines: [ResultLine]) -> String {
    var text = "\n"
    for (row, lines) in byRow(lines) {
      text += row.padded(to: 28)
      for line in lines {
        var cell = "\(line.peer) \(line.ratio.map(short) ?? "-")"
        if let target = line.target {
          cell += line.isReached == true ? " ✓" : " ✗"
          cell += short(target)
        }
        text += cell.padded(to: 20)
      }
      text += "\n"
    }
    let judged = lines.compactMap(\.isReached)
    text += "\(judged.count { $0 }) of \(judged.count) targets reached"
    return text
  }

  /// A table in Markdown, with the circumstances before it.
  static func markdown(_ lines: [ResultLine], _ circumstances: Circumstances) -> String {
    var text = """
      Measured \(circumstances.date) on \(circumstances.machine); \(circumstances.software).

      | row | rows | unit | ours | peers | ratio | target |
      | --- | --- | --- | --- | --- | --- | --- |

      """
    for (row, lines) in byRow(lines) {
      guard let first = lines.first else { continue }
      let peers = lines.map { "\($0.peer) \(short($0.theirs))\(spread($0.theirsSpread))" }
      let ratios = lines.map { $0.ratio.map(short) ?? "-" }
      let targets = lines.compactMap { line in
        line.target.map {
          "\(short($0)) × \(line.peer)\(line.isReached == true ? "" : ", not reached")"
        }
      }
      let ours = first.ours.map { short($0) + spread(first.oursSpread) } ?? "-"
      text += "| \(row) | \(short(Double(first.rowCount))) | \(first.unit) | \(ours) | "
      text += "\(peers.joined(separator: ", ")) | \(ratios.joined(separator: ", ")) | "
      text += "\(targets.joined(separator: ", ")) |\n"
    }
    let judged = lines.compactMap(\.isReached)
    return text + "\nTargets reached: \(judged.count { $0 }) of \(judged.count).\n"
  }

  private static let begin = "<!-- results -->"
  private static let end = "<!-- end of results -->"

  /// Replaces what stands between the two marks in the document at `path`.
  static func replace(in path: String, with table: String) throws {
    let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.firstIndex(of: Substring(begin)),
      let last = lines.firstIndex(of: Substring(end)), first < last
    else { throw BenchError("\(path) has no lines \(begin) and \(end)") }
    let parts = lines[...first] + ["", Substring(table)] + lines[last...]
    try FileBytes.write(Array(parts.joined(separator: "\n").utf8), to: path)
  }

  private static func spread(_ spread: Double?) -> String {
    guard let spread, spread > 0 else { return "" }
    return " ±\(Int((spread * 50).rounded()))%"
  }

  /// The lines of each row and size, in their order.
  private static func byRow(_ lines: [ResultLine]) -> [(row: String, lines: [ResultLine])] {
    var groups: [(row: String, lines: [ResultLine])] = []
    for line in lines {
      if let last = groups.last, last.row == line.row, last.lines[0].rowCount == line.rowCount {
        groups[groups.count - 1].lines.append(line)
      } else {
        groups.append((line.row, [line]))
      }
    }
    return groups
  }
}

extension String {
  /// The text with spaces behind it, one at least.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
