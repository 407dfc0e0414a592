/// The operations of one transaction, encoded as they happen: the body of its frame to be.
///
/// Memory grows by doubling and is kept by `removeAll()`, so one buffer serves one transaction
/// after the other without allocating.
package struct OperationBuffer: Sendable {
  /// Operations, then bytes that mean nothing yet.
  private var storage: [UInt8]
  /// The length of all operations so far; a place to go back to.
  package private(set) var byteCount = 0

  /// An empty buffer.
  package init() { storage = [] }

  /// True where there is no operation.
  package var isEmpty: Bool { byteCount == 0 }

  /// Forgets all operations and keeps their memory.
  package mutating func removeAll() { byteCount = 0 }

  /// Forgets the operations after the first `byteCount` bytes, as noted for a savepoint.
  package mutating func truncate(to byteCount: Int) {
    precondition(
      byteCount >= 0 && byteCount <= self.byteCount, "\(byteCount) of \(self.byteCount) bytes")
    self.byteCount = byteCount
  }

  /// Lends the operations' bytes.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: byteCount <= storage.count, and the bytes are lent for the call.
    try unsafe storage.span.bytes.withUnsafeBytes { (bytes) throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
    }
  }

  /// Notes that `key` has `value` now.
  ///
  /// Traps where the key or the value is over the limit of the encoding. Neither may lie in this
  /// buffer.
  package mutating func put(
    table: UInt32, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) {
    // Safe: the caller lends both for this call; append makes room for all that is stored.
    precondition(
      value.count <= LogOperation.maximumValueByteCount, "a value of \(value.count) bytes")
    unsafe append(.put, table: table, first: key, second: value) { header in
      unsafe LogOperation.Layout.valueByteCount.store(
        UInt32(truncatingIfNeeded: value.count), into: header)
    }
  }

  /// Notes that `key` is gone.
  package mutating func delete(table: UInt32, key: UnsafeRawBufferPointer) {
    // Safe: the caller lends the key for this call.
    unsafe append(.delete, table: table, first: key)
  }

  /// Notes that the keys from `lower` up to and without `upper` are gone.
  package mutating func deleteRange(
    table: UInt32, lower: UnsafeRawBufferPointer, upper: UnsafeRawBufferPointer?
  ) {
    // Safe: the caller lends both for this call.
    guard let upper = unsafe upper else {
      unsafe append(.deleteToEnd, table: table, first: lower)
      return
    }
    precondition(
      upper.count <= LogOperation.maximumKeyByteCount, "a key of \(upper.count) bytes")
    unsafe append(.deleteRange, table: table, first: lower, second: upper) { header in
      unsafe LogOperation.Layout.upperByteCount.store(
        UInt16(truncatingIfNeeded: upper.count), into: header)
    }
  }

  /// Notes that there is a new table.
  package mutating func createTable(_ table: UInt32, name: String) {
    appendName(.createTable, table: table, name)
  }

  /// Notes that a table is gone.
  package mutating func dropTable(_ table: UInt32) {
    // Safe: no bytes at all.
    unsafe append(.dropTable, table: table, first: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Notes that a table has another name.
  package mutating func renameTable(_ table: UInt32, name: String) {
    appendName(.renameTable, table: table, name)
  }

  private mutating func appendName(_ kind: LogOperation.Kind, table: UInt32, _ name: String) {
    let name = Array(name.utf8)
    // Safe: the array's bytes, for the call.
    unsafe name.withUnsafeBytes { bytes in unsafe append(kind, table: table, first: bytes) }
  }

  /// Appends one operation: its fields, then `first`, then `second`.
  ///
  /// Inlined, so that each kind becomes straight code with two copies.
  @inline(__always)
  private mutating func append(
    _ kind: LogOperation.Kind, table: UInt32, first: UnsafeRawBufferPointer,
    // Safe: no bytes at all.
    second: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
    fields: (UnsafeMutableRawBufferPointer) -> Void = { _ in }
  ) {
    precondition(
      first.count <= LogOperation.maximumKeyByteCount, "a key of \(first.count) bytes")
    let headerByteCount = kind.headerByteCount
    let start = byteCount
    let end = start + headerByteCount + first.count + second.count
    if end > storage.count { grow(to: end) }
    byteCount = end
    // Safe: storage has room up to end, which is the sum of what is written here.
    unsafe storage.withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      let place = unsafe UnsafeMutableRawPointer(base + start)
      let header = unsafe UnsafeMutableRawBufferPointer(start: place, count: headerByteCount)
      unsafe LogOperation.Layout.kind.store(kind.rawValue, into: header)
      unsafe LogOperation.Layout.table.store(table, into: header)
      if kind != .dropTable {
        unsafe LogOperation.Layout.keyByteCount.store(
          UInt16(truncatingIfNeeded: first.count), into: header)
      }
      unsafe fields(header)
      unsafe copy(first, to: place + headerByteCount)
      unsafe copy(second, to: place + headerByteCount + first.count)
    }
  }

  private mutating func grow(to needed: Int) {
    let grown = max(needed, 2 * storage.count, 4096)
    storage.append(contentsOf: repeatElement(0, count: grown - storage.count))
  }
}

/// Copies `bytes` to `target`, which has room for them.
@inline(__always)
private func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
  // Safe: the caller has made room.
  guard let base = bytes.baseAddress else { return }
  unsafe target.copyMemory(from: base, byteCount: bytes.count)
}
