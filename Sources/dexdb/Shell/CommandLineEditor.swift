import CDexShim
import CLibEdit
import Glibc
import Terminal

/// Edits lines on the terminal, with completion and the lines of before.
///
/// What is pasted is text alone: a tab in it completes nothing, and a line end in it ends nothing.
@safe final class CommandLineEditor {
  /// How reading a line ended.
  enum Outcome: Equatable {
    case line(String)
    case interrupted
    case end
  }

  /// What can be written in the place of a part of the line, which ends at the cursor.
  typealias Completer = (_ line: String, _ cursor: Int) -> Completion

  private var editor: UnsafeMutablePointer<dex_editor>?
  private let completer: Completer

  init?(prompt: String, historyCount: Int, completer: @escaping Completer) {
    self.completer = completer
    dex_watch_interrupts()
    let term = SystemCalls.environment("TERM") ?? ""
    // Safe: the functions are of C, or take this object back as what it is; the object lives longer
    // than the editor, which only `deinit` ends.
    let calls = unsafe dex_editor_calls(
      wait: dex_wait_for_input, watch: dex_watch_editing, stop: dex_stop_here,
      complete: { context in
        guard let context = unsafe context else { return UInt8(CC_ERROR) }
        return unsafe Unmanaged<CommandLineEditor>.fromOpaque(context).takeUnretainedValue()
          .complete()
      })
    // Safe: as above.
    unsafe editor = dex_editor_make(
      Program.name, prompt, Int32(historyCount), !term.isEmpty && term != "dumb", calls,
      Unmanaged.passUnretained(self).toOpaque())
    // Safe: the pointer is compared alone.
    if unsafe editor == nil { return nil }
  }

  deinit {
    // Safe: nobody else has the editor.
    if let editor = unsafe editor { unsafe dex_editor_free(editor) }
  }

  /// Reads a line, without its end.
  func read() -> Outcome {
    // Safe: the editor is this object's; the text is the editor's and is copied at once.
    guard let editor = unsafe editor else { return .end }
    var outcome: Int32 = 0
    let text = unsafe dex_editor_read(editor, &outcome).map { unsafe String(cString: $0) }
    if let text { return .line(text.last == "\n" ? String(text.dropLast()) : text) }
    if outcome == DEX_LINE_SIGNAL { dex_end_by_signal() }
    return outcome == DEX_LINE_INTERRUPTED ? .interrupted : .end
  }

  /// Takes a line among those of before.
  func remember(_ line: String) {
    // Safe: the editor copies the text.
    if let editor = unsafe editor { unsafe dex_editor_remember(editor, line) }
  }

  /// Replaces the lines of before.
  func setHistory(_ lines: [String]) {
    // Safe: the editor is this object's.
    if let editor = unsafe editor { unsafe dex_editor_forget(editor) }
    for line in lines { remember(line) }
  }

  // MARK: Completion

  private func complete() -> UInt8 {
    guard let (line, cursor) = lineNow() else { return UInt8(CC_ERROR) }
    let completion = completer(line, cursor)
    if completion.candidates.isEmpty { return UInt8(CC_REFRESH_BEEP) }
    if let text = completion.inserted {
      // Safe: the editor copies the text.
      if let editor = unsafe editor {
        unsafe dex_editor_replace(editor, Int32(completion.replacedCount), text)
      }
      return UInt8(CC_REFRESH)
    }
    let width = SystemCalls.terminalSize(1)?.columns ?? 80
    _ = SystemCalls.write(Array(("\n" + completion.list(width: width)).utf8), to: 1)
    return UInt8(CC_REDISPLAY)
  }

  /// The line as it is, and how many of its characters lie before the cursor.
  private func lineNow() -> (String, Int)? {
    // Safe: the bytes are the editor's, as many as it says, and are copied at once.
    guard let editor = unsafe editor else { return nil }
    var count = 0
    var cursor = 0
    let start = unsafe dex_editor_text(editor, &count, &cursor)
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    let line = String(decoding: bytes, as: UTF8.self)
    let before = String(decoding: bytes.prefix(cursor), as: UTF8.self)
    return (line, before.unicodeScalars.count)
  }
}
