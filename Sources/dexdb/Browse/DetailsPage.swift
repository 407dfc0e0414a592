import Entities
import Terminal

/// A record by itself: how far its text is scrolled, and which of its links is chosen.
struct DetailsPage: Equatable {
  var record: BrowseRecord
  var top = 0
  /// The number of the chosen link; nil before one was.
  var link: Int?
}

extension BrowseState {
  mutating func handle(
    _ key: ScreenKey, _ page: DetailsPage, _ source: BrowseSource
  ) throws -> Effect? {
    var page = page
    switch key {
    case .escape, .backspace: pages.removeLast()
    case .left: try showNeighbour(-1, of: page.record, source)
    case .right: try showNeighbour(1, of: page.record, source)
    case .enter:
      let lines = try detailsLines(of: page, source)
      if let link = page.link, let record = lines.links.dropFirst(link).first?.record,
        record != page.record
      {
        pages.append(.details(DetailsPage(record: record)))
      }
    case .character("q"): return .leave(command: nil)
    case .character("y"): return .leave(command: source.command(for: self))
    case .character("?"): pages.append(.help(top: 0))
    case .character("e"), .character("d"), .character("Q"):
      guard page.record.entity == "adventurers", case .character(let letter) = key else { break }
      return try handleAdventurer(letter, source)
    default:
      let lines = try detailsLines(of: page, source)
      page.move(key, lines, room: detailsLayout.text.rows)
      replacePage(.details(page))
    }
    return nil
  }

  var detailsLayout: DetailsLayout {
    DetailsLayout(columns: columns, rows: rows, abilities: abilities)
  }

  private func detailsLines(of page: DetailsPage, _ source: BrowseSource) throws -> DetailsLines {
    DetailsLines(
      try source.details(of: page.record), columns: detailsLayout.text.columns,
      isBeside: detailsLayout.hasFactsBelow, abilities)
  }

  /// Shows the record before or after the one that is shown: in the list, where that has it, and
  /// else by number.
  ///
  /// The list goes along, unless one has walked away from what it has chosen, to come back there.
  private mutating func showNeighbour(
    _ step: Int, of record: BrowseRecord, _ source: BrowseSource
  ) throws {
    try refresh(source)
    var next: BrowseRecord?
    if pages.count == 1, record == chosenRecord {
      guard !list.isBehind else { return }
      list.move(by: step)
      try refresh(source)
      guard list.showsChosen else { return }
      next = chosenRecord
    } else if record.entity == realm.entity, !list.isBehind, let place = list.place(of: record.id) {
      next = list.id(at: place + step).map { BrowseRecord(entity: record.entity, id: $0) }
    } else {
      next = try source.neighbour(step, of: record)
    }
    if let next, next != record, try source.has(next) {
      replacePage(.details(DetailsPage(record: next)))
    } else {
      say(step > 0 ? "this is the last one" : "this is the first one")
    }
  }
}

extension BrowseSource {
  /// The record with the next number of the same entity, or the one before; nil where there is none.
  fileprivate func neighbour(_ step: Int, of record: BrowseRecord) throws -> BrowseRecord? {
    let id = [FieldPath("id")]
    var query = Query(
      entity: record.entity,
      filter: .number(id, step > 0 ? .greater : .less, Number(Int64(record.id.rawValue))))
    query.order = [SortKey(id, isDescending: step < 0)]
    query.limit = 1
    return try snapshot.findIDs(query).first.map { BrowseRecord(entity: record.entity, id: $0) }
  }
}

extension DetailsPage {
  /// Arrows walk along the links that are in view, and else scroll.
  mutating func move(_ key: ScreenKey, _ lines: DetailsLines, room: Int) {
    let last = max(0, lines.lines.count - room)
    switch key {
    case .down: step(1, lines, room: room)
    case .up: step(-1, lines, room: room)
    case .tab: choose((link ?? -1) + 1, lines, room: room)
    case .backTab: choose((link ?? lines.links.count) - 1, lines, room: room)
    case .pageDown, .character(" "): top = min(last, top + room)
    case .pageUp: top = max(0, top - room)
    case .home: top = 0
    case .end: top = last
    default: break
    }
  }

  private mutating func step(_ step: Int, _ lines: DetailsLines, room: Int) {
    let last = max(0, lines.lines.count - room)
    let next = link.map { $0 + step } ?? nearest(lines, room: room, isFromTop: step > 0)
    // A link that is in view, or comes there by one line, is chosen before the text moves on.
    if lines.links.indices.contains(next),
      (top - 1..<top + room + 1).contains(lines.links[next].line)
    {
      choose(next, lines, room: room)
    } else {
      top = min(last, max(0, top + step))
    }
  }

  private func nearest(_ lines: DetailsLines, room: Int, isFromTop: Bool) -> Int {
    isFromTop
      ? lines.links.firstIndex { $0.line >= top } ?? 0
      : lines.links.lastIndex { $0.line < top + room } ?? -1
  }

  private mutating func choose(_ number: Int, _ lines: DetailsLines, room: Int) {
    if lines.links.isEmpty { return }
    let number = (number + lines.links.count) % lines.links.count
    link = number
    let line = lines.links[number].line
    if line < top { top = line }
    if line >= top + room { top = line - room + 1 }
  }
}

/// Where what stands on the page of a record.
struct DetailsLayout: Equatable {
  let columns: Int
  let rows: Int
  let abilities: ScreenAbilities

  var body: ScreenRectangle {
    ScreenRectangle(column: 0, row: 2, columns: columns, rows: rows - 3)
  }

  /// The columns of the large portrait; it is half as many rows high.
  var pictureColumns: Int {
    if !abilities.hasPictures { return 0 }
    if columns >= 180, rows >= 56 { return 96 }
    // A quarter of a portrait's size is sharp as well, and leaves room for what there is to say.
    if columns < 72 { return 24 }
    return columns >= 110 && rows >= 30 ? 48 : 32
  }

  var picture: ScreenRectangle {
    ScreenRectangle(
      column: 2, row: body.row, columns: pictureColumns,
      rows: min(body.rows, (pictureColumns + 1) / 2))
  }

  /// True where what is short stands below the portrait.
  var hasFactsBelow: Bool { pictureColumns >= 32 && body.rows - picture.rows >= 4 }

  var facts: ScreenRectangle {
    ScreenRectangle(
      column: 2, row: picture.endRow + 1, columns: pictureColumns,
      rows: body.endRow - picture.endRow - 1)
  }

  var text: ScreenRectangle {
    let start = pictureColumns > 0 ? pictureColumns + 5 : 2
    return ScreenRectangle(
      column: start, row: body.row, columns: min(76, columns - start - 2), rows: body.rows)
  }
}
