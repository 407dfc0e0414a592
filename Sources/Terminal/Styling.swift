/// Colours and weights of text on a terminal; none of them alone carries meaning.
package struct Styling: Equatable, Sendable {
  /// What the user asked for.
  package enum Choice: String, CaseIterable, Sendable { case auto, always, never }

  package var isColored: Bool
  /// Lines, bars and ellipses of ASCII alone.
  package var isASCII: Bool

  package init(isColored: Bool = false, isASCII: Bool = false) {
    self.isColored = isColored
    self.isASCII = isASCII
  }

  /// The styling that suits the output: colours on a terminal that has them, unless the user does
  /// not want any.
  package init(
    _ choice: Choice, isTerminal: Bool, isASCII: Bool, environment: (String) -> String?
  ) {
    let isUnwanted = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    let isDumb = environment("TERM").map { $0 == "dumb" || $0.isEmpty } ?? true
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto: isColored = isTerminal && !isUnwanted && !isDumb
    }
    self.isASCII = isASCII
  }

  package var ellipsis: String { isASCII ? "..." : "…" }

  package func bold(_ text: String) -> String { styled(text, "1") }

  package func faint(_ text: String) -> String { styled(text, "2") }

  package func red(_ text: String) -> String { styled(text, "31") }

  /// `text` in a colour given by its red, green and blue.
  package func colored(_ text: String, _ color: Color) -> String {
    styled(text, "38;2;\(color.red);\(color.green);\(color.blue)")
  }

  private func styled(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A colour of 24 bits.
  package struct Color: Equatable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }
  }
}
