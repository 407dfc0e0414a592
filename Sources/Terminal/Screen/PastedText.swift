/// Text that a terminal marks as pasted, while it comes: one line, which holds no command.
struct PastedText {
  private var scalars = String.UnicodeScalarView()
  /// What may be the beginning of the end.
  private var held: [UInt32] = []
  /// True where a line ended, or something else did that becomes a blank before what follows.
  private var isApart = false
  private var isBegun = false
  private(set) var isOver = false
  private var last = ContinuousClock.now

  /// What ends it, where that comes in pieces of which the screen library makes no key.
  private static let end = "\u{1B}[201~".unicodeScalars.map(\.value)
  /// As much as is given on at once.
  private static let most = 4096
  /// A terminal that has been quiet for so long will not end it any more.
  private static let patience = Duration.seconds(3)

  /// True where whatever comes now is typed.
  var isOverdue: Bool { ContinuousClock.now - last > Self.patience }

  var isFull: Bool { scalars.count >= Self.most }

  mutating func end() {
    held = []
    isOver = true
  }

  mutating func append(_ character: UInt32) {
    last = ContinuousClock.now
    if character != Self.end[held.count] {
      for earlier in held { add(earlier) }
      held = []
    }
    if character == Self.end[held.count] {
      held.append(character)
      if held.count == Self.end.count { end() }
    } else {
      add(character)
    }
  }

  private mutating func add(_ character: UInt32) {
    switch character {
    case 0x09...0x0D, 0x2028, 0x2029: isApart = isBegun
    case 0..<0x20, 0x7F..<0xA0: break
    default:
      guard let scalar = Unicode.Scalar(character) else { return }
      if isApart, scalar != " " { scalars.append(" ") }
      isApart = false
      isBegun = true
      scalars.append(scalar)
    }
  }

  /// What has come since the last time.
  mutating func take() -> String {
    defer { scalars = String.UnicodeScalarView() }
    return String(scalars)
  }
}
