/// Finds what somebody meant who mistyped a name.
public enum NearestName {
  /// The one of `names` that is nearest to `word`, or nil where none is near.
  ///
  /// Near is one slip for every three letters, and one at least; the first of equals wins. Upper
  /// and lower case are the same.
  public static func of(_ word: String, among names: some Sequence<String>) -> String? {
    let word = Array(word.lowercased().unicodeScalars.prefix(64))
    if word.isEmpty { return nil }
    let limit = max(1, word.count / 3)
    var best: (name: String, slips: Int)?
    for name in names {
      let other = Array(name.lowercased().unicodeScalars.prefix(64))
      if abs(other.count - word.count) > limit { continue }
      let slips = distance(word, other)
      if slips <= limit, slips < max(word.count, other.count), slips < best?.slips ?? .max {
        best = (name, slips)
      }
    }
    return best?.name
  }

  /// The shortest of `names` with a part that begins with `word`, or nil where `word` is short or none does.
  static func completing(_ word: String, among names: [String]) -> String? {
    if word.count < 3 { return nil }
    let word = word.lowercased()
    return names.filter { name in
      name.lowercased().hasPrefix(word) || name.lowercased().contains("_" + word)
    }.min { $0.count < $1.count }
  }

  /// The names with the one first that begins most as `word` does; the others stay in their order.
  static func sorted(_ names: [String], for word: String) -> [String] {
    let word = word.lowercased().unicodeScalars
    let shared = names.map { name in
      zip(name.lowercased().unicodeScalars, word).prefix { $0 == $1 }.count
    }
    return names.indices.sorted { (-shared[$0], $0) < (-shared[$1], $1) }.map { names[$0] }
  }

  /// How many letters must be put in, left out, changed or swapped with their neighbour to make
  /// one word of the other.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of the words.
  /// - Source: Damerau, "A technique for computer detection and correction of spelling errors";
  ///   no letter is touched twice (optimal string alignment).
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var slips = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          slips = min(slips, beforeLast[column - 1] + 1)
        }
        current.append(slips)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}

extension NearestName {
  /// The words of `text` as searches compare them.
  package static func foldedWords(of text: String) -> [String] { QueryFolding.words(text) }
}
