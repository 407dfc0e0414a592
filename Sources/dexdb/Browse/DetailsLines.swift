import Entities
import Terminal

/// The text of a record's page, line by line, for some width.
struct DetailsLines {
  /// A piece of a line.
  enum Piece: Equatable {
    case text(String, Role)
    case badge(String)
    case bar(Int, of: Int)
    /// What follows begins at that column.
    case column(Int)
  }

  /// How a piece of text looks.
  enum Role: Equatable { case plain, bold, quiet, heading }

  struct Link: Equatable {
    var record: BrowseRecord
    var line: Int
  }

  private(set) var lines: [[Piece]] = []
  private(set) var links: [Link] = []
  private let columns: Int
  private let abilities: ScreenAbilities

  /// The lines for some width; `isBeside` where the short facts stand elsewhere.
  init(_ details: BrowseDetails, columns: Int, isBeside: Bool, _ abilities: ScreenAbilities) {
    self.columns = columns
    self.abilities = abilities
    let number = "  \(details.number)"
    let title = DisplayWidth.truncated(
      TerminalText.excerpt(details.title, columns: columns), to: max(1, columns - number.count),
      ellipsis: abilities.ellipsis)
    lines.append([.text(title, .bold), .text(number, .quiet)])
    let subtitle = CommandHelp.lines(of: String(details.subtitle.prefix(512)), columns: columns)
    lines += subtitle.prefix(3).map { [.text($0, .quiet)] }
    if !details.types.isEmpty {
      lines.append(details.types.map { .badge($0) })
    }
    lines.append([])
    addStatistics(details)
    if !isBeside { addFacts(details.facts) }
    if !details.abilities.isEmpty { addWords("Abilities", details.abilities) }
    addMatchUps(details.matchUps)
    addRelatives("Evolution", details.family, of: details.record)
    addRelatives("Forms", details.forms, of: details.record)
  }

  private mutating func addStatistics(_ details: BrowseDetails) {
    for statistic in details.statistics {
      let number = statistic.text ?? "\(statistic.value)"
      let width = details.statistics.contains { $0.text != nil } ? 9 : 4
      lines.append([
        .text(DisplayWidth.padded(statistic.name, to: 8), .quiet),
        .text(DisplayWidth.padded(number, to: width, isRightAligned: true), .plain),
        .column(9 + width),
        .bar(statistic.value, of: statistic.maximum),
      ])
    }
    if let total = details.total {
      lines.append([
        .text(DisplayWidth.padded("Total", to: 8), .quiet),
        .text(DisplayWidth.padded(total, to: 4, isRightAligned: true), .bold),
      ])
    }
  }

  private mutating func addFacts(_ facts: [BrowseDetails.Fact]) {
    lines.append([])
    for fact in facts {
      let parts = CommandHelp.lines(of: fact.text, columns: max(8, columns - 12))
      for (index, part) in parts.enumerated() {
        lines.append([
          .text(DisplayWidth.padded(index == 0 ? fact.name : "", to: 12), .quiet),
          .text(part, .plain),
        ])
      }
    }
  }

  private mutating func addWords(_ title: String, _ words: [String]) {
    lines.append([])
    lines.append([.text(title, .heading)])
    for word in words { lines.append([.text("  \(word)", .plain)]) }
  }

  private mutating func addMatchUps(_ matchUps: [BrowseDetails.MatchUp]) {
    if matchUps.isEmpty { return }
    lines.append([])
    lines.append([.text("Damage taken", .heading)])
    let perLine = max(1, (columns - 8) / (BrowseTheme.badgeColumns + 1))
    for matchUp in matchUps {
      for start in stride(from: 0, to: matchUp.types.count, by: perLine) {
        let factor = abilities.isASCII ? "x" + matchUp.factor.dropFirst() : matchUp.factor
        let types = matchUp.types[start..<min(matchUp.types.count, start + perLine)]
        lines.append(
          [
            .text(start == 0 ? "  \(factor)" : "", matchUp.isWeakness ? .bold : .quiet),
            .column(8),
          ] + types.map { .badge($0) })
      }
    }
  }

  private mutating func addRelatives(
    _ title: String, _ relatives: [BrowseDetails.Relative], of record: BrowseRecord
  ) {
    if relatives.isEmpty { return }
    lines.append([])
    lines.append([.text(title, .heading)])
    let badges = relatives.map(\.types.count).max() ?? 0
    let start = max(columns - badges * (BrowseTheme.badgeColumns + 1), 14)
    for relative in relatives {
      let isSame = relative.record == record
      let arrow = abilities.isASCII ? "-> " : "→ "
      let indent =
        String(repeating: "  ", count: relative.depth) + (relative.depth > 0 ? arrow : "")
      links.append(Link(record: relative.record, line: lines.count))
      let name = indent + relative.name
      // The one that is shown is bold too, so what has no room says that alone.
      let hasRoom = DisplayWidth.of(name) + 11 <= start
      let marks = isSame && hasRoom ? "  (this)" : ""
      lines.append(
        [
          .text(
            "  "
              + DisplayWidth.truncated(name, to: max(8, start - 3), ellipsis: abilities.ellipsis),
            isSame ? .bold : .plain), .text(marks, .quiet), .column(start),
        ] + relative.types.map { .badge($0) })
    }
  }
}
