/// A table of facts as its file has it: a line of column names, then a line for each row.
///
/// Every row has as many cells as there are columns. An empty cell means that the fact is absent.
struct FactTable {
  let name: String
  let columns: [String]
  let rows: [[String]]

  /// Takes the text of the table `name`.
  ///
  /// - Throws: `FactError`, with the line, where the text is no such table.
  init(name: String, text: [UInt8]) throws(FactError) {
    self.name = name
    guard text.last == UInt8(ascii: "\n") else { throw FactError(table: name, "a cut last line") }
    var lines: [[String]] = []
    for line in text.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      let cells = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      var row: [String] = []
      for cell in cells {
        guard let cell = String(validating: cell, as: UTF8.self) else {
          throw FactError(table: name, "line \(lines.count + 1) is not UTF-8")
        }
        row.append(cell)
      }
      guard row.count == lines.first?.count ?? row.count else {
        throw FactError(table: name, "line \(lines.count + 1) has \(row.count) cells")
      }
      lines.append(row)
    }
    columns = lines[0]
    rows = Array(lines.dropFirst())
  }

  /// A table of the same rows in other columns.
  private init(name: String, columns: [String], rows: [[String]]) {
    self.name = name
    self.columns = columns
    self.rows = rows
  }

  /// The cells of `column`, from the first row to the last.
  func cells(of column: String) -> [String] {
    guard let place = columns.firstIndex(of: column) else { return [] }
    return rows.map { $0[place] }
  }

  /// The table of names with a column for each language, instead of a row for each.
  ///
  /// - Throws: `FactError` where a number lacks a language.
  func spreadByLanguage() throws(FactError) -> FactTable {
    let languages = Set(cells(of: "language")).sorted()
    var numbers: [String] = []
    var names: [String: [String: String]] = [:]
    for row in rows {
      if names[row[0]] == nil { numbers.append(row[0]) }
      names[row[0], default: [:]][row[1]] = row[2]
    }
    var spread: [[String]] = []
    for number in numbers {
      let named = names[number] ?? [:]
      guard named.count == languages.count else {
        throw FactError(table: name, "number \(number) has \(named.count) languages")
      }
      spread.append([number] + languages.map { named[$0] ?? "" })
    }
    guard spread.count * languages.count == rows.count else {
      throw FactError(table: name, "a language twice")
    }
    return FactTable(name: name, columns: ["number"] + languages, rows: spread)
  }
}

/// What is wrong with the facts, and in which table.
struct FactError: Error, CustomStringConvertible {
  let description: String

  init(table: String, _ reason: String) { description = "\(table): \(reason)" }
}
