import Entities
import Terminal

/// The colours of `watch`; each also says what it says by words, marks or its place.
enum WatchTheme {
  static let red = Styling.Color(226, 92, 76)
  static let orange = Styling.Color(233, 150, 66)
  static let gold = Styling.Color(222, 186, 66)
  static let green = Styling.Color(112, 190, 90)
  static let blue = Styling.Color(96, 156, 222)
  static let gray = Styling.Color(128, 128, 128)
  static let white = Styling.Color(255, 255, 255)
  static let head = Styling.Color(0, 74, 128)

  static func head(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth == .none
      ? ScreenStyle(isReversed: true) : ScreenStyle(foreground: white, background: head)
  }

  static func quiet(_ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth >= .common ? ScreenStyle(foreground: gray) : .faint
  }

  static func strong(_ color: Styling.Color, _ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth == .none ? .bold : ScreenStyle(foreground: color, isBold: true)
  }

  static func plain(_ color: Styling.Color, _ abilities: ScreenAbilities) -> ScreenStyle {
    abilities.depth == .none ? .plain : ScreenStyle(foreground: color)
  }

  /// Hit points: many, some, few.
  static func health(_ value: Int, of total: Int) -> Styling.Color {
    value * 2 > total ? green : value * 5 > total ? gold : red
  }

  /// How a line of the log looks.
  static func line(_ line: QuestNarrator.Line, _ abilities: ScreenAbilities) -> ScreenStyle {
    switch line.kind {
    case .hits: line.actor == 0 ? .plain : plain(red, abilities)
    case .evaded, .waits, .wide: quiet(abilities)
    case .appears: plain(blue, abilities)
    case .falls: strong(line.actor == 0 ? red : orange, abilities)
    case .levelUp: strong(gold, abilities)
    case .ends: .bold
    }
  }

  /// What stands before a line of the log, so that the eye finds what is seldom.
  static func sign(_ line: QuestNarrator.Line, _ abilities: ScreenAbilities) -> String {
    if abilities.isAccessible { return "" }
    let isASCII = abilities.isASCII
    switch line.kind {
    case .hits: return line.actor == 0 ? (isASCII ? ">" : "›") : (isASCII ? "<" : "‹")
    case .evaded, .waits, .wide: return isASCII ? "." : "·"
    case .appears: return "+"
    case .falls: return isASCII ? "x" : "×"
    case .levelUp: return isASCII ? "^" : "▲"
    case .ends: return isASCII ? "=" : "■"
    }
  }

  static func text(_ outcome: QuestOutcome) -> String {
    switch outcome {
    case .win: "a win"
    case .fall: "a fall"
    case .timeout: "the time is over"
    }
  }

  static func style(_ outcome: QuestOutcome, _ abilities: ScreenAbilities) -> ScreenStyle {
    switch outcome {
    case .win: strong(green, abilities)
    case .fall: strong(red, abilities)
    case .timeout: strong(gold, abilities)
    }
  }

  /// Ticks as minutes, seconds and thousandths, or hours as well.
  static func time(_ ticks: Int64) -> String {
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let (hours, minutes, seconds) = (ticks / 3_600_000, ticks / 60_000 % 60, ticks / 1_000 % 60)
    let head = hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)"
    return "\(head):\(padded(seconds, 2)).\(padded(ticks % 1_000, 3))"
  }
}
