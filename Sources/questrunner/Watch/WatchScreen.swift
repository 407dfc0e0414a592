import CDexShim
import Entities
import Terminal

/// The loop of `watch`: keys and the clock to the state, and the state to the screen.
struct WatchScreen {
  let context: CommandContext
  let pictures: any WatchPictures

  /// So long a frame stands where nothing happens, so that bars move.
  private static let frameTime: Int64 = 33_000_000
  /// So long the loop waits for keys where nothing moves; a signal is seen after that at the latest.
  private static let restTime: Int64 = 250_000_000

  /// Shows the quests until the user leaves or a signal comes, and puts the terminal back.
  ///
  /// - Parameters:
  ///   - quests: What is shown.
  ///   - speed: In thousandths.
  ///   - keep: Called once all quests are over; returns what to say then.
  /// - Returns: The state as it was left.
  /// - Throws: Where there is no terminal that can show it, and what `keep` throws.
  func run(
    _ quests: [Quest], speed: Int, keep: () throws -> String
  ) throws -> WatchState {
    let screen = try open()
    defer { screen.close() }
    let start = ContinuousClock.now
    let now = { () -> Int64 in
      let time = (ContinuousClock.now - start).components
      return time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000
    }
    var state = WatchState(
      quests, columns: screen.columns, rows: screen.rows, abilities: screen.abilities, at: now(),
      speed: speed)
    var isDrawn = false
    var isKept = false
    while dex_interrupt_seen() == 0 {
      if state.isOver, !isKept {
        isKept = true
        state.message = try keep()
        isDrawn = false
      }
      switch screen.next(milliseconds: isDrawn ? Self.wait(state, at: now()) : 0) {
      case .key(let key):
        isDrawn = false
        if state.handle(key, at: now()) == .leave { return state }
      case .resized:
        isDrawn = false
        state.columns = screen.columns
        state.rows = screen.rows
      case .ended: return state
      case .woken, .nothing:
        // A signal has put the terminal back, and nothing may be shown any more.
        if dex_interrupt_seen() != 0 { return state }
        if isDrawn, state.clock.isPaused { continue }
        state.advance(to: now())
        screen.show(WatchFrame.canvas(state, pictures))
        isDrawn = true
      }
    }
    return state
  }

  /// The milliseconds until the next frame.
  private static func wait(_ state: WatchState, at now: Int64) -> Int {
    if state.clock.isPaused { return Int(restTime / 1_000_000) }
    let next = min(state.deadline ?? .max, now + frameTime)
    return Int(max(0, next - now + 999_999) / 1_000_000)
  }

  private func open() throws -> Screen {
    let isSet = { (name: String) in
      SystemCalls.environment(name).map { !$0.isEmpty && $0 != "0" } ?? false
    }
    let wishes = Screen.Wishes(
      isColored: context.globals["--color"] != Styling.Choice.never.rawValue
        && !(SystemCalls.environment("NO_COLOR").map { !$0.isEmpty } ?? false),
      isASCII: context.styling.isASCII, isAccessible: isSet("ACCESSIBLE"))
    do {
      return try Screen(wishes, environment: SystemCalls.environment)
    } catch {
      let help = ["\(Program.name) watch --no-delay writes lines"]
      switch error {
      case .noTerminal: throw CommandFailure("there is no terminal to watch on", help: help)
      case .unfit(let name):
        throw CommandFailure("the terminal '\(name)' cannot show a screen", help: help)
      case .system(let code):
        throw CommandFailure("the terminal cannot be used: \(SystemCalls.text(ofError: code))")
      }
    }
  }
}
