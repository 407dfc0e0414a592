/// The rows of a set by their places: the least row is at place 0.
extension PostingSet {
  /// The rows at `places`, as far as there are so many.
  ///
  /// - Complexity: O(*c* + *n*), *c* being the set's containers and *n* the rows that are returned.
  public func rows(at places: Range<Int>) -> [RowID] {
    let places = places.clamped(to: 0..<count)
    if places.isEmpty { return [] }
    var result: [RowID] = []
    result.reserveCapacity(places.count)
    var before = 0
    for index in entries.indices {
      let entry = entries[index]
      let start = before
      before += Int(entry.rowCount)
      if before <= places.lowerBound { continue }
      let numbers = container(at: index).numbers
      let wanted =
        Swift.max(
          0, places.lowerBound - start)..<Swift.min(numbers.count, places.upperBound - start)
      for number in numbers[wanted] { result.append(RowID(entry.number, number)) }
      if before >= places.upperBound { break }
    }
    return result
  }

  /// The place of `row`; nil where the set does not have it.
  ///
  /// - Complexity: O(*c*), *c* being the set's containers.
  public func place(of row: RowID) -> Int? {
    var before = 0
    for index in entries.indices {
      let entry = entries[index]
      if entry.number == row.containerNumber {
        return container(at: index).numbers.firstIndex(of: row.numberInContainer)
          .map { before + $0 }
      }
      if entry.number > row.containerNumber { return nil }
      before += Int(entry.rowCount)
    }
    return nil
  }
}
