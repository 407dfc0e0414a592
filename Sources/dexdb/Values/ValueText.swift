import Entities
import PageStore
import Terminal

/// Turns values of fields into what goes out, exactly, and text that comes in into values.
enum ValueText {
  /// The value as a machine reads it.
  static func output(_ value: FieldValue?, _ kind: FieldKind) -> OutputValue {
    switch value {
    case nil: return .absent
    case .flag(let isSet): return .flag(isSet)
    case .integer(let parts):
      switch kind {
      case .decimal(let denominator):
        return .number(ExactDecimal.text(of: parts, over: Int64(denominator)))
      case .date: return .text(Timestamp.text(of: parts))
      default: return .number(String(parts))
      }
    case .real(let number): return .number("\(number)")
    case .text(let text): return .text(text)
    case .names(let names): return .list(names)
    case .translations(let names):
      return .map(names.map { OutputValue.Entry(key: $0.language, text: $0.text) })
    case .bytes(let bytes): return .text(hex(bytes))
    }
  }

  /// The value as a person reads it: fractions to two places, days without their time.
  static func shown(_ value: FieldValue?, _ kind: FieldKind) -> OutputValue {
    switch (value, kind) {
    case (.real(let number)?, _): .number(ExactDecimal.rounded(number))
    case (.integer(let parts)?, .decimal(let denominator)):
      .number(ExactDecimal.rounded(Double(parts) / Double(denominator)))
    case (.integer(let parts)?, .date): .text(DateReader.text(of: parts))
    case (.bytes(let bytes)?, _): .text(bytes.count.counted("byte"))
    default: output(value, kind)
    }
  }

  static func isNumeric(_ kind: FieldKind) -> Bool {
    switch kind {
    case .integer, .decimal, .real, .reference: true
    default: false
    }
  }

  // Text that comes in

  /// Why a text is no value of a field: what is wrong, and what to write.
  struct Refusal: Error, Equatable {
    var message: String
    var help: String
  }

  /// The value of a field that `text` stands for; nil, absent, where it is empty.
  static func value(_ text: String, of field: FieldDefinition) throws(Refusal) -> FieldValue? {
    if text.isEmpty { return nil }
    switch field.kind {
    case .flag: return .flag(try flag(text))
    case .integer, .reference:
      guard let number = Int64(text) else {
        let digits = text.first == "-" ? text.dropFirst() : text[...]
        if !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) {
          throw Refusal(message: "\(quoted(text)) is out of range", help: "write fewer digits")
        }
        throw Refusal(
          message: "\(quoted(text)) is no whole number", help: "write digits, such as 12")
      }
      return .integer(number)
    case .decimal(let denominator): return .integer(try parts(text, Int64(denominator)))
    case .real:
      guard let number = Double(text), number.isFinite else {
        throw Refusal(message: "\(quoted(text)) is no number", help: "write digits, such as 1.5")
      }
      return .real(number)
    case .text: return .text(text)
    case .vocabulary(let names): return .text(try name(text, names))
    case .names(let names):
      var chosen: [String] = []
      for item in OutputValue.items(of: text) {
        chosen.append(try names.map { list throws(Refusal) in try name(item, list) } ?? item)
      }
      return .names(chosen)
    case .translations: return .translations(try translations(text))
    case .bytes: return .bytes(try bytes(text))
    case .date:
      guard let milliseconds = Timestamp.milliseconds(text) else {
        throw Refusal(message: "\(quoted(text)) is no date", help: "write it as 2025-01-31")
      }
      return .integer(milliseconds)
    }
  }

  /// A value as messages show it.
  private static func quoted(_ text: String) -> String { "'\(TerminalText.excerpt(text))'" }

  private static func flag(_ text: String) throws(Refusal) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default:
      throw Refusal(message: "\(quoted(text)) is neither yes nor no", help: "write yes or no")
    }
  }

  private static func parts(_ text: String, _ denominator: Int64) throws(Refusal) -> Int64 {
    switch ExactDecimal.parts(text, over: denominator) {
    case .parts(let parts): return parts
    case .notANumber:
      throw Refusal(message: "\(quoted(text)) is no number", help: "write digits, such as 1.5")
    case .outOfRange:
      throw Refusal(message: "\(quoted(text)) is out of range", help: "write fewer digits")
    case .between(let step):
      throw Refusal(
        message: "\(quoted(text)) is finer than what is kept", help: "steps are \(step)")
    }
  }

  private static func name(_ text: String, _ names: [String]) throws(Refusal) -> String {
    let lower = text.lowercased()
    if let name = names.first(where: { $0.lowercased() == lower }) { return name }
    let near = NearestName.of(text, among: names)
    throw Refusal(
      message: "\(quoted(text)) is not in the list",
      help: near.map { "did you mean '\($0)'?" } ?? "one of " + names.joined(separator: ", "))
  }

  private static func translations(_ text: String) throws(Refusal) -> [Translation] {
    var result: [Translation] = []
    for item in OutputValue.items(of: text) {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw Refusal(
          message: "\(quoted(item)) has no language",
          help: "write it as en=\(TerminalText.excerpt(item))")
      }
      result.append(Translation(language: String(parts[0]), text: String(parts[1])))
    }
    return result
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(_ text: String) throws(Refusal) -> [UInt8] {
    var nibbles: [UInt8] = []
    for character in text {
      guard character.isASCII, let digit = character.hexDigitValue else { break }
      nibbles.append(UInt8(digit))
    }
    guard nibbles.count == text.utf8.count, nibbles.count % 2 == 0 else {
      throw Refusal(message: "the bytes are not hexadecimal", help: "two digits of 0-9a-f a byte")
    }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }
}
