import Entities
import PageStore
import Terminal

/// A report for people at a terminal.
struct ReportText {
  let report: QuestReport
  let styling: Styling
  private let columns: Int

  /// The text of `report`, `columns` wide at most.
  init(report: QuestReport, styling: Styling, columns: Int) {
    self.report = report
    self.styling = styling
    self.columns = max(30, columns)
  }

  private static let histogramRows = 12

  func text() -> String {
    var text = wrapped(report.headline, styling.bold)
    // All together are told of where they are not the same as one.
    if report.parts.count > 1 {
      text += "\n" + styling.bold("All together") + "\n" + section(report.total)
    }
    for part in report.parts {
      let name = TerminalText.escaped(part.name)
      text += "\n" + wrapped("\(name), adventurer \(part.adventurer)", styling.bold)
      text += section(part.statistics) + examples(part)
    }
    return text
  }

  /// `text` in lines that the screen holds.
  private func wrapped(
    _ text: String, indent: Int = 0, _ style: (String) -> String = { $0 }
  ) -> String {
    let margin = String(repeating: " ", count: indent)
    return CommandHelp.lines(of: text, columns: columns - indent)
      .map { margin + style($0) + "\n" }.joined()
  }

  private func section(_ statistics: QuestStatistics) -> String {
    if statistics.count == 0 { return "no quest is done yet\n" }
    return outcomes(statistics) + "\n" + table(statistics) + "\n"
      + histogram(ReportMeasure("kills", "Kills", statistics.kills))
      + histogram(ReportMeasure("damage_done", "Damage done", statistics.dealt)) + curve(statistics)
  }

  private func outcomes(_ statistics: QuestStatistics) -> String {
    let counts =
      "\(statistics.count.counted("quest")): \(statistics.wins) won, "
      + "\(statistics.falls.counted("fall")), "
      + "\(statistics.timeouts) out of time"
    // Without a goal nobody can win, and a rate of wins says nothing.
    guard report.run.settings.goal != nil, let (rate, low, high) = statistics.winRate else {
      return wrapped(counts)
    }
    var line = "win rate \(ReportNumber.percent(rate)), "
    if statistics.wins == 0 {
      line += "at most \(ReportNumber.percent(high)) (Wilson, 95%): none was seen"
    } else {
      line +=
        "from \(ReportNumber.percent(low)) to \(ReportNumber.percent(high)) (Wilson, 95%)"
    }
    return wrapped(counts) + wrapped(line, styling.bold)
  }

  /// Means and percentiles, a line for each measure.
  private func table(_ statistics: QuestStatistics) -> String {
    let head = ["", "mean", "+-95%"] + ReportMeasure.percentiles.map(\.1)
    let rows = statistics.measures.map { measure in
      [
        measure.title, measure.mean.map { ReportNumber.short($0) } ?? "-",
        measure.meanError.map { ReportNumber.short($0) } ?? "-",
      ] + ReportMeasure.percentiles.map { measure.percentileText($0.0) }
    }
    let widths = head.indices.map { place in
      ([head] + rows).map { $0[place].count }.max() ?? 0
    }
    return blocks(of: widths).map { block in
      let line = { (cells: [String]) in
        ([0] + block).map { place in
          DisplayWidth.padded(cells[place], to: widths[place], isRightAligned: place > 0)
        }.joined(separator: "  ") + "\n"
      }
      return styling.faint(String(line(head).dropLast())) + "\n" + rows.map(line).joined()
    }.joined(separator: "\n")
  }

  /// The columns of a table in blocks, each of which the screen holds beside the first column.
  private func blocks(of widths: [Int]) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var start = 1
    var used = widths[0]
    for place in 1..<widths.count {
      if used + 2 + widths[place] > columns, place > start {
        blocks.append(start..<place)
        start = place
        used = widths[0]
      }
      used += 2 + widths[place]
    }
    return blocks + [start..<widths.count]
  }

  private func histogram(_ measure: ReportMeasure) -> String {
    let columns = measure.columns(most: Self.histogramRows)
    guard let most = columns.map(\.count).max(), most > 0 else { return "" }
    let labels = columns.map { measure.text($0) }
    let width = labels.map(\.count).max() ?? 0
    let countWidth = "\(most)".count
    let room = max(8, min(60, self.columns - width - countWidth - 6))
    var text = styling.faint(measure.title) + "\n"
    for (label, column) in zip(labels, columns) {
      let bar = Bar.text(
        Int(clamping: column.count), of: Int(clamping: most), columns: room,
        isASCII: styling.isASCII)
      text += "  " + DisplayWidth.padded(label, to: width, isRightAligned: true)
      text += "  " + DisplayWidth.padded("\(column.count)", to: countWidth, isRightAligned: true)
      text += "  " + styling.colored(bar, Styling.Color(96, 156, 222)) + "\n"
    }
    return text + "\n"
  }

  /// How levels went on from the first quests to the last; where they were kept.
  private func curve(_ statistics: QuestStatistics) -> String {
    if report.run.mode != .campaign { return "" }
    let levels = statistics.curve.meanLevels
    guard let least = levels.min(), let most = levels.max(), levels.count > 1 else { return "" }
    let marks = styling.isASCII ? Array(".:-=+*#@") : Array("▁▂▃▄▅▆▇█")
    let line = levels.map { level in
      marks[most > least ? Int((level - least) / (most - least) * 7) : 0]
    }
    let first = ReportNumber.short(levels[0])
    let title = "Level, from the first quests to the last:"
    let end = " " + ReportNumber.short(levels[levels.count - 1])
    let color = Styling.Color(112, 190, 90)
    if title.count + 1 + first.count + 1 + line.count + end.count <= columns {
      return "\(title) \(first) " + styling.colored(String(line), color) + end + "\n\n"
    }
    var text = wrapped(title) + "  \(first)\n"
    var rest = line[...]
    while !rest.isEmpty {
      text += "  " + styling.colored(String(rest.prefix(columns - 2)), color) + "\n"
      rest = rest.dropFirst(columns - 2)
    }
    return text + " " + end + "\n\n"
  }

  private func examples(_ part: QuestReport.Part) -> String {
    report.examples(part).map { example in
      // The command is never cut, so that it can be copied.
      DisplayWidth.padded(example.name, to: 7)
        + wrapped(example.text, indent: 7).dropFirst(7)
        + String(repeating: " ", count: 7 + example.command.count > columns ? 0 : 7)
        + styling.faint(example.command) + "\n"
    }.joined()
  }
}

extension QuestCurve {
  /// The mean level at the ends of quests, part by part, where there were any.
  var meanLevels: [Double] {
    parts.filter { $0.count > 0 }.map { Double($0.levels) / Double($0.count) }
  }
}
