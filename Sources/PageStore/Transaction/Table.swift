/// A table to be read: keys and values, in the order of the keys.
///
/// A table belongs to the snapshot or the transaction that it was taken from and cannot outlive it;
/// neither can the bytes that it returns, which are the database's own and were not copied.
@safe public struct Table: ~Escapable {
  /// The number of rows.
  public let count: Int
  let reader: TreeReader

  @_lifetime(immortal)
  init(_ reader: TreeReader, count: Int) {
    self.reader = reader
    self.count = count
  }

  /// The value under `key`, or nil.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  @_lifetime(copy self)
  public func get(_ key: RawSpan) throws(StoreError) -> RawSpan? {
    let value = try key.withBytes { key throws(StoreError) in try reader.get(key) }
    guard let value else { return nil }
    return span(of: value)
  }

  /// The value under `key`, or nil.
  @_lifetime(copy self)
  public func get(_ key: [UInt8]) throws(StoreError) -> RawSpan? {
    let value = try key.withBytes { key throws(StoreError) in try reader.get(key) }
    guard let value else { return nil }
    return span(of: value)
  }

  /// The value under the UTF-8 of `key`, or nil.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(copy self)
  public func get(_ key: String) throws(StoreError) -> RawSpan? { try get(Array(key.utf8)) }

  /// True where the table has `key`.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(log *n*) in the rows of the table.
  public func contains(_ key: RawSpan) throws(StoreError) -> Bool {
    try key.withBytes { key throws(StoreError) in try reader.contains(key) }
  }

  /// Looks up many keys at once, which is faster than one after the other: the memory of one is
  /// fetched while another is searched.
  ///
  /// - Parameters:
  ///   - keys: The keys, in any order. They must stay in place during the call.
  ///   - body: Called once for each key, in their order, with its index and its value or nil.
  /// - Throws: What `body` throws, or `.corrupt` where a page on the way is damaged.
  public func multiGet(
    _ keys: [UnsafeRawBufferPointer],
    _ body: (_ index: Int, _ value: RawSpan?) throws(StoreError) -> Void
  ) throws(StoreError) {
    let group = MultiGet(reader)
    // Safe: the caller keeps the keys in place; spans do not leave the call of `body`, and the
    // snapshot outlives that.
    try unsafe keys.withUnsafeBufferPointer { keys throws(StoreError) in
      var start = 0
      while start < keys.count {
        let end = min(start + MultiGet.groupCount, keys.count)
        try unsafe group.find(UnsafeBufferPointer(rebasing: keys[start..<end])) {
          (index, value) throws(StoreError) in
          if let value {
            try body(
              start + index, unsafe RawSpan(_unsafeStart: value.start, byteCount: value.count))
          } else {
            try body(start + index, nil)
          }
        }
        start = end
      }
    }
  }

  /// A cursor over the whole table, before its first row.
  @_lifetime(copy self)
  public func cursor() -> Cursor { cursor(from: nil, to: nil) }

  /// A cursor over the rows whose keys are at least `lower` and below `upper`; nil is no bound.
  @_lifetime(copy self)
  public func cursor(from lower: [UInt8]?, to upper: [UInt8]? = nil) -> Cursor {
    let cursor = Cursor(TreeCursor(reader, from: lower, to: upper))
    // Safe: the pages that the cursor will show live as long as the table's.
    return unsafe _overrideLifetime(cursor, copying: self)
  }

  /// A cursor over the rows whose keys begin with `prefix`.
  @_lifetime(copy self)
  public func cursor(prefix: [UInt8]) -> Cursor {
    cursor(from: prefix, to: prefix.endOfPrefix)
  }

  /// The first row's key and value, through `body`; nil where the table is empty.
  ///
  /// - Throws: What `body` throws, or `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  public func first<Result, Failure: StoreFailure>(
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try edge({ cursor throws(StoreError) in try cursor.next() }, body)
  }

  /// The last row's key and value, through `body`; nil where the table is empty.
  ///
  /// - Throws: What `body` throws, or `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  public func last<Result, Failure: StoreFailure>(
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try edge({ cursor throws(StoreError) in try cursor.seekLast() }, body)
  }

  private func edge<Result, Failure: StoreFailure>(
    _ move: (inout Cursor) throws(StoreError) -> Bool,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var cursor = cursor()
    let value: RawSpan
    do throws(StoreError) {
      guard try move(&cursor) else { return nil }
      value = try cursor.value
    } catch {
      throw Failure(error)
    }
    return try body(cursor.key, value)
  }

  @_lifetime(copy self)
  private func span(of bytes: ByteView) -> RawSpan {
    // Safe: the bytes lie in pages that the snapshot or the transaction keeps.
    let span = unsafe RawSpan(_unsafeStart: bytes.start, byteCount: bytes.count)
    return unsafe _overrideLifetime(span, copying: self)
  }
}

extension RawSpan {
  /// Lends the bytes as a view for the time of `body`.
  @inline(__always) func withBytes<Result, Failure: Error>(
    _ body: (ByteView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: the view does not leave the closure.
    try unsafe withUnsafeBytes { buffer throws(Failure) in try unsafe body(ByteView(buffer)) }
  }
}

extension [UInt8] {
  /// The first key above these bytes, which are too many for a key themselves; nil where there is
  /// none.
  var firstKeyAbove: [UInt8]? { Array(prefix(StoreLimits.keyByteCount)).endOfPrefix }

  /// The first key after all that begin with these bytes; nil where there is none.
  package var endOfPrefix: [UInt8]? {
    var end = self
    while let last = end.last {
      if last < UInt8.max {
        end[end.count - 1] = last + 1
        return end
      }
      end.removeLast()
    }
    return nil
  }
}
