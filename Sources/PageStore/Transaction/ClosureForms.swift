/// The calls with a closure, for closures that throw nothing or anything.

extension WriteTransaction {
  /// Walks the rows from `lower` on and below `upper`, and does with each what `body` says.
  ///
  /// See the call of that name whose closure throws errors of a type.
  @discardableResult
  public mutating func edit(
    from lower: [UInt8]? = nil, to upper: [UInt8]? = nil, in table: TableHandle,
    _ body: (_ key: RawSpan, _ value: RawSpan) -> RowEdit
  ) throws(StoreError) -> Int {
    try edit(from: lower, to: upper, in: table) { (key, value) throws(StoreError) in
      body(key, value)
    }
  }

  /// Walks the rows from `lower` on and below `upper`, and does with each what `body` says.
  ///
  /// See the call of that name whose closure throws errors of a type.
  @discardableResult
  @_disfavoredOverload
  public mutating func edit(
    from lower: [UInt8]? = nil, to upper: [UInt8]? = nil, in table: TableHandle,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> RowEdit
  ) throws -> Int {
    do throws(AnyFailure) {
      return try edit(from: lower, to: upper, in: table) { (key, value) throws(AnyFailure) in
        do { return try body(key, value) } catch { throw AnyFailure(any: error) }
      }
    } catch {
      throw error.error
    }
  }

  /// Runs `body`; where it throws, its changes are undone, and the transaction may go on.
  @_disfavoredOverload
  public mutating func savepoint<Result>(
    _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    do throws(AnyFailure) {
      return try savepoint { (transaction) throws(AnyFailure) in
        do { return try body(&transaction) } catch { throw AnyFailure(any: error) }
      }
    } catch {
      throw error.error
    }
  }
}

extension Table {
  /// The first row's key and value, through `body`; nil where the table is empty.
  ///
  /// - Throws: `.corrupt`.
  public func first<Result>(
    _ body: (_ key: RawSpan, _ value: RawSpan) -> Result
  ) throws(StoreError) -> Result? {
    try first { (key, value) throws(StoreError) in body(key, value) }
  }

  /// The last row's key and value, through `body`; nil where the table is empty.
  ///
  /// - Throws: `.corrupt`.
  public func last<Result>(
    _ body: (_ key: RawSpan, _ value: RawSpan) -> Result
  ) throws(StoreError) -> Result? {
    try last { (key, value) throws(StoreError) in body(key, value) }
  }
}
