import PageStore

/// A history of transactions that any process can go on with, and any process can check.
///
/// Transaction number `n` reads the counter `n - 1`, sets it to `n`, and puts or deletes a few rows
/// that follow from `n` alone. So the counter says what the whole store must hold: a store that
/// holds anything else is not the state after a whole number of transactions.
public enum ProbeHistory {
  /// The number of slots in each of the tables of rows; they share no factor.
  static let slotCounts = [97, 31, 13]
  static let counterTable = "counter"
  /// A table that comes with one transaction and goes with another.
  static let passingTable = "passing"
  static let passingPeriod = 40

  static func table(_ index: Int) -> String { "rows \(index)" }
  static func key(_ slot: Int) -> [UInt8] { Array("slot \(slot)".utf8) }

  /// What transaction `number` puts into table `index`; nil where it deletes.
  static func value(_ number: Int, _ index: Int) -> [UInt8]? {
    let round = number / slotCounts[index]
    if round % 5 == 4 { return nil }
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(index) &* 0xD1B5_4A32_D192_ED03
    state ^= state >> 31
    // Now and then a value that needs pages of its own.
    let length = number % 50 == 0 && index == 1 ? 20_000 : 20 + Int(state % 180)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    for _ in 0..<length {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes.append(UInt8(truncatingIfNeeded: state >> 56))
    }
    return bytes
  }

  /// The eight bytes of `number`.
  static func bytes(of number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  static func number(of bytes: RawSpan) -> Int {
    var number = 0
    for index in 0..<min(8, bytes.byteCount) {
      number |= Int(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) << (index * 8)
    }
    return number
  }

  // MARK: Writing

  /// Does the next transaction of the history in `transaction`.
  ///
  /// - Returns: Its number.
  public static func step(_ transaction: inout WriteTransaction) throws(StoreError) -> Int {
    let counter = try transaction.createTableIfNeeded(counterTable)
    let number = try count(in: transaction, counter) + 1
    try transaction.put(Array("n".utf8), bytes(of: number), in: counter)
    for index in slotCounts.indices {
      let rows = try transaction.createTableIfNeeded(table(index))
      let key = key(number % slotCounts[index])
      if let value = value(number, index) {
        try transaction.put(key, value, in: rows)
      } else {
        try transaction.delete(key, in: rows)
      }
    }
    switch number % passingPeriod {
    case 0:
      if try transaction.hasTable(passingTable) {
        try transaction.drop(try transaction.table(passingTable))
      }
    case passingPeriod / 2:
      let passing = try transaction.createTable(passingTable)
      try transaction.put(Array("n".utf8), bytes(of: number), in: passing)
    default: break
    }
    return number
  }

  private static func count(
    in transaction: borrowing WriteTransaction, _ counter: TableHandle
  ) throws(StoreError) -> Int {
    let key = Array("n".utf8)
    guard let value = try transaction.get(key.span.bytes, in: counter) else { return 0 }
    return number(of: value)
  }

  // MARK: Reading

  /// The number of transactions that `snapshot` holds.
  public static func count(in snapshot: borrowing Snapshot) throws(StoreError) -> Int {
    guard try snapshot.hasTable(counterTable) else { return 0 }
    let table = try snapshot.table(counterTable)
    guard let value = try table.get("n") else { return 0 }
    return number(of: value)
  }

  /// What is wrong in `snapshot`, which must be the state after as many transactions as it counts;
  /// nil where nothing is.
  public static func problem(in snapshot: borrowing Snapshot) throws(StoreError) -> String? {
    let count = try count(in: snapshot)
    if count == 0 {
      return try snapshot.tableNames().contains(table(0)) ? "rows without a counter" : nil
    }
    for index in slotCounts.indices {
      let table = try snapshot.table(table(index))
      var expectedCount = 0
      for slot in 0..<slotCounts[index] {
        let newest = count - (count - slot + slotCounts[index]) % slotCounts[index]
        let expected = newest >= 1 ? value(newest, index) : nil
        if expected != nil { expectedCount += 1 }
        let place = "count \(count), table \(index), slot \(slot)"
        if let found = try table.get(key(slot)) {
          guard let expected else { return "\(place): a row too many" }
          if !equal(expected, found) { return "\(place): another value than of \(newest)" }
        } else if expected != nil {
          return "\(place): no row of \(newest)"
        }
      }
      if table.count != expectedCount {
        return "count \(count), table \(index): \(table.count) rows for \(expectedCount)"
      }
    }
    let isPassing = count % passingPeriod >= passingPeriod / 2
    if try snapshot.hasTable(passingTable) != isPassing {
      return "count \(count): the passing table is \(isPassing ? "not " : "")there"
    }
    return nil
  }

  private static func equal(_ bytes: [UInt8], _ span: RawSpan) -> Bool {
    if bytes.count != span.byteCount { return false }
    for index in bytes.indices
    where bytes[index] != span.unsafeLoad(fromByteOffset: index, as: UInt8.self) {
      return false
    }
    return true
  }

  /// A hash of every table, key and value of `snapshot`.
  public static func hash(of snapshot: borrowing Snapshot) throws(StoreError) -> UInt64 {
    var hash = Hash()
    for name in try snapshot.tableNames() {
      let nameBytes = Array(name.utf8)
      hash.add(nameBytes.span.bytes)
      let table = try snapshot.table(name)
      var cursor = table.cursor()
      while try cursor.next() {
        hash.add(cursor.key)
        hash.add(try cursor.value)
      }
    }
    return hash.value
  }

  /// FNV-1a, over lengths and bytes.
  struct Hash {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: RawSpan) {
      value = (value ^ UInt64(bytes.byteCount)) &* 0x0000_0100_0000_01B3
      for index in 0..<bytes.byteCount {
        let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      }
    }
  }
}
