import Entities
import PageStore
import Terminal

/// What a comparison says, for people and for programs.
struct ComparisonText {
  let comparison: QuestComparison
  let settings: QuestSettings
  let seed: UInt64
  let styling: Styling

  /// What decides: wins where there is a goal, else fallen enemies.
  private var deciding: PairedMeasure {
    settings.goal == nil ? comparison.kills : comparison.wins
  }

  /// One plain sentence.
  var sentence: String {
    let (one, other) = comparison.names
    let count = comparison.count
    let measure = deciding
    let difference = measure.difference
    let isWin = settings.goal != nil
    guard let error = measure.error else {
      return "One quest tells nothing about \(one) and \(other): give more with --quests."
    }
    if difference == 0, error == 0 {
      return "\(one) and \(other) "
        + (isWin ? "won the same ones" : "defeated as many enemies in each")
        + " of \(count.counted("quest"))."
    }
    // Wins are told of as a number of 100 quests.
    let scale: Double = isWin ? 100 : 1
    let text = { (value: Double) in ReportNumber.short(value * scale) }
    let unit = isWin ? "of 100 quests" : "enemies in a quest"
    if difference.magnitude <= error {
      return "\(count.counted("quest")) cannot tell \(one) and \(other) apart: for \(other) it is "
        + "\(text(difference - error)) to \(text(difference + error)) \(unit) more (95%)."
    }
    let (better, worse) = difference > 0 ? (other, one) : (one, other)
    let size = difference.magnitude
    return "With the same luck \(better) \(isWin ? "wins" : "defeats") \(text(size)) more \(unit) "
      + "than \(worse) (95%: from \(text(size - error)) to \(text(size + error)))."
  }

  func text() -> String {
    let (one, other) = comparison.names
    var rows = [["", one, other, "difference", "95%"]]
    if settings.goal != nil {
      rows.append(row("won", comparison.wins, ReportNumber.percent))
    }
    for measure in comparison.measures {
      let title = measure.key.replacingUnderscores
      rows.append(row(title, measure, ReportNumber.short))
    }
    let shown = rows.map { $0.map { TerminalText.escaped($0) } }
    let widths = rows[0].indices.map { place in
      shown.map { DisplayWidth.of($0[place]) }.max() ?? 0
    }
    var text =
      "\(comparison.count.counted("quest")) each, seed \(seed), the same enemies and draws\n\n"
    for (index, cells) in shown.enumerated() {
      let line = cells.enumerated().map { place, cell in
        DisplayWidth.padded(cell, to: widths[place], isRightAligned: place > 0)
      }.joined(separator: "  ")
      text += (index == 0 ? styling.faint(line) : line) + "\n"
    }
    text += "\n" + styling.bold(TerminalText.escaped(sentence)) + "\n"
    if let saving = deciding.saving, saving >= 1.1 {
      text +=
        styling.faint(
          "Without the same luck it would take \(ReportNumber.short(saving)) times as many quests.")
        + "\n"
    }
    return text
  }

  private func row(
    _ title: String, _ measure: PairedMeasure, _ text: (Double) -> String
  ) -> [String] {
    let (one, other) = measure.means
    let difference = measure.difference
    let range = measure.error.map { "\(text(difference - $0)) to \(text(difference + $0))" }
    return [
      title, text(one), text(other), (difference > 0 ? "+" : "") + text(difference), range ?? "-",
    ]
  }

  func json() -> String {
    let quoted = { (text: String) in JSONText.quoted(text) }
    var members = [
      "\"quests\":\(comparison.count)", "\"seed\":\(seed)",
      "\"one\":\(quoted(comparison.names.0))", "\"other\":\(quoted(comparison.names.1))",
      "\"sentence\":\(quoted(sentence))",
    ]
    let measures = (settings.goal == nil ? [] : [comparison.wins]) + comparison.measures
    for measure in measures {
      let (one, other) = measure.means
      let difference = measure.difference
      let bounds = measure.error.map { (difference - $0, difference + $0) }
      members.append(
        "\(quoted(measure.key)):{\"one\":\(one),\"other\":\(other),\"difference\":\(difference),"
          + "\"low\":\(bounds.map { "\($0.0)" } ?? "null"),"
          + "\"high\":\(bounds.map { "\($0.1)" } ?? "null")}")
    }
    return "{" + members.joined(separator: ",") + "}\n"
  }
}

extension String {
  fileprivate var replacingUnderscores: String {
    String(map { $0 == "_" ? " " : $0 })
  }
}
