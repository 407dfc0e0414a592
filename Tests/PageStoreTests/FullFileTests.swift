import PageStore
import Testing

/// A store that has reached its largest size.
@Suite struct `A store that may not grow` {
  /// A store filled with rows until the next one was refused.
  private func makeFullStore() throws -> (store: Store, rowCount: Int) {
    var options = StoreOptions()
    options.maximumByteCount = 1 << 20
    let store = try Store.inMemory(options: options)
    try store.write { (transaction) throws(StoreError) in
      _ = try transaction.createTable("rows")
    }
    var rowCount = 0
    while true {
      do throws(StoreError) {
        try store.write { (transaction) throws(StoreError) in
          let rows = try transaction.table("rows")
          for number in rowCount..<rowCount + 10 {
            try transaction.put(key(number), [UInt8](repeating: 7, count: 500), in: rows)
          }
        }
      } catch {
        guard case .fileTooLarge = error else { throw error }
        return (store, rowCount)
      }
      rowCount += 10
    }
  }

  private func key(_ number: Int) -> [UInt8] { Array("\(1_000_000 + number)".utf8) }

  /// Deletes rows of many leaves, which are copied for it, and so need more than is free.
  private func deleteScattered(
    in transaction: inout WriteTransaction
  ) throws(StoreError) {
    let rows = try transaction.table("rows")
    for number in stride(from: 0, to: 6 * 50, by: 50) {
      try transaction.delete(key(number), in: rows)
    }
  }

  @Test func `still deletes, and then has room again`() throws {
    let (store, rowCount) = try makeFullStore()
    try #require(rowCount > 400)
    #expect(storeError { try deleteScattered(in: store) } == nil)
    let error = storeError {
      try store.write { (transaction) throws(StoreError) in
        let rows = try transaction.table("rows")
        _ = try transaction.deleteRange(from: key(1), to: key(300), in: rows)
      }
    }
    #expect(error == nil)
    try store.checkpoint()
    try store.write { (transaction) throws(StoreError) in
      let rows = try transaction.table("rows")
      try transaction.put(key(1), [UInt8](repeating: 8, count: 500), in: rows)
    }
    try expectSound(store, rowCount: rowCount - 300 + 1)
  }

  private func deleteScattered(in store: Store) throws(StoreError) {
    try store.write { (transaction) throws(StoreError) in
      try deleteScattered(in: &transaction)
    }
  }

  @Test(arguments: ["nothing", "rename", "create", "put", "savepoint"])
  func `lets a transaction that deletes change what takes no more pages`(other: String) throws {
    let (store, rowCount) = try makeFullStore()
    try store.write { (transaction) throws(StoreError) in
      try deleteScattered(in: &transaction)
      let rows = try transaction.table("rows")
      switch other {
      case "nothing": break
      case "rename":
        try transaction.rename(rows, to: "lines")
        try transaction.rename(try transaction.table("lines"), to: "rows")
      case "put": try transaction.put(key(1), [1], in: rows)
      case "savepoint":
        try transaction.savepoint { (transaction) throws(StoreError) in
          try transaction.put(key(1), [1], in: rows)
        }
      default: _ = try transaction.createTable("lines")
      }
    }
    try expectSound(store, rowCount: rowCount - 6)
  }

  @Test(arguments: ["create", "put", "savepoint", "no delete"])
  func `keeps its last pages from what makes it larger`(other: String) throws {
    let (store, rowCount) = try makeFullStore()
    let error = storeError {
      try store.write { (transaction) throws(StoreError) in
        let rows = try transaction.table("rows")
        if other == "no delete" {
          for number in stride(from: 0, to: 6 * 50, by: 50) {
            try transaction.put(key(number), [1], in: rows)
          }
          return
        }
        try deleteScattered(in: &transaction)
        switch other {
        case "put": try transaction.put(key(1), [UInt8](repeating: 1, count: 20_000), in: rows)
        case "savepoint":
          try transaction.savepoint { (transaction) throws(StoreError) in
            try transaction.put(key(1), [UInt8](repeating: 1, count: 20_000), in: rows)
          }
        default:
          let lines = try transaction.createTable("lines")
          for number in 0..<50 { try transaction.put(key(number), [1, 2, 3], in: lines) }
          try transaction.put(key(50), [UInt8](repeating: 1, count: 9000), in: lines)
        }
      }
    }
    guard case .fileTooLarge = error else {
      Issue.record("not refused, but \(String(describing: error))")
      return
    }
    try expectSound(store, rowCount: rowCount)
  }

  private func expectSound(_ store: Store, rowCount: Int) throws {
    let count = try store.read { (snapshot) throws(StoreError) in
      try snapshot.table("rows").count
    }
    #expect(count == rowCount)
    #expect(try store.check().problems.isEmpty)
    try store.close()
  }
}
