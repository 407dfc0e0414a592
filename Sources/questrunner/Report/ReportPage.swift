import Entities
import PageStore
import Terminal

/// A report as one page of HTML that needs nothing else, for light and dark screens and paper.
struct ReportPage {
  let report: QuestReport

  /// More adventurers are only lines of the table.
  private static let mostSections = 50

  private static let start = "<!DOCTYPE html>\n"
  static let fileKind = OwnFileKind("page of HTML", start: Array(start.utf8))

  func html() -> String {
    let title = "Run \(report.id)"
    var body = "<header><h1>\(title)</h1><p>\(escaped(report.headline))</p></header>\n<main>\n"
    if report.parts.count > 1 {
      body += section("All together", "all", report.total, nil) + overview()
    }
    for part in report.parts.prefix(Self.mostSections) {
      body += section(
        "\(part.name), adventurer \(part.adventurer)", "a\(part.adventurer)", part.statistics, part)
    }
    if report.parts.count > Self.mostSections {
      body += "<p>The table has all \(report.parts.count) adventurers; "
      body += "only the first \(Self.mostSections) are told of one by one.</p>\n"
    }
    body +=
      "</main>\n<footer><p>Intervals are of 95%: Wilson's for rates, the normal one for means. "
    body += "Numbers with ~ are known to a thirty-second part.</p></footer>\n"
    return Self.start + """
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      \(body)</body>
      </html>

      """
  }

  private func escaped(_ text: String) -> String { ReportChart.escaped(text) }

  private func section(
    _ title: String, _ id: String, _ statistics: QuestStatistics, _ part: QuestReport.Part?
  ) -> String {
    var html = "<section id=\"\(id)\" aria-labelledby=\"\(id)-title\">\n"
    html += "<h2 id=\"\(id)-title\">\(escaped(title))</h2>\n"
    if statistics.count == 0 { return html + "<p>No quest is done yet.</p>\n</section>\n" }
    html += outcomes(statistics) + table(statistics) + "<div class=\"charts\">\n"
    for measure in statistics.measures where measure.key != "experience" {
      html += figure(ReportChart.histogram(measure), "Quests by \(measure.title.lowercased())")
    }
    if report.run.mode == .campaign {
      html += figure(ReportChart.curve(statistics.curve), "Mean level in the course of the run")
    }
    html += "</div>\n"
    if let part { html += examples(part) }
    return html + "</section>\n"
  }

  private func figure(_ svg: String, _ caption: String) -> String {
    svg.isEmpty ? "" : "<figure>\n\(svg)<figcaption>\(escaped(caption))</figcaption></figure>\n"
  }

  private func outcomes(_ statistics: QuestStatistics) -> String {
    var html = "<p>\(statistics.count.counted("quest")): \(statistics.wins) won, "
    html += "\(statistics.falls.counted("fall")), "
    html += "\(statistics.timeouts) out of time.</p>\n"
    guard report.run.settings.goal != nil, let (rate, low, high) = statistics.winRate else {
      return html
    }
    html += "<p class=\"rate\"><strong>\(ReportNumber.percent(rate))</strong> won"
    html +=
      statistics.wins == 0
      ? ", at most \(ReportNumber.percent(high)): none was seen</p>\n"
      : ", from \(ReportNumber.percent(low)) to \(ReportNumber.percent(high))</p>\n"
    return html + ReportChart.rate(rate, low, high)
  }

  private func table(_ statistics: QuestStatistics) -> String {
    let head = ["mean", "± 95%"] + ReportMeasure.percentiles.map(\.1)
    var html = "<div class=\"wide\"><table>\n<caption>Means and percentiles</caption>\n<thead><tr>"
    html += "<td></td>" + head.map { "<th scope=\"col\">\($0)</th>" }.joined() + "</tr></thead>\n"
    html += "<tbody>\n"
    for measure in statistics.measures {
      let cells =
        [
          measure.mean.map { ReportNumber.short($0) } ?? "–",
          measure.meanError.map { ReportNumber.short($0) } ?? "–",
        ] + ReportMeasure.percentiles.map { measure.percentileText($0.0) }
      html += "<tr><th scope=\"row\">\(measure.title)</th>"
      html += cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }
    return html + "</tbody></table></div>\n"
  }

