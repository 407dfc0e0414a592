/// Charts of ratios on one logarithmic axis, with a line where both are equal.
struct RatioChart {
  private static let width = 860
  private static let labelWidth = 290.0
  private static let rowHeight = 20.0
  private static let top = 26.0

  private let axis = LogAxis(from: 0.1, through: 100, from: labelWidth + 10, to: 770)

  /// A bar for each line that has a target, and a mark where the target is.
  func bars(_ lines: [ResultLine]) -> String {
    let height = Self.top + Double(lines.count) * Self.rowHeight + 8
    var body = frame(height)
    for (place, line) in lines.enumerated() {
      guard let ratio = line.ratio, let target = line.target else { continue }
      let y = Self.top + (Double(place) + 0.5) * Self.rowHeight
      let one = axis.position(1)
      let x = axis.position(ratio)
      let reached = ratio >= target
      body += SVG.text(
        Self.labelWidth, y + 4, "label end", "\(line.row) × \(line.peer)")
      body +=
        #"<rect class="\#(reached ? "reached" : "missed")" x="\#(min(x, one))" y="\#(y - 6)" "#
        + #"width="\#(max(abs(x - one), 1))" height="12"/>"# + "\n"
      let mark = axis.position(target)
      body += SVG.line(mark, y - 9, mark, y + 9, "target")
      let text = "\(short(ratio))\(reached ? "" : " of \(short(target))")"
      body += SVG.text(max(x, mark, one) + 6, y + 4, "value", text)
    }
    return SVG.picture(
      width: Self.width, height: Int(height), title: "Ratios beside targets", body)
  }

  /// A line for each row, with the mark of each peer where its ratio is.
  func dots(_ lines: [ResultLine], peers: EngineNumbers) -> String {
    var rows: [String] = []
    for line in lines where !rows.contains(line.row) { rows.append(line.row) }
    let height = Self.top + Double(rows.count) * Self.rowHeight + 8
    var body = frame(height)
    for (place, row) in rows.enumerated() {
      let y = Self.top + (Double(place) + 0.5) * Self.rowHeight
      body += SVG.text(Self.labelWidth, y + 4, "label end", row)
      body += SVG.line(axis.start, y, axis.end, y, "grid")
      var beyond: [Double] = []
      for line in lines where line.row == row {
        guard let ratio = line.ratio else { continue }
        body += SVG.mark(peers.number(of: line.peer), axis.position(ratio), y)
        if !axis.isWithin(ratio) { beyond.append(ratio) }
      }
      for side in [beyond.filter { $0 < 1 }, beyond.filter { $0 > 1 }] where !side.isEmpty {
        let text = side.map(short).joined(separator: ", ")
        body += SVG.text(axis.position(side[0]) + 8, y + 4, "value", text)
      }
    }
    return SVG.picture(width: Self.width, height: Int(height), title: "Ratios of all rows", body)
  }

  private func frame(_ height: Double) -> String {
    var body = ""
    for tick in axis.ticks {
      let x = axis.position(tick)
      body += SVG.line(x, Self.top - 4, x, height - 4, tick == 1 ? "one" : "grid")
      body += SVG.text(x, Self.top - 10, "tick middle", short(tick))
    }
    return body
  }
}

/// The number by which each engine is drawn, the same in all charts.
struct EngineNumbers {
  private var names = ["ours", "lmdb", "sqlite", "rocksdb", "leveldb"]

  init(_ lines: [ResultLine]) {
    for line in lines where !names.contains(line.peer) { names.append(line.peer) }
  }

  func number(of name: String) -> Int { names.firstIndex(of: name) ?? 0 }

  /// The marks of those that are there, with their names.
  func legend(_ shown: [String]) -> String {
    var text = #"<p class="legend">"#
    for name in names where shown.contains(name) {
      let number = number(of: name)
      text +=
        #"<span><svg class="key" viewBox="0 0 12 12">\#(SVG.mark(number, 6, 6))</svg> "#
        + "\(name.escaped)</span>\n"
    }
    return text + "</p>\n"
  }
}
