/// Keys as strings, whose UTF-8 is meant, and as arrays, where the other calls take spans.

extension Table {
  /// True where the table has `key`.
  public func contains(_ key: [UInt8]) throws(StoreError) -> Bool {
    try key.withBytes { key throws(StoreError) in try reader.contains(key) }
  }

  /// True where the table has the UTF-8 of `key`.
  public func contains(_ key: String) throws(StoreError) -> Bool {
    try contains(Array(key.utf8))
  }

  /// Looks up many keys at once.
  ///
  /// See `multiGet(_:_:)` for keys that stay in place; this copies them side by side first.
  ///
  /// - Parameters:
  ///   - keys: The keys, in any order.
  ///   - body: Called once for each key, in their order, with its index and its value or nil.
  /// - Throws: What `body` throws, or `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(*k* log *n*) for *k* keys in *n* rows.
  public func multiGet(
    _ keys: [[UInt8]],
    _ body: (_ index: Int, _ value: RawSpan?) throws(StoreError) -> Void
  ) throws(StoreError) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for key in keys {
      bytes += key
      ends.append(bytes.count)
    }
    // Safe: the keys lie within `bytes`, which stays in place during the call.
    try unsafe bytes.span.bytes.withUnsafeBytes { (all) throws(StoreError) in
      var start = 0
      var views = unsafe [UnsafeRawBufferPointer]()
      for end in ends {
        unsafe views.append(UnsafeRawBufferPointer(rebasing: all[start..<end]))
        start = end
      }
      try unsafe multiGet(views, body)
    }
  }

  /// Looks up the UTF-8 of many keys at once.
  ///
  /// See `multiGet(_:_:)` for arrays of bytes.
  public func multiGet(
    _ keys: [String],
    _ body: (_ index: Int, _ value: RawSpan?) throws(StoreError) -> Void
  ) throws(StoreError) {
    try multiGet(keys.map { Array($0.utf8) }, body)
  }

  /// A cursor over the rows whose keys are at least the UTF-8 of `lower`, and below that of `upper`;
  /// nil is no bound.
  @_lifetime(copy self)
  public func cursor(from lower: String, to upper: String? = nil) -> Cursor {
    cursor(from: Array(lower.utf8), to: upper.map { Array($0.utf8) })
  }

  /// A cursor over the rows whose keys begin with the UTF-8 of `prefix`.
  @_lifetime(copy self)
  public func cursor(prefix: String) -> Cursor { cursor(prefix: Array(prefix.utf8)) }
}

extension Cursor {
  /// Moves to the first row of the range whose key is not below the UTF-8 of `key`; false where there
  /// is none.
  ///
  /// - Throws: `.corrupt` where a page on the way is damaged.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(self: copy self)
  public mutating func seek(_ key: String) throws(StoreError) -> Bool {
    try seek(Array(key.utf8))
  }
}

extension WriteTransaction {
  /// The value under `key`, or nil.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(borrow self)
  public func get(_ key: [UInt8], in table: TableHandle) throws(StoreError) -> RawSpan? {
    // Safe: bytes have no padding.
    try unsafe get(key.span.bytes, in: table)
  }

  /// The value under the UTF-8 of `key`, or nil.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  @_lifetime(borrow self)
  public func get(_ key: String, in table: TableHandle) throws(StoreError) -> RawSpan? {
    try get(Array(key.utf8), in: table)
  }

  /// True where the table has `key`.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  public func contains(_ key: [UInt8], in table: TableHandle) throws(StoreError) -> Bool {
    try reading(table).contains(key)
  }

  /// True where the table has the UTF-8 of `key`.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`.
  /// - Complexity: O(log *n*) in the rows of the table.
  public func contains(_ key: String, in table: TableHandle) throws(StoreError) -> Bool {
    try reading(table).contains(key)
  }

  /// Puts `value` under the UTF-8 of `key`, in the place of what was there.
  ///
  /// - Throws: As `put(_:_:in:)` of spans.
  /// - Complexity: O(log *n*) in the rows of the table, and in the length of the value.
  public mutating func put(
    _ key: String, _ value: [UInt8], in table: TableHandle
  ) throws(StoreError) {
    try put(Array(key.utf8), value, in: table)
  }

  /// Deletes the UTF-8 of `key`; true where it was there.
  ///
  /// - Throws: `.noSuchTable`, `.corrupt`, `.cancelled`, `.diskFull`.
  /// - Complexity: O(log *n*) in the rows of the table.
  @discardableResult
  public mutating func delete(
    _ key: String, in table: TableHandle
  ) throws(StoreError) -> Bool {
    try delete(Array(key.utf8), in: table)
  }

  /// Deletes the rows whose keys are at least the UTF-8 of `lower`, and below that of `upper`; nil is
  /// no bound.
  ///
  /// - Returns: How many there were.
  @discardableResult
  @_disfavoredOverload
  public mutating func deleteRange(
    from lower: String?, to upper: String?, in table: TableHandle
  ) throws(StoreError) -> Int {
    try deleteRange(
      from: lower.map { Array($0.utf8) }, to: upper.map { Array($0.utf8) }, in: table)
  }
}