  /// All adventurers, a line each.
  private func overview() -> String {
    var html = "<section aria-labelledby=\"overview\"><h2 id=\"overview\">Adventurers</h2>\n"
    html += "<div class=\"wide\"><table><thead><tr>"
    for title in ["adventurer", "quests", "won", "falls", "kills", "level", "best"] {
      html += "<th scope=\"col\">\(title)</th>"
    }
    html += "</tr></thead>\n<tbody>\n"
    for part in report.parts {
      let statistics = part.statistics
      let best = report.examples(part).first { $0.name == "best" }
      let cells = [
        "\(statistics.count)", "\(statistics.wins)", "\(statistics.falls)",
        statistics.kills.mean.map { ReportNumber.short($0) } ?? "–",
        statistics.level.mean.map { ReportNumber.short($0) } ?? "–",
        best.map { $0.result.kills.counted("kill") } ?? "–",
      ]
      html += "<tr><th scope=\"row\">\(escaped(part.name))</th>"
      html += cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }
    return html + "</tbody></table></div></section>\n"
  }

  private func examples(_ part: QuestReport.Part) -> String {
    var html = "<dl>\n"
    for example in report.examples(part) {
      html += "<div><dt>\(example.name) quest</dt><dd>\(escaped(example.text))<br>"
      html += "<code>\(escaped(example.command))</code></dd></div>\n"
    }
    return html + "</dl>\n"
  }

  // Contrasts are at least 4.5 to 1 for text and 3 to 1 for what is drawn, in both schemes.
  private static let style = """
    :root { --ink: #1c1c22; --paper: #ffffff; --quiet: #5b5b66; --grid: #dcdce2; --bar: #2f6fb0;
      --line: #2d7d3a; --range: #9cc3e8; --mark: #b03a2e; }
    @media screen and (prefers-color-scheme: dark) { :root { --ink: #e8e8ee; --paper: #17171c;
      --quiet: #a0a0ac; --grid: #33333c; --bar: #62a0dd; --line: #74c274; --range: #35618c;
      --mark: #f08a7c; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 72rem; padding: 1rem 1.5rem; color: var(--ink);
      background: var(--paper); font: 1rem/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.7rem; margin: 0.5rem 0 0; } h2 { font-size: 1.3rem; margin: 2rem 0 0.3rem; }
    header p, footer p, figcaption, caption { color: var(--quiet); }
    .rate strong { font-size: 1.6rem; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0.6rem 0; }
    caption { text-align: left; }
    th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid var(--grid); text-align: right; }
    th[scope=row] { text-align: left; font-weight: 500; }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1rem; }
    figure { margin: 0; break-inside: avoid; }
    svg { width: 100%; max-width: 44rem; height: auto; display: block; }
    svg text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
    .bar { fill: var(--bar); } .grid { stroke: var(--grid); } .axis { stroke: var(--quiet); }
    .line { fill: none; stroke: var(--line); stroke-width: 2.5; stroke-linejoin: round; }
    .track { fill: var(--grid); } .range { fill: var(--range); }
    .mark { stroke: var(--mark); stroke-width: 3; }
    dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 0.8rem; }
    dt { font-weight: 600; text-transform: capitalize; } dd { margin: 0; }
    code { font-size: 0.9rem; overflow-wrap: anywhere; }
    @media print { body { max-width: none; padding: 0; font-size: 10pt; }
      section { break-inside: auto; } h2 { break-after: avoid; } tr, dl div { break-inside: avoid; }
      .charts { grid-template-columns: 1fr 1fr; }
      .bar, .range, .track, .line, .mark { print-color-adjust: exact; } }
    """
}
