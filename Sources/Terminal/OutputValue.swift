/// A value on its way out of the program, in whatever format.
package enum OutputValue: Equatable, Sendable {
  case absent
  case flag(Bool)
  /// A number as JSON writes it.
  case number(String)
  case text(String)
  case list([String])
  /// Texts by name, such as names by language.
  case map([Entry])

  /// A text and its name.
  package struct Entry: Equatable, Sendable {
    package var key: String
    package var text: String

    package init(key: String, text: String) {
      self.key = key
      self.text = text
    }
  }

  /// The value as text in one cell, where commas separate what is several.
  ///
  /// A comma or a backslash within one of several is escaped by a backslash; one empty text alone is
  /// a backslash, since an empty cell is no text at all.
  package var cell: String {
    switch self {
    case .absent: ""
    case .flag(let isSet): isSet ? "true" : "false"
    case .number(let text), .text(let text): text
    case .list([""]): "\\"
    case .list(let texts): texts.map(Self.escapedItem).joined(separator: ",")
    case .map(let entries):
      entries.map { Self.escapedItem($0.key + "=" + $0.text) }.joined(separator: ",")
    }
  }

  /// The value as a person reads it.
  package var shown: String {
    switch self {
    case .flag(let isSet): isSet ? "yes" : "no"
    case .list(let texts): texts.joined(separator: ", ")
    case .map(let entries): entries.map { "\($0.key) \($0.text)" }.joined(separator: ", ")
    default: cell
    }
  }

  private static func escapedItem(_ text: String) -> String {
    if !text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\\") }) {
      return text
    }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "," || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The texts that one cell of several holds.
  package static func items(of cell: String) -> [String] {
    if cell.isEmpty { return [] }
    var items = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in cell.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if !isEscaped, scalar == "," {
        items.append(String.UnicodeScalarView())
      } else {
        items[items.count - 1].append(scalar)
        isEscaped = false
      }
    }
    return items.map { String($0) }
  }
}

/// A column of output.
package struct OutputColumn: Equatable, Sendable {
  package var name: String
  /// Numbers stand at the right.
  package var isNumeric: Bool

  package init(_ name: String, isNumeric: Bool = false) {
    self.name = name
    self.isNumeric = isNumeric
  }
}
