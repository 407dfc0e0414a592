/// Writes values as JSON (RFC 8259), in a way that is safe to show on a terminal.
package enum JSONText {
  package static func text(of value: OutputValue) -> String {
    switch value {
    case .absent: "null"
    case .flag(let isSet): isSet ? "true" : "false"
    case .number(let text): text
    case .text(let text): quoted(text)
    case .list(let texts): "[" + texts.map(quoted).joined(separator: ", ") + "]"
    case .map(let entries):
      "{" + entries.map { quoted($0.key) + ": " + quoted($0.text) }.joined(separator: ", ") + "}"
    }
  }

  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where TerminalText.isDangerous(scalar):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
