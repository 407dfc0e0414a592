/// Walks the operations of a frame's body, believing nothing that it says.
///
/// Every length is checked against what is left, so no body makes it trap or read past the end.
/// An error persists: asking again gives it again.
@safe package struct OperationReader {
  private let body: UnsafeRawBufferPointer
  private let path: String
  private var offset = 0

  /// Reads `body`, of a frame in the log at `path`; the body must outlive the reader.
  package init(untrusted body: UnsafeRawBufferPointer, path: String) {
    // Safe: the caller keeps the bytes; all access goes through checked slices.
    unsafe self.body = body
    self.path = path
  }

  /// The next operation, or nil at the end of the body.
  ///
  /// - Throws: `.corrupt` where the bytes are no operation.
  package mutating func next() throws(StoreError) -> LogOperation? {
    // Safe: rest is a checked slice, and each field is loaded after its length was established.
    guard unsafe offset < body.count else { return nil }
    let rest = unsafe UnsafeRawBufferPointer(rebasing: body[offset...])
    let rawKind = unsafe LogOperation.Layout.kind.load(from: rest)
    guard let kind = LogOperation.Kind(rawValue: rawKind) else {
      throw .corrupt(Damage(path: path, .field("operation kind", UInt64(rawKind))))
    }
    guard rest.count >= kind.headerByteCount else { throw truncated }
    let table = unsafe LogOperation.Layout.table.load(from: rest)
    var end = kind.headerByteCount
    let operation: LogOperation
    switch kind {
    case .put:
      let key = try unsafe take(Int(LogOperation.Layout.keyByteCount.load(from: rest)), &end)
      let value = try unsafe take(Int(LogOperation.Layout.valueByteCount.load(from: rest)), &end)
      operation = unsafe .put(table: table, key: key, value: value)
    case .delete:
      let key = try unsafe take(Int(LogOperation.Layout.keyByteCount.load(from: rest)), &end)
      operation = unsafe .delete(table: table, key: key)
    case .deleteRange:
      let lower = try unsafe take(Int(LogOperation.Layout.keyByteCount.load(from: rest)), &end)
      let upper = try unsafe take(Int(LogOperation.Layout.upperByteCount.load(from: rest)), &end)
      operation = unsafe .deleteRange(table: table, lower: lower, upper: upper)
    case .deleteToEnd:
      let lower = try unsafe take(Int(LogOperation.Layout.keyByteCount.load(from: rest)), &end)
      operation = unsafe .deleteRange(table: table, lower: lower, upper: nil)
    case .createTable:
      let name = try unsafe take(Int(LogOperation.Layout.keyByteCount.load(from: rest)), &end)
      operation = unsafe .createTable(table, name: name)
    case .dropTable:
      operation = .dropTable(table)
    case .renameTable:
      let name = try unsafe take(Int(LogOperation.Layout.keyByteCount.load(from: rest)), &end)
      operation = unsafe .renameTable(table, name: name)
    }
    offset += end
    return operation
  }

  /// The `byteCount` bytes that lie `place` bytes after the operation's start; moves `place` on.
  private func take(
    _ byteCount: Int, _ place: inout Int
  ) throws(StoreError) -> UnsafeRawBufferPointer {
    let start = offset + place
    // Safe: the guard establishes that the slice lies within the body.
    guard unsafe byteCount <= body.count - start else { throw truncated }
    place += byteCount
    return unsafe UnsafeRawBufferPointer(rebasing: body[start..<(start + byteCount)])
  }

  private var truncated: StoreError {
    // Safe: only the length is read.
    unsafe .corrupt(Damage(path: path, .truncated(byteCount: body.count)))
  }
}
