/// The figures of all rounds of one engine.
struct Figures {
  let engine: String
  var all: [Double] = []

  var middle: Double { median(all) }

  /// The distance between the best and the worst round, as a share of the median.
  var spread: Double { ((all.max() ?? 0) - (all.min() ?? 0)) / middle }
}

/// The middle of `figures`, of which there is at least one.
func median(_ figures: [Double]) -> Double {
  let sorted = figures.sorted()
  let upper = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2
}

/// What came out of a row, for people and for programs.
struct RowResult {
  let row: Row
  let figures: [Figures]

  private var ours: Figures? { figures.first { $0.engine == "ours" } }
  private var peers: [Figures] { figures.filter { $0.engine != "ours" } }

  /// How many times better `ours` is, also where a lower figure is better.
  private func ratio(_ ours: Figures, to peer: Figures) -> Double {
    row.better == .higher ? ours.middle / peer.middle : peer.middle / ours.middle
  }

  /// One line for each peer; without an engine of our own, its figures are nil.
  func lines(rowCount: Int) -> [ResultLine] {
    peers.map { peer in
      ResultLine(
        row: row.name, ours: ours?.middle, peer: peer.engine, theirs: peer.middle,
        ratio: ours.map { ratio($0, to: peer) }, unit: row.unit,
        target: row.target(beside: peer.engine), oursSpread: ours?.spread,
        theirsSpread: peer.spread, rowCount: rowCount)
    }
  }

  /// A line with medians, spreads and ratios, and one that says what they mean.
  var text: String {
    var line = row.name.padded(to: 28) + row.unit.padded(to: 11)
    for figures in figures {
      let spread = figures.all.count > 1 ? " ±\(Int((figures.spread * 50).rounded()))%" : ""
      line += "\(figures.engine) \(short(figures.middle))\(spread)".padded(to: 23)
    }
    if let ours {
      line += peers.map { "× \($0.engine) \(short(ratio(ours, to: $0)))" }.joined(separator: "  ")
    }
    return "\(line)\n  \(row.note)"
  }
}

/// The figure with three or four digits and, if it is large, a letter.
func short(_ figure: Double) -> String {
  switch figure {
  case 1e6...: decimal(figure / 1e6) + "M"
  case 1e4...: decimal(figure / 1e3) + "k"
  default: decimal(figure)
  }
}

private func decimal(_ figure: Double) -> String {
  if figure >= 100 { return "\(Int(figure.rounded()))" }
  let scale: Double = figure >= 10 ? 10 : 100
  let text = "\((figure * scale).rounded() / scale)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
