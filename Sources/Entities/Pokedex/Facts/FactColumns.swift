/// A table of the file of facts, whose columns are decoded when they are asked for.
struct FactColumns {
  /// The numbers by which the file knows the kinds of columns.
  private enum Kind: UInt8 {
    case integers = 1
    case texts = 2
    case terms = 3
    case lists = 4
    case likeness = 5
  }

  private struct Column {
    let name: String
    let kind: Kind
    let bytes: ArraySlice<UInt8>
  }

  let table: String
  let rowCount: Int
  private var columns: [Column] = []

  /// Takes the bytes of `table`, believing nothing they say.
  init(
    untrusted bytes: ArraySlice<UInt8>, table: String, columnCount: Int, rowCount: Int
  ) throws(FactsError) {
    self.table = table
    self.rowCount = rowCount
    var reader = FactReader(bytes, table: table)
    for _ in 0..<columnCount {
      let name = try reader.text(Int(try reader.byte()))
      let number = try reader.byte()
      guard let kind = Kind(rawValue: number) else { throw reader.failure(.kind(number)) }
      let count = Int(try reader.number(UInt32.self))
      columns.append(Column(name: name, kind: kind, bytes: try reader.bytes(count)))
    }
    try reader.finish()
  }

  /// The names of the columns, in their order.
  var columnNames: [String] { columns.map(\.name) }

  /// The numbers of the column `name`; nil where the fact is absent.
  func integers(_ name: String) throws(FactsError) -> [Int?] {
    let column = try column(name, [.integers])
    var reader = FactReader(column.bytes, table: table, column: name)
    let least = try reader.number(Int64.self)
    let width = try reader.byte()
    guard [1, 2, 8].contains(width) else { throw reader.failure(.width(width)) }
    let bits = Array(try reader.bytes((rowCount + 7) / 8))
    let present = (0..<rowCount).filter { bits[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
    var differences = [UInt64](repeating: 0, count: present.count)
    for byte in 0..<Int(width) {
      for (place, value) in try reader.bytes(present.count).enumerated() {
        differences[place] |= UInt64(value) << UInt64(8 * byte)
      }
    }
    try reader.finish()
    var integers = [Int?](repeating: nil, count: rowCount)
    for (row, difference) in zip(present, differences) {
      integers[row] = Int(least &+ Int64(truncatingIfNeeded: difference))
    }
    return integers
  }

  /// The texts of the column `name`; an empty one where the fact is absent.
  func texts(_ name: String) throws(FactsError) -> [String] {
    let column = try column(name, [.texts, .terms, .likeness])
    guard column.kind == .likeness else { return try ownTexts(of: column) }
    let place = columns.firstIndex { $0.name == name } ?? 0
    return try texts(throughPlace: place)[place]
  }

  /// The texts of all columns through the one at `place`, of columns of other kinds none.
  ///
  /// Each column is decoded once, also where many later ones are like it.
  func texts(throughPlace place: Int) throws(FactsError) -> [[String]] {
    var decoded: [[String]] = []
    for column in columns[...place] {
      switch column.kind {
      case .integers, .lists: decoded.append([])
      case .texts, .terms: decoded.append(try ownTexts(of: column))
      case .likeness: decoded.append(try texts(of: column, like: decoded))
      }
    }
    return decoded
  }

  private func ownTexts(of column: Column) throws(FactsError) -> [String] {
    var reader = FactReader(column.bytes, table: table, column: column.name)
    var texts: [String]
    if column.kind == .terms {
      let dictionary = try reader.dictionary()
      texts = try reader.references(rowCount, toTexts: dictionary.count).map { reference in
        reference == 0 ? "" : dictionary[reference - 1]
      }
    } else {
      texts = try reader.texts(rowCount)
    }
    try reader.finish()
    return texts
  }

  /// The texts of a column of which some are those that `earlier` columns have in the same row.
  private func texts(of column: Column, like earlier: [[String]]) throws(FactsError) -> [String] {
    var reader = FactReader(column.bytes, table: table, column: column.name)
    let models = try reader.bytes(rowCount)
    var own = try reader.texts(models.count { $0 == 0 })[...]
    try reader.finish()
    var texts: [String] = []
    for (row, model) in models.enumerated() {
      if model == 0 {
        texts.append(own.removeFirst())
        continue
      }
      guard Int(model) <= earlier.count, !earlier[Int(model) - 1].isEmpty else {
        throw reader.failure(.reference(Int(model)))
      }
      texts.append(earlier[Int(model) - 1][row])
    }
    return texts
  }

  /// The lists of names of the column `name`.
  func lists(_ name: String) throws(FactsError) -> [[String]] {
    let column = try column(name, [.lists])
    var reader = FactReader(column.bytes, table: table, column: name)
    let dictionary = try reader.dictionary()
    let counts = try reader.bytes(rowCount)
    let total = counts.reduce(0) { $0 + Int($1) }
    var references = try reader.references(total, toTexts: dictionary.count)[...]
    var lists: [[String]] = []
    for count in counts {
      let names = references.prefix(Int(count))
      references = references.dropFirst(Int(count))
      guard !names.contains(0) else { throw reader.failure(.reference(0)) }
      lists.append(names.map { dictionary[$0 - 1] })
    }
    try reader.finish()
    return lists
  }

  private func column(_ name: String, _ kinds: [Kind]) throws(FactsError) -> Column {
    guard let column = columns.first(where: { $0.name == name }), kinds.contains(column.kind) else {
      throw .missingColumn(table: table, column: name)
    }
    return column
  }
}
