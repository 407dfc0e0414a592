extension PostingSet {
  /// The rows that are in both sets.
  ///
  /// - Complexity: of the number of containers, O(*n* log *m*) for the shorter *n* and the longer *m*.
  public func intersection(_ other: PostingSet) -> PostingSet {
    var builder = PostingSetBuilder()
    forEachCommonEntry(with: other) { left, right in
      builder.append(
        entries[left].number, container(at: left), .intersection, other.container(at: right))
    }
    return builder.finish()
  }

  /// How many rows are in both sets, which builds none.
  public func intersectionCount(_ other: PostingSet) -> Int {
    var count = 0
    forEachCommonEntry(with: other) { left, right in
      count += Container.countOf(container(at: left), .intersection, other.container(at: right))
    }
    return count
  }

  /// The rows of this set that are not in `other`.
  public func subtracting(_ other: PostingSet) -> PostingSet {
    var builder = PostingSetBuilder()
    var right = 0
    for left in entries.indices {
      let number = entries[left].number
      right = other.firstIndex(from: number, after: right)
      if right < other.entries.count && other.entries[right].number == number {
        builder.append(number, container(at: left), .subtraction, other.container(at: right))
      } else {
        builder.append(number, container(at: left))
      }
    }
    return builder.finish()
  }

  /// The rows that are in at least one of the sets.
  public func union(_ other: PostingSet) -> PostingSet {
    var builder = PostingSetBuilder()
    var left = 0
    var right = 0
    while left < entries.count && right < other.entries.count {
      let (first, second) = (entries[left].number, other.entries[right].number)
      if first == second {
        builder.append(first, container(at: left), .union, other.container(at: right))
        left += 1
        right += 1
      } else if first < second {
        builder.append(first, container(at: left))
        left += 1
      } else {
        builder.append(second, other.container(at: right))
        right += 1
      }
    }
    builder.append(self, left..<entries.count)
    builder.append(other, right..<other.entries.count)
    return builder.finish()
  }

  /// The rows that are in at least one of `sets`.
  public static func union(of sets: [PostingSet]) -> PostingSet {
    if sets.count == 2 { return sets[0].union(sets[1]) }
    var union = PostingUnion()
    for set in sets { union.add(set) }
    return union.finish()
  }

  /// The rows of `universe` that are not in this set.
  public func complement(in universe: PostingSet) -> PostingSet { universe.subtracting(self) }

  private func forEachCommonEntry(with other: PostingSet, _ body: (Int, Int) -> Void) {
    var left = 0
    var right = 0
    while left < entries.count && right < other.entries.count {
      let (first, second) = (entries[left].number, other.entries[right].number)
      if first == second {
        body(left, right)
        left += 1
        right += 1
      } else if first < second {
        left = firstIndex(from: second, after: left)
      } else {
        right = other.firstIndex(from: first, after: right)
      }
    }
  }
}
