internal import PageStore

/// The heads of an index's lists, side by side in the order of their keys.
struct PostingHeads {
  let index: String

  /// Calls `body` with keys and heads from `lower` on and below `upper`, while it says to go on.
  func forEach(
    from lower: [UInt8], to upper: [UInt8]?, backwards: Bool = false, in table: Table,
    _ body: (_ key: RawSpan, _ head: RawSpan) throws(IndexError) -> Bool
  ) throws(IndexError) {
    var cursor = table.cursor(from: lower, to: upper)
    var isFirst = true
    while true {
      let value: RawSpan
      do throws(StoreError) {
        let isThere =
          backwards ? try isFirst ? cursor.seekLast() : cursor.previous() : try cursor.next()
        if !isThere { return }
        isFirst = false
        value = try cursor.value
      } catch {
        throw .store(error)
      }
      guard try body(cursor.key, value) else { return }
    }
  }
}

extension WriteTransaction {
  /// The table of an index, made where there is none.
  mutating func indexTable(_ name: String) throws(IndexError) -> TableHandle {
    do throws(StoreError) {
      return try createTableIfNeeded(name)
    } catch {
      throw .store(error)
    }
  }
}
