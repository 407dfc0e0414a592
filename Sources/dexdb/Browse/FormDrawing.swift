import Entities
import Terminal

/// Draws the form of an adventurer: fields, the numbers, and the gallery of portraits.
struct FormDrawing {
  let state: BrowseState
  let source: BrowseSource
  private let abilities: ScreenAbilities
  private let columns: Int

  private static let labelColumns = 13
  private static let pictureColumns = 24

  init(_ state: BrowseState, _ source: BrowseSource) {
    self.state = state
    self.source = source
    abilities = state.abilities
    columns = state.columns
  }

  private var fieldColumns: Int {
    columns - Self.labelColumns - 4 - (abilities.hasPictures ? Self.pictureColumns + 2 : 0)
  }

  /// The columns of a portrait in the gallery, with a gap at each side.
  private var cellColumns: Int { state.rows >= 32 ? 26 : 14 }

  /// How many lines of portraits there is room for.
  private var galleryLines: Int { max(1, (state.rows - 16) / (cellColumns / 2)) }

  func draw(_ form: AdventurerForm, on canvas: inout ScreenCanvas) throws {
    let frame = BrowseFrame(state, source)
    frame.drawHead(form.isRecruit ? "Recruit an adventurer" : "Change an adventurer", on: &canvas)
    drawField("Name", form.name, .name, form, row: 2, on: &canvas)
    drawField("Profession", form.profession, .profession, form, row: 4, on: &canvas)
    drawCompletion(form, row: 4, on: &canvas)
    if form.isRecruit {
      drawNumbers(form.adventurer, form, row: 7, on: &canvas)
      drawField("Seed", form.seed, .seed, form, row: 9, on: &canvas)
    } else {
      drawField("Level", form.level, .level, form, row: 7, on: &canvas)
      drawField("Hit points", form.hitPoints, .hitPoints, form, row: 9, on: &canvas)
    }
    let galleryRows = state.rows - 15
    drawGallery(form, row: 12, rows: galleryRows, on: &canvas)
    let buttonRow = min(
      state.rows - 2, 12 + (abilities.hasPictures ? galleryLines * cellColumns / 2 + 2 : 2))
    drawButton(form, row: buttonRow, on: &canvas)
    drawNotes(form, on: &canvas)
    if let notice = state.notice {
      frame.drawMessage(
        notice.text,
        ScreenRectangle(column: 20, row: buttonRow - 3, columns: columns - 21, rows: 4),
        isUpward: true, BrowseTheme.complaint(abilities), on: &canvas)
    }
    frame.drawKeys(keys(form), on: &canvas)
  }

  private func keys(_ form: AdventurerForm) -> [BrowseFrame.KeyLabel] {
    var keys: [BrowseFrame.KeyLabel] = []
    switch form.focus {
    case .profession: keys.append(.init("↑↓", "choose"))
    case .portrait: keys.append(.init("←→", "choose"))
    default: break
    }
    if form.focus == .profession, form.completion != nil { keys.append(.init("→", "complete")) }
    if form.focus == .profession, form.complaint?.field == .profession {
      keys.append(.init("Ctrl-N", "keep", rank: 0))
    }
    if form.isRecruit { keys.append(.init("Ctrl-R", "roll again")) }
    keys.append(.init("Tab", "next field"))
    return keys + [
      .init("Enter", form.focus == .done ? "save" : "next"), .init("Esc", "leave without saving"),
    ]
  }

  // MARK: Fields

  private func label(
    _ text: String, isFocused: Bool, row: Int, on canvas: inout ScreenCanvas
  ) {
    let style = isFocused ? BrowseTheme.accent(abilities) : BrowseTheme.quiet(abilities)
    canvas.put(isFocused ? BrowseFrame.mark(abilities) : " ", column: 1, row: row, style)
    canvas.put(text, column: 3, row: row, style)
  }

