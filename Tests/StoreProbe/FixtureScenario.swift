import Glibc
import PageStore

/// Makes a database that is kept as a fixture, and says what it must hold.
///
/// What is said comes from the rows that went in, by way of a dictionary, and not from the store.
struct FixtureScenario {
  let probe: Probe

  init(_ probe: Probe) { self.probe = probe }

  /// Writes the fixture; with the option `crash`, ends the process without closing.
  func run() throws(StoreError) {
    var options = StoreOptions()
    options.pageByteCount = probe.console["page"] ?? 4096
    let store = try Store(path: probe.path, options: options)
    var rows = FixtureRows()
    for step in 0..<FixtureRows.stepCount {
      try store.write { (transaction) throws(StoreError) in
        try rows.apply(step, to: &transaction)
      }
    }
    for line in rows.lines { probe.console.say(line) }
    if probe.console["crash"] != nil { _exit(0) }
    try store.close()
  }
}

/// The rows of a fixture: each change is made to a transaction and to a dictionary.
private struct FixtureRows {
  static let stepCount = 14

  private var tables: [String: [[UInt8]: [UInt8]]] = [:]

  /// Makes the changes of transaction `step`.
  mutating func apply(_ step: Int, to transaction: inout WriteTransaction) throws(StoreError) {
    switch step {
    case 0:
      try create("towns", in: &transaction)
      for number in 0..<300 { try put("towns", town(number), "place \(number)", in: &transaction) }
    case 1:
      try create("large", in: &transaction)
      for (number, count) in [1200, 2100, 4096, 5000, 9000].enumerated() {
        try put("large", "value \(number)", repeating: "\(number) and on ", count, in: &transaction)
      }
    case 2:
      try create("empty", in: &transaction)
      try create("gone", in: &transaction)
      for number in 0..<20 { try put("gone", "row \(number)", "nothing", in: &transaction) }
    case 3: try putUnusualKeys(in: &transaction)
    case 4:
      for number in stride(from: 0, to: 300, by: 3) {
        try delete("towns", town(number), in: &transaction)
      }
    case 5: try drop("gone", in: &transaction)
    case 6:
      try put("large", "value 0", "short now", in: &transaction)
      try delete("large", "value 1", in: &transaction)
      try put("large", "value 2", repeating: "other ", 7000, in: &transaction)
      try put("large", "value 5", repeating: "new", 3000, in: &transaction)
    case 7: try deleteRange("towns", town(100), town(150), in: &transaction)
    case 8:
      try create("old name", in: &transaction)
      for number in 0..<5 { try put("old name", "row \(number)", "kept", in: &transaction) }
    case 9: try rename("old name", to: "Größe 山", in: &transaction)
    case 10: try deleteRange("towns", town(280), nil, in: &transaction)
    case 11:
      for number in stride(from: 0, to: 100, by: 7) {
        try put("towns", town(number), repeating: "longer ", 210, in: &transaction)
      }
    case 12:
      try create("passing", in: &transaction)
      try put("passing", "row", "soon gone", in: &transaction)
      try drop("passing", in: &transaction)
    default:
      try delete("keys", "", in: &transaction)
      try put("keys", "last", "", in: &transaction)
    }
  }

  private func town(_ number: Int) -> String {
    let digits = "\(number)"
    return "town " + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  private mutating func putUnusualKeys(
    in transaction: inout WriteTransaction
  ) throws(StoreError) {
    try create("keys", in: &transaction)
    let long = [UInt8](repeating: UInt8(ascii: "k"), count: 1024)
    let keys: [[UInt8]] = [
      [], [0], [0, 0], [255], [255, 255, 255, 255, 255], long, Array(long.dropLast()),
    ]
    for key in keys { try put("keys", key, Array("\(key.count) bytes".utf8), in: &transaction) }
  }

  // MARK: One change, on both sides

  private mutating func create(
    _ name: String, in transaction: inout WriteTransaction
  ) throws(StoreError) {
    _ = try transaction.createTable(name)
    tables[name] = [:]
  }

  private mutating func drop(
    _ name: String, in transaction: inout WriteTransaction
  ) throws(StoreError) {
    try transaction.drop(try transaction.table(name))
    tables[name] = nil
  }

  private mutating func rename(
    _ name: String, to newName: String, in transaction: inout WriteTransaction
  ) throws(StoreError) {
    try transaction.rename(try transaction.table(name), to: newName)
    tables[newName] = tables.removeValue(forKey: name)
  }

  private mutating func put(
    _ table: String, _ key: [UInt8], _ value: [UInt8], in transaction: inout WriteTransaction
  ) throws(StoreError) {
    try transaction.put(key, value, in: try transaction.table(table))
    tables[table]?[key] = value
  }

  private mutating func put(
    _ table: String, _ key: String, _ value: String, in transaction: inout WriteTransaction
  ) throws(StoreError) {
    try put(table, Array(key.utf8), Array(value.utf8), in: &transaction)
  }

  private mutating func put(
    _ table: String, _ key: String, repeating pattern: String, _ count: Int,
    in transaction: inout WriteTransaction
  ) throws(StoreError) {
    let pattern = Array(pattern.utf8)
    let value = (0..<count).map { pattern[$0 % pattern.count] }
    try put(table, Array(key.utf8), value, in: &transaction)
  }

  private mutating func delete(
    _ table: String, _ key: String, in transaction: inout WriteTransaction
  ) throws(StoreError) {
    try transaction.delete(Array(key.utf8), in: try transaction.table(table))
    tables[table]?[Array(key.utf8)] = nil
  }

  private mutating func deleteRange(
    _ table: String, _ lower: String, _ upper: String?, in transaction: inout WriteTransaction
  ) throws(StoreError) {
    let (lower, upper) = (Array(lower.utf8), upper.map { Array($0.utf8) })
    try transaction.deleteRange(from: lower, to: upper, in: try transaction.table(table))
    tables[table] = tables[table]?.filter { key, _ in
      if key.lexicographicallyPrecedes(lower) { return true }
      guard let upper else { return false }
      return !key.lexicographicallyPrecedes(upper)
    }
  }

  // MARK: Text

  /// A line for each table, and below it one for each row: key and value in hexadecimal.
  var lines: [String] {
    var lines: [String] = []
    for (name, rows) in tables.sorted(by: { $0.key < $1.key }) {
      lines.append("table " + hexadecimal(Array(name.utf8)))
      for (key, value) in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        lines.append("row " + hexadecimal(key) + " " + hexadecimal(value))
      }
    }
    return lines
  }

  /// Two digits a byte; no bytes are a dot.
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "." }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
