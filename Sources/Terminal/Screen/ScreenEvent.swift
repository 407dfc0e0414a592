/// A key that was pressed.
package enum ScreenKey: Hashable, Sendable {
  case character(Character)
  /// A letter with the control key, in lower case.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// Text that was pasted, or a part of it, without line breaks and control characters.
  case pasted(String)
  /// Any other key that the terminal knows.
  case other
}

/// What happened to a screen.
package enum ScreenEvent: Equatable, Sendable {
  case key(ScreenKey)
  /// The terminal has another size, or came back after having been put away.
  case resized
  /// Somebody called `Screen.wake`.
  case woken
  /// The time was over.
  case nothing
  /// The terminal is gone.
  case ended
}
