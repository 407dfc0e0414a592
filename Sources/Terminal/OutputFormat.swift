/// The formats in which rows leave the program.
///
/// Those for machines lose nothing: what they say can be read back.
package enum OutputFormat: String, CaseIterable, Sendable {
  case table, grid, line, json, jsonl, csv, tsv, markdown

  /// What a list says of the format.
  package var meaning: String {
    switch self {
    case .table: "columns, for people"
    case .grid: "columns in a frame"
    case .line: "a field a line"
    case .json: "one array of objects"
    case .jsonl: "an object a line"
    case .csv: "values with commas between them"
    case .tsv: "values with tabulators between them"
    case .markdown: "a table of Markdown"
    }
  }

  package var isForMachines: Bool {
    switch self {
    case .json, .jsonl, .csv, .tsv: true
    case .table, .grid, .line, .markdown: false
    }
  }

  /// The format for machines that the ending of a file's name says; nil where it says none.
  package init?(ofFile path: String) {
    let file = path.split(separator: "/").last ?? ""
    let parts = file.split(separator: ".")
    guard parts.count > 1 else { return nil }
    let ending = parts[parts.count - 1].lowercased()
    self.init(rawValue: ending == "ndjson" ? "jsonl" : ending)
    if !isForMachines { return nil }
  }
}

/// Writes rows in one of the machine formats, one by one as they come.
///
/// - JSON: one array of objects; numbers are numbers and what is absent is null. JSON Lines: an
///   object a line. Controls of terminals are escaped as `\u…`, so both are safe to look at.
/// - CSV: RFC 4180, but lines end in a line feed alone. What is absent is empty; an empty text is
///   `""`.
/// - TSV: a tab, a line feed, a carriage return and a backslash are `\t`, `\n`, `\r` and `\\`; what
///   is absent is empty, and an empty text is `\e`.
package struct RowWriter {
  package let format: OutputFormat
  private let columns: [OutputColumn]
  private let hasHeader: Bool
  /// What ends a record of CSV and TSV.
  private let terminator: String
  /// True to keep CSV and TSV from commanding a terminal.
  private let isTerminal: Bool
  private var count = 0

  package init(
    _ format: OutputFormat, columns: [OutputColumn], hasHeader: Bool = true,
    terminator: String = "\n", isTerminal: Bool = false
  ) {
    precondition(format.isForMachines, "\(format) needs all rows at once")
    self.format = format
    self.columns = columns
    self.hasHeader = hasHeader
    self.terminator = terminator
    self.isTerminal = isTerminal
  }

  /// What comes before the rows.
  package func head() -> String {
    switch format {
    case .csv: hasHeader ? columns.map { csv($0.name) }.joined(separator: ",") + terminator : ""
    case .tsv: hasHeader ? columns.map { tsv($0.name) }.joined(separator: "\t") + terminator : ""
    case .json: "["
    default: ""
    }
  }

  /// The next row.
  package mutating func row(_ values: [OutputValue]) -> String {
    count += 1
    switch format {
    case .csv, .tsv:
      var text = ""
      for (place, value) in values.enumerated() {
        if place > 0 { text += format == .csv ? "," : "\t" }
        text += format == .csv ? csv(value) : tsv(value)
      }
      return text + terminator
    case .json: return (count == 1 ? "\n  " : ",\n  ") + object(values)
    default: return object(values) + "\n"
    }
  }

  /// What comes after the rows.
  package func tail() -> String {
    format == .json ? (count == 0 ? "]\n" : "\n]\n") : ""
  }

  private func object(_ values: [OutputValue]) -> String {
    var result = "{"
    for (index, value) in values.enumerated() {
      if index > 0 { result += ", " }
      result += JSONText.quoted(columns[index].name) + ": " + JSONText.text(of: value)
    }
    return result + "}"
  }

  private func safe(_ text: String) -> String {
    isTerminal ? TerminalText.escaped(text) : text
  }

  private func csv(_ value: OutputValue) -> String {
    switch value {
    case .text(""): "\"\""
    case .number(let digits): digits
    default: csv(value.cell)
    }
  }

  private func csv(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") && $0 != 10 && $0 != 13
    }
    if isPlain { return safe(text) }
    return "\""
      + safe(
        text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))
      + "\""
  }

  private func tsv(_ value: OutputValue) -> String {
    switch value {
    case .text(""): "\\e"
    case .number(let digits): digits
    default: tsv(value.cell)
    }
  }

  private func tsv(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 != UInt8(ascii: "\\") && $0 != 9 && $0 != 10 && $0 != 13
    }
    if isPlain { return safe(text) }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\\": result += "\\\\"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return safe(result)
  }
}
