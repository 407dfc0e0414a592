/// One column of a table, in the kind that holds it in the fewest bytes before compression.
///
/// Data/README.md describes the kinds.
struct ColumnPacking {
  /// The numbers by which the file knows the kinds.
  enum Kind: UInt8 {
    case integers = 1
    case texts = 2
    case terms = 3
    case lists = 4
    case likeness = 5
  }

  let kind: Kind
  let bytes: [UInt8]

  /// Packs `cells`; of `lists`, each cell is several names with commas between.
  ///
  /// `earlier` are the cells of other columns of the table that may say the same.
  init(_ cells: [String], isLists: Bool, earlier: [[String]]) throws(FactError) {
    if isLists {
      kind = .lists
      bytes = try Self.lists(cells)
    } else if let integers = Self.integers(cells) {
      kind = .integers
      bytes = integers
    } else if Set(cells).count <= cells.count / 4 {
      kind = .terms
      bytes = try Self.terms(cells)
    } else if let likeness = try Self.likeness(cells, earlier) {
      kind = .likeness
      bytes = likeness
    } else {
      kind = .texts
      var sink = ByteSink()
      try sink.put(texts: cells)
      bytes = sink.bytes
    }
  }

  /// The smallest number, the width of the differences from it, a bit for each row that says
  /// whether it has a number, and the differences of those that have; nil where a cell is no number.
  private static func integers(_ cells: [String]) -> [UInt8]? {
    var numbers: [Int64] = []
    for cell in cells where !cell.isEmpty {
      guard let number = Int64(cell), String(number) == cell else { return nil }
      numbers.append(number)
    }
    guard let least = numbers.min(), let greatest = numbers.max() else { return nil }
    let width = greatest - least <= 0xFF ? 1 : greatest - least <= 0xFFFF ? 2 : 8
    var sink = ByteSink()
    sink.put(least)
    sink.put(UInt8(width))
    sink.put(presence(cells.map { !$0.isEmpty }))
    // One byte of all numbers after the other: the upper ones are nearly all the same.
    for byte in 0..<width {
      sink.put(numbers.map { UInt8(truncatingIfNeeded: ($0 - least) >> (8 * byte)) })
    }
    return sink.bytes
  }

  /// The different texts in their order, and for each row the number of its own, from 1 on.
  private static func terms(_ cells: [String]) throws(FactError) -> [UInt8] {
    let dictionary = Set(cells).subtracting([""]).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    var sink = ByteSink()
    try put(dictionary, in: &sink)
    sink.put(numbers(of: cells, in: dictionary))
    return sink.bytes
  }

  /// The different names in their order, how many each row has, and their numbers, from 1 on.
  private static func lists(_ cells: [String]) throws(FactError) -> [UInt8] {
    let lists = cells.map { $0.split(separator: ",").map(String.init) }
    let dictionary = Set(lists.joined()).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var sink = ByteSink()
    try put(dictionary, in: &sink)
    sink.put(lists.map { UInt8($0.count) })
    sink.put(numbers(of: Array(lists.joined()), in: dictionary))
    return sink.bytes
  }

  private static func put(_ dictionary: [String], in sink: inout ByteSink) throws(FactError) {
    guard let count = UInt16(exactly: dictionary.count) else {
      throw FactError(table: "texts", "\(dictionary.count) different ones")
    }
    sink.put(count)
    try sink.put(texts: dictionary)
  }

  /// The numbers of `names` in `dictionary`: all lower bytes, then all upper ones if there are any.
  private static func numbers(of names: [String], in dictionary: [String]) -> [UInt8] {
    var places: [String: Int] = ["": 0]
    for (place, text) in dictionary.enumerated() { places[text] = place + 1 }
    let numbers = names.map { places[$0] ?? 0 }
    let lower = numbers.map { UInt8($0 & 0xFF) }
    return dictionary.count <= 0xFF ? lower : lower + numbers.map { UInt8($0 >> 8) }
  }

  /// For each row the number, from 1 on, of the first earlier column that says the same, or 0, and
  /// the texts of the rows that have 0; nil where too few rows are like others.
  private static func likeness(
    _ cells: [String], _ earlier: [[String]]
  ) throws(FactError) -> [UInt8]? {
    var models: [UInt8] = []
    for (row, cell) in cells.enumerated() {
      let model = earlier.firstIndex { $0[row] == cell }
      models.append(UInt8((model ?? -1) + 1))
    }
    guard models.count(where: { $0 > 0 }) > cells.count / 8, earlier.count < 255 else { return nil }
    var sink = ByteSink()
    sink.put(models)
    try sink.put(texts: zip(cells, models).filter { $0.1 == 0 }.map(\.0))
    return sink.bytes
  }

  /// A bit for each row, the first in the lowest bit of the first byte.
  private static func presence(_ rows: [Bool]) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: (rows.count + 7) / 8)
    for (row, isPresent) in rows.enumerated() where isPresent {
      bits[row / 8] |= 1 << UInt8(row % 8)
    }
    return bits
  }
}
