internal import CDexShim
internal import CNcursesW
internal import Glibc

/// Why there is no screen.
package enum ScreenFailure: Error, Equatable, Sendable {
  /// Neither the input and output nor the process has a terminal.
  case noTerminal
  /// The terminal of that name cannot place its cursor, or is not known.
  case unfit(terminal: String)
  case system(errno: Int32)
}

/// The whole terminal, on which canvases are shown; one at a time in a process.
///
/// Closing puts the terminal back as it was, and so do all signals that end the program. The key
/// that suspends works: the terminal is put back, and the screen is drawn again later.
package final class Screen {
  package let abilities: ScreenAbilities
  /// The terminal's size in cells.
  package private(set) var columns = 80
  package private(set) var rows = 24

  private let input: Int32
  private var shown: ScreenCanvas?
  /// What is being pasted.
  private var paste: PastedText?
  /// The bytes of a character of which more are to come.
  private var partialCharacter = mbstate_t()
  private var isOpen = true

  /// What the user wants, beside what the terminal can.
  package struct Wishes: Sendable {
    package var isColored: Bool
    package var isASCII: Bool
    package var isAccessible: Bool

    package init(isColored: Bool, isASCII: Bool, isAccessible: Bool) {
      self.isColored = isColored
      self.isASCII = isASCII
      self.isAccessible = isAccessible
    }
  }

  /// Opens the screen on the terminal of the input and output, or else on that of the process.
  ///
  /// So what the program writes to a pipe stays apart from what it shows.
  package init(_ wishes: Wishes, environment: (String) -> String?) throws(ScreenFailure) {
    let name = environment("TERM") ?? ""
    // Safe: the strings live through the calls; the streams stay open as long as the process.
    let output = unsafe isatty(1) == 1 ? fdopen(dex_duplicate(1), "w") : fopen("/dev/tty", "w")
    // Safe: as above.
    let source = unsafe isatty(0) == 1 ? fdopen(dex_duplicate(0), "r") : fopen("/dev/tty", "r")
    // Safe: both were just opened.
    guard let output = unsafe output, let source = unsafe source else { throw .noTerminal }
    // Safe: as above.
    input = unsafe fileno(source)
    // Safe: as above.
    let terminal = unsafe fileno(output)
    let status = dex_screen_begin(terminal)
    if status != 0 { throw .system(errno: -status) }
    // Safe: the string lives through the call.
    guard unsafe nc_can_show_screens(name, terminal) else { throw .unfit(terminal: name) }
    let isUTF8 = nc_use_characters()
    // Safe: the strings live through the calls, and the streams stay open.
    let isShown = Self.names(of: name, environment).contains { unsafe nc_open($0, output, source) }
    if !isShown { throw .unfit(terminal: name) }
    let colors = wishes.isColored ? Int(nc_start_colors()) : 0
    abilities = ScreenAbilities(
      depth: Self.depth(of: colors), isASCII: wishes.isASCII || !isUTF8,
      isAccessible: wishes.isAccessible)
    let restore = Self.restoringBytes()
    // Safe: the bytes are copied in the call.
    unsafe dex_screen_guard(restore, restore.count, Self.marksPastes)
    updateSize()
  }

  deinit { close() }

  /// Puts the terminal back as it was.
  package func close() {
    if !isOpen { return }
    isOpen = false
    nc_end()
    dex_screen_end()
  }

  // MARK: Abilities

  /// Names under which the terminal may be known, the one with the most colours first.
  private static func names(of name: String, _ environment: (String) -> String?) -> [String] {
    let color = environment("COLORTERM") ?? ""
    if color != "truecolor" && color != "24bit" || name.hasSuffix("-direct") { return [name] }
    let base = name.hasSuffix("-256color") ? String(name.dropLast(9)) : name
    return ["\(base)-direct", name]
  }

  private static func depth(of colors: Int) -> ScreenAbilities.Depth {
    switch colors {
    case ..<8: .none
    case ..<16: .eight
    case ..<256: .sixteen
    case ..<0x10000: .common
    default: .direct
    }
  }

  /// What puts the terminal back: colours, the cursor, the keys, and the page that was shown before.
  private static func restoringBytes() -> [CChar] {
    var bytes: [CChar] = []
    for name in ["sgr0", "op", "cnorm", "rmkx", "rmcup"] {
      // Safe: the library's string ends in a zero, and is copied before anything else is asked.
      guard let text = unsafe nc_capability(name) else { continue }
      // Safe: as above.
      var string = unsafe String(cString: text)
      // Delays, which only printing terminals need, are written `$<5>`.
      while let start = string.firstRange(of: "$<"),
        let end = string[start.upperBound...].firstIndex(of: ">")
      {
        string.removeSubrange(start.lowerBound...end)
      }
      bytes += string.utf8.map { CChar(bitPattern: $0) }
    }
    return bytes
  }

  /// True for terminals whose commands begin as those that mark what is pasted.
  private static var marksPastes: Bool {
    // Safe: the library's string ends in a zero, and is copied before anything else is asked.
    unsafe nc_capability("cup").map { unsafe String(cString: $0) }?.hasPrefix("\u{1B}[") ?? false
  }

  private func updateSize() {
    let size = dex_terminal_size(input)
    if size > 0xFFFF, size & 0xFFFF > 0 {
      columns = Int(size >> 16)
      rows = Int(size & 0xFFFF)
    }
    nc_resize(Int32(rows), Int32(columns))
    shown = nil
  }

  // MARK: Output

  /// Shows `canvas`, whose size is the screen's; only what differs is sent.
  package func show(_ canvas: ScreenCanvas) {
    let isWhole = shown == nil || shown?.columns != canvas.columns || shown?.rows != canvas.rows
    for row in 0..<min(rows, canvas.rows) {
      let cells = canvas.cells(ofRow: row)
      if !isWhole, let shown, shown.cells(ofRow: row) == cells { continue }
      for (column, cell) in cells.enumerated() where !cell.text.isEmpty {
        let isWide = column + 1 < canvas.columns && canvas[column + 1, row].text.isEmpty
        put(cell, width: isWide ? 2 : 1, column: column, row: row)
      }
    }
    shown = canvas
    nc_show(Int32(canvas.cursor?.row ?? -1), Int32(canvas.cursor?.column ?? 0))
  }

  private func put(_ cell: ScreenCell, width: Int, column: Int, row: Int) {
    let scalars = cell.text.unicodeScalars
    // A character of which the library thinks otherwise would move all that follows.
    guard let base = scalars.first, Int(nc_width(base.value)) == width else {
      for place in 0..<width {
        let mark = place == 0 ? UInt32(UInt8(ascii: "?")) : 0x20
        put([wchar_t(bitPattern: mark), 0], cell.style, column: column + place, row: row)
      }
      return
    }
    let marks = scalars.dropFirst().filter { nc_width($0.value) == 0 }
    var text = ([base] + marks).map { wchar_t(bitPattern: $0.value) }
    text.append(0)
    put(text, cell.style, column: column, row: row)
  }

  private func put(_ text: [wchar_t], _ style: ScreenStyle, column: Int, row: Int) {
    var attributes: UInt32 = 0
    if style.isBold { attributes |= nc_bold() }
    if style.isFaint { attributes |= nc_faint() }
    if style.isReversed { attributes |= nc_reverse() }
    if style.isUnderlined { attributes |= nc_underline() }
    // Safe: the text ends in a zero and lives through the call.
    unsafe nc_put(
      Int32(row), Int32(column), text, attributes,
      Int32(ScreenPalette.number(of: style.foreground, abilities.depth)),
      Int32(ScreenPalette.number(of: style.background, abilities.depth)))
  }

  // MARK: Input

  /// Waits for what happens next; for at most `milliseconds`, or for ever where that is nil.
  package func next(milliseconds: Int? = nil) -> ScreenEvent {
    if let key = nextKey() { return .key(key) }
    let news = dex_screen_wait(input, Int32(clamping: milliseconds ?? -1))
    let has = { (bit: dex_screen_news) in UInt32(bitPattern: news) & bit.rawValue != 0 }
    if has(DEX_SCREEN_STOPPED) {
      suspend { dex_screen_stop() }
      return .resized
    }
    if has(DEX_SCREEN_RESIZED) || has(DEX_SCREEN_CONTINUED) {
      if has(DEX_SCREEN_CONTINUED) { dex_screen_show() }
      // Who had the terminal meanwhile may have left it otherwise; and what was drawn for one size
      // may have come to a terminal that had another by then.
      nc_redraw()
      updateSize()
      return .resized
    }
    if has(DEX_SCREEN_INPUT), let key = nextKey() { return .key(key) }
    if has(DEX_SCREEN_ENDED) { return .ended }
    return has(DEX_SCREEN_WOKEN) ? .woken : .nothing
  }

  /// Ends a wait of `next`; may be called by any thread.
  package static func wake() { dex_screen_wake() }

  /// Tells whether `next` would tell at once of more than a wake; may be asked by any thread.
  package var inputProbe: @Sendable () -> Bool {
    let input = input
    return { dex_screen_is_asked(input) }
  }

  private func nextCode() -> Int64 {
    // Safe: the library keeps no pointer to it.
    unsafe nc_key(&partialCharacter)
  }

  private func nextKey() -> ScreenKey? {
    while true {
      var code = nextCode()
      if paste == nil, Self.isKey(NC_PASTE_BEGIN, code) {
        paste = PastedText()
        code = nextCode()
      }
      if paste == nil { return Self.key(code) }
      if let key = nextPaste(code) { return key }
      // An empty paste is no key, but there may be more behind it.
      if paste != nil { return nil }
    }
  }

  /// True where `code` is that key, and not a character whose number ends so.
  private static func isKey(_ key: some BinaryInteger, _ code: Int64) -> Bool {
    code == 0x4000_0000 | Int64(key)
  }

  /// Takes what is pasted, as far as it has come; nil where that is nothing.
  private func nextPaste(_ first: Int64) -> ScreenKey? {
    guard var text = paste else { return nil }
    var code = first
    while code >= 0 {
      if text.isOverdue {
        paste = nil
        return Self.key(code)
      }
      if code < 0x4000_0000 {
        text.append(UInt32(truncatingIfNeeded: code))
      } else if Self.isKey(NC_PASTE_END, code) {
        text.end()
      }
      if text.isOver || text.isFull { break }
      code = nextCode()
    }
    let part = text.take()
    paste = text.isOver ? nil : text
    return part.isEmpty ? nil : .pasted(part)
  }

  private static func key(_ code: Int64) -> ScreenKey? {
    if code < 0 { return nil }
    if code & 0x4000_0000 != 0 { return key(ofCode: Int32(truncatingIfNeeded: code & 0xFFFF)) }
    switch code {
    case 0x0A, 0x0D: return .enter
    case 0x1B: return .escape
    case 0x09: return .tab
    case 0x08, 0x7F: return .backspace
    case 1..<0x1B:
      return .control(Character(Unicode.Scalar(UInt8(code) + 0x60)))
    case 0..<0x20: return .other
    default:
      return Unicode.Scalar(UInt32(truncatingIfNeeded: code)).map { .character(Character($0)) }
        ?? .other
    }
  }

  private static func key(ofCode code: Int32) -> ScreenKey {
    switch code {
    case KEY_UP: .up
    case KEY_DOWN: .down
    case KEY_LEFT: .left
    case KEY_RIGHT: .right
    case KEY_HOME: .home
    case KEY_END: .end
    case KEY_PPAGE: .pageUp
    case KEY_NPAGE: .pageDown
    case KEY_ENTER: .enter
    case KEY_BACKSPACE: .backspace
    case KEY_DC: .delete
    case KEY_BTAB: .backTab
    default: .other
    }
  }

  // MARK: Giving the terminal away

  /// Puts the terminal back while `body` runs, and then shows the screen again.
  package func suspend<Result>(_ body: () -> Result) -> Result {
    nc_end()
    dex_screen_hide()
    defer {
      dex_screen_show()
      nc_redraw()
      updateSize()
    }
    return body()
  }

  /// Runs a program on the terminal while the screen is put away.
  ///
  /// - Returns: Its exit code, 128 and the number of the signal that ended it, or a negated error
  ///   number where it could not be run.
  package func run(_ path: String, _ arguments: [String]) -> Int32 {
    suspend {
      // Safe: the copies end in zeroes, live through the call and are freed after it.
      let words = unsafe ([path] + arguments).map { unsafe strdup($0) }
      defer {
        // Safe: each was made above, and is not used any more.
        for index in 0...arguments.count { unsafe free(words[index]) }
      }
      // Safe: the list ends in a null pointer.
      let list = unsafe words.map { unsafe $0.map { unsafe UnsafePointer($0) } } + [nil]
      // Safe: as above.
      return unsafe dex_run_program(path, list)
    }
  }
}