  private func drawField(
    _ title: String, _ line: TypedLine, _ field: AdventurerForm.Field, _ form: AdventurerForm,
    row: Int, on canvas: inout ScreenCanvas
  ) {
    let isFocused = form.focus == field
    label(title, isFocused: isFocused, row: row, on: &canvas)
    let column = 3 + Self.labelColumns
    let width = min(fieldColumns, 48)
    var style = ScreenStyle(isUnderlined: true)
    if isFocused { style.isBold = true }
    if !abilities.isAccessible {
      canvas.fill(
        ScreenRectangle(column: column, row: row, columns: width, rows: 1), style)
    }
    line.draw(
      on: &canvas, column: column, row: row, width: width, isFocused: isFocused, style)
  }

  private func drawCompletion(_ form: AdventurerForm, row: Int, on canvas: inout ScreenCanvas) {
    guard form.focus == .profession, let rest = form.completion else { return }
    let width = ScreenGlyph.width(of: form.profession.text)
    if width + rest.count >= min(fieldColumns, 48) { return }
    canvas.put(
      rest, column: 3 + Self.labelColumns + width, row: row,
      ScreenStyle(
        foreground: BrowseTheme.quiet(abilities).foreground, isFaint: true, isUnderlined: true))
  }

  /// What is wrong with a field, or helps with it, below that.
  private func drawNotes(_ form: AdventurerForm, on canvas: inout ScreenCanvas) {
    let rows: [AdventurerForm.Field: Int] =
      [.name: 3, .profession: 5, .level: 8, .seed: 10, .hitPoints: 10]
    let column = 3 + Self.labelColumns
    if let complaint = form.complaint, let row = rows[complaint.field] {
      // Over the portrait beside it, and down to the next field.
      BrowseFrame(state, source).drawMessage(
        complaint.text,
        ScreenRectangle(
          column: column, row: row, columns: columns - column - 1,
          rows: complaint.field == .profession ? 2 : 1),
        BrowseTheme.complaint(abilities), on: &canvas)
    }
    if form.complaint?.field != .profession, form.focus == .profession {
      let names = form.professions
      let text = names.isEmpty ? "any words will do" : names.joined(separator: " ")
      canvas.put(
        text, column: column, row: 5, width: fieldColumns, BrowseTheme.quiet(abilities),
        ellipsis: abilities.ellipsis)
    }
    if case .change(_, let adventurer) = form.purpose, form.complaint?.field != .hitPoints {
      canvas.put(
        "of \(adventurer.totalHitPoints)", column: column, row: 10, BrowseTheme.quiet(abilities))
    }
  }

  private func drawNumbers(
    _ adventurer: Adventurer, _ form: AdventurerForm, row: Int, on canvas: inout ScreenCanvas
  ) {
    let numbers = [
      ("HP", "\(adventurer.totalHitPoints)"),
      ("Attack", "×" + ExactDecimal.rounded(Double(adventurer.multiplier) / 256)),
      ("Defense", "\(adventurer.defense)"),
      ("Evasion", ExactDecimal.rounded(Double(adventurer.evasion) * 100 / 256) + " %"),
      ("Speed", "\(adventurer.speed)"),
    ]
    label("Rolled", isFocused: false, row: row, on: &canvas)
    var column = 3 + Self.labelColumns
    for (index, (name, number)) in numbers.enumerated() {
      let line = row + index / 3
      if index == 3 { column = 3 + Self.labelColumns }
      column += canvas.put(name, column: column, row: line, BrowseTheme.quiet(abilities)) + 1
      column += canvas.put(number, column: column, row: line, .bold) + 3
    }
  }

  private func drawButton(_ form: AdventurerForm, row: Int, on canvas: inout ScreenCanvas) {
    let isFocused = form.focus == .done
    let text = form.isRecruit ? "[ Recruit ]" : "[ Save ]"
    canvas.put(
      (isFocused ? BrowseFrame.mark(abilities) : " ") + " " + text, column: 1, row: row,
      isFocused ? BrowseTheme.chosen(abilities) : .bold)
    if abilities.isAccessible, isFocused { canvas.cursor = .init(column: 1, row: row) }
  }

