import PageStore

/// Transactions that make small databases.
enum FuzzedSample {
  /// A table with one leaf.
  case tiny
  /// A tree of two levels, and a long value.
  case small
  /// After `small`, so that there are pages that an older state had.
  case changedSmall
  /// Long keys, so that the tree has three levels.
  case deep
  /// Values that lie in runs of pages.
  case long
  /// One table of rows in two leaves.
  case rows

  func fill(_ transaction: inout WriteTransaction) throws(StoreError) {
    switch self {
    case .tiny:
      let table = try transaction.createTable("t")
      try transaction.put("key", "value", in: table)
      try transaction.put("keys", "", in: table)
    case .small:
      try putRows(30, in: "rows", &transaction)
      let long = try transaction.createTable("long")
      try transaction.put([1], [UInt8](repeating: 7, count: 4500), in: long)
      _ = try transaction.createTable("empty")
    case .changedSmall:
      try transaction.delete("row 3", in: try transaction.table("rows"))
    case .deep:
      let table = try transaction.createTable("deep")
      for row in 0..<24 {
        let key = [UInt8(row)] + [UInt8](repeating: UInt8(200 - row), count: 1000)
        try transaction.put(key, [UInt8(row)], in: table)
      }
    case .long:
      let table = try transaction.createTable("long")
      for key in 0..<3 {
        let value = [UInt8](repeating: UInt8(key), count: 5000 + key * 4000)
        try transaction.put([UInt8(key)], value, in: table)
      }
    case .rows: try putRows(20, in: "t", &transaction)
    }
  }

  private func putRows(
    _ count: Int, in name: String, _ transaction: inout WriteTransaction
  ) throws(StoreError) {
    let table = try transaction.createTable(name)
    for row in 0..<count {
      let value = [UInt8](repeating: UInt8(row), count: 300)
      try transaction.put("row \(row)", value, in: table)
    }
  }
}
