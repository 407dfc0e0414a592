/// A line of text that is being typed, and the cursor in it.
package struct TypedLine: Equatable, Sendable {
  /// The characters; what was pasted with line breaks is one line.
  package private(set) var characters: [Character]
  /// Before which character the cursor stands.
  package private(set) var position: Int

  /// As much as anybody types; more of a paste is left out.
  private static let most = 4096

  package init(_ text: String = "") {
    characters = Array(text.prefix(Self.most))
    position = characters.count
  }

  package var text: String { String(characters) }
  package var isEmpty: Bool { characters.isEmpty }

  /// Changes the line by a key; false where the key means nothing to it.
  package mutating func handle(_ key: ScreenKey) -> Bool {
    switch key {
    case .character(let character): insert(character)
    case .pasted(let text): for character in text { insert(character) }
    case .backspace: delete(max(0, position - 1)..<position)
    case .delete, .control("d"): delete(position..<min(characters.count, position + 1))
    case .left, .control("b"): position = max(0, position - 1)
    case .right, .control("f"): position = min(characters.count, position + 1)
    case .home, .control("a"): position = 0
    case .end, .control("e"): position = characters.count
    case .control("u"): delete(0..<position)
    case .control("k"): delete(position..<characters.count)
    case .control("w"): delete(wordStart..<position)
    default: return false
    }
    return true
  }

  private mutating func insert(_ character: Character) {
    if characters.count >= Self.most { return }
    // A mark that comes by itself belongs to the character before it.
    let before = position > 0 ? String(characters[position - 1]) : ""
    let joined = before + String(character)
    if position > 0, joined.count == 1, joined.unicodeScalars.count <= 64 {
      characters[position - 1] = Character(joined)
    } else {
      characters.insert(character, at: position)
      position += 1
    }
  }

  private mutating func delete(_ range: Range<Int>) {
    characters.removeSubrange(range)
    position = range.lowerBound
  }

  private var wordStart: Int {
    var start = position
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  /// Draws the line, moved so that the cursor is seen, which it shows where it is `focused`.
  package func draw(
    on canvas: inout ScreenCanvas, column: Int, row: Int, width: Int, isFocused: Bool,
    _ style: ScreenStyle = .plain
  ) {
    if width <= 1 { return }
    var start = 0
    var before = characters[..<position].reduce(0) { $0 + ScreenGlyph.width(of: String($1)) }
    while before > width - 1 {
      before -= ScreenGlyph.width(of: String(characters[start]))
      start += 1
    }
    canvas.put(String(characters[start...]), column: column, row: row, width: width, style)
    if isFocused { canvas.cursor = ScreenCanvas.Place(column: column + before, row: row) }
  }
}
