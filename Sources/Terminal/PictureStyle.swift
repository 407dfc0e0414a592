/// A way to show a picture in a terminal.
package enum PictureStyle: Hashable, Sendable {
  /// Pixels by the graphics protocol of kitty.
  case kitty
  /// Pixels by sixels.
  case sixel
  /// Two pixels to a character, ▀ in 24-bit colours or in the 256 of the common palette.
  case halfBlocks(isTrueColor: Bool)
  /// A character for the brightness of two pixels, without colour.
  case ascii
  case none

  /// What a user can ask for.
  package enum Choice: String, CaseIterable, Sendable {
    case auto, kitty, sixel, half, ascii, none
  }

  /// The style for `choice`, as the environment's variables tell the terminal's abilities.
  ///
  /// The terminal is asked nothing. What it cannot show is not chosen by itself: where output is no
  /// terminal or the terminal is dumb there is no picture; without colours there is one of
  /// characters; inside a multiplexer, which passes no pixels on, one of half blocks.
  package init(
    _ choice: Choice, isTerminal: Bool, environment: (String) -> String?
  ) {
    let term = environment("TERM") ?? ""
    let isTrueColor = Self.isTrueColor(term: term, environment)
    switch choice {
    case .kitty: self = .kitty
    case .sixel: self = .sixel
    case .half: self = .halfBlocks(isTrueColor: isTrueColor)
    case .ascii: self = .ascii
    case .none: self = .none
    case .auto:
      if !isTerminal || term.isEmpty || term == "dumb" {
        self = .none
      } else if let plain = environment("NO_COLOR"), !plain.isEmpty {
        self = .ascii
      } else if Self.isMultiplexed(term: term, environment) {
        self = .halfBlocks(isTrueColor: isTrueColor)
      } else if Self.knowsKitty(term: term, environment) {
        self = .kitty
      } else if Self.knowsSixel(term: term) {
        self = .sixel
      } else {
        self = .halfBlocks(isTrueColor: isTrueColor)
      }
    }
  }

  private static func isMultiplexed(term: String, _ environment: (String) -> String?) -> Bool {
    environment("TMUX") != nil || environment("STY") != nil || environment("ZELLIJ") != nil
      || term.hasPrefix("tmux") || term.hasPrefix("screen")
  }

  private static func knowsKitty(term: String, _ environment: (String) -> String?) -> Bool {
    environment("KITTY_WINDOW_ID") != nil || term == "xterm-kitty" || term == "xterm-ghostty"
      || environment("TERM_PROGRAM") == "ghostty"
  }

  private static func knowsSixel(term: String) -> Bool {
    ["foot", "mlterm", "yaft"].contains { term.hasPrefix($0) }
      || term.split(separator: "-").contains("sixel")
  }

  private static func isTrueColor(term: String, _ environment: (String) -> String?) -> Bool {
    let color = environment("COLORTERM") ?? ""
    return color == "truecolor" || color == "24bit" || term.hasSuffix("-direct")
      || knowsKitty(term: term, environment)
  }
}