  // MARK: Portraits

  private func drawGallery(
    _ form: AdventurerForm, row: Int, rows: Int, on canvas: inout ScreenCanvas
  ) {
    let isFocused = form.focus == .portrait
    let name = form.portraitName
    label("Portrait", isFocused: isFocused, row: row, on: &canvas)
    let marks = abilities.isASCII || abilities.isAccessible ? ("<", ">") : ("‹", "›")
    let shown = name ?? "as it is"
    canvas.put(
      isFocused ? "\(marks.0) \(shown) \(marks.1)" : "  \(shown)", column: 3 + Self.labelColumns,
      row: row, .bold)
    if abilities.isAccessible, isFocused {
      canvas.cursor = .init(column: 3 + Self.labelColumns, row: row)
    }
    if !abilities.hasPictures { return }
    drawLarge(name, form, on: &canvas)
    let cell = cellColumns
    let pictureRows = (cell - 2) / 2
    if rows < pictureRows + 1 { return }
    let gallery = form.gallery
    let perLine = max(1, (columns - 2) / cell)
    let count = perLine * galleryLines
    let chosen = name.flatMap { gallery.firstIndex(of: $0) } ?? 0
    // One line has the chosen portrait in its middle; several are turned over like pages.
    let start = galleryLines > 1 ? chosen / count * count : chosen - count / 2
    let first = galleryLines > 1 ? start : min(max(0, start), max(0, gallery.count - count))
    for index in 0..<min(count, gallery.count - first) {
      let part = ScreenRectangle(
        column: 1 + index % perLine * cell, row: row + 1 + index / perLine * (pictureRows + 1),
        columns: cell, rows: pictureRows + 2)
      drawCell(
        gallery[first + index], isChosen: gallery[first + index] == name, part, pictureRows,
        on: &canvas)
    }
  }

  private func drawCell(
    _ name: String, isChosen: Bool, _ part: ScreenRectangle, _ rows: Int,
    on canvas: inout ScreenCanvas
  ) {
    let style: ScreenStyle =
      isChosen ? BrowseTheme.chosen(abilities) : BrowseTheme.quiet(abilities)
    if isChosen { canvas.fill(part.split(rows: rows + 1).top, style) }
    if let picture = source.galleryPicture(name, columns: part.columns - 2, rows: rows) {
      canvas.picture(picture, column: part.column + 1, row: part.row)
    }
    let text = isChosen ? "\(BrowseFrame.mark(abilities))\(name)" : name
    let width = min(part.columns - 1, ScreenGlyph.width(of: text))
    canvas.put(
      text, column: part.column + (part.columns - width) / 2, row: part.row + rows,
      width: part.columns - 1, style, ellipsis: abilities.ellipsis)
  }

  private func drawLarge(
    _ name: String?, _ form: AdventurerForm, on canvas: inout ScreenCanvas
  ) {
    let size = Self.pictureColumns
    var picture: ScreenPicture?
    if let name {
      picture = source.galleryPicture(name, columns: size, rows: size / 2)
    } else if case .change(let id, _) = form.purpose {
      picture = source.picture(
        BrowseRecord(entity: "adventurers", id: id), columns: size, rows: size / 2)
    }
    if let picture { canvas.picture(picture, column: columns - size - 1, row: 1) }
  }
}

extension BrowseSource {
  /// A portrait of the gallery in a box of cells.
  func galleryPicture(_ name: String, columns: Int, rows: Int) -> ScreenPicture? {
    guard let place = PortraitGallery.names.firstIndex(of: name) else { return nil }
    let record = BrowseRecord(entity: "gallery", id: EntityID(UInt64(place)))
    return pictures.picture(record, columns: columns, rows: rows) {
      PortraitGallery.portrait(named: name)
    }
  }
}
