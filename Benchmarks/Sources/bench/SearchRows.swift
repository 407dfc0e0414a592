/// What searches are measured over: rows with types, a number and a name, the same for all.
///
/// A row has one to four of eighteen types, a number from 1 through 255, and a name of one to three
/// words made of syllables.
final class SearchRows {
  static let typeCount = 18

  let count: Int
  private(set) var types: [UInt32] = []
  private(set) var numbers: [UInt8] = []
  /// The words of the names, folded.
  private(set) var names: [[String]] = []

  init(count: Int) {
    self.count = count
    var random = SplitMix64(seed: 40)
    let consonants = ["b", "ch", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z"]
    let syllables = consonants.flatMap { consonant in
      ["a", "e", "i", "o", "u", "an", "or"].map { consonant + $0 }
    }
    for _ in 0..<count {
      var bits: UInt32 = 1 << UInt32.random(in: 0..<UInt32(Self.typeCount), using: &random)
      for _ in 0..<3 where Bool.random(using: &random) {
        bits |= 1 << UInt32.random(in: 0..<UInt32(Self.typeCount), using: &random)
      }
      types.append(bits)
      numbers.append(.random(in: 1...255, using: &random))
      names.append(
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
          (0..<Int.random(in: 2...5, using: &random)).map { _ in
            syllables[.random(in: 0..<syllables.count, using: &random)]
          }.joined()
        })
    }
  }

  /// Filters that all engines answer: two or three types, or a type with something else.
  func filters(_ kind: SearchFilter.Kind, count: Int) -> [SearchFilter] {
    var random = SplitMix64(seed: 41)
    return (0..<count).map { _ in
      let types = Array((0..<Self.typeCount).shuffled(using: &random).prefix(3))
      let lower = UInt8.random(in: 1...150, using: &random)
      let word = names[.random(in: 0..<self.count, using: &random)][0]
      return SearchFilter(
        kind: kind, types: kind == .threeTypes ? types : Array(types.prefix(kind.typeCount)),
        lower: lower, upper: lower + UInt8.random(in: 30...100, using: &random),
        prefix: String(word.prefix(2)))
    }
  }

  /// Prefixes of words that names have, of `length` characters each.
  func prefixes(length: Int, count: Int) -> [String] {
    var random = SplitMix64(seed: 42)
    var prefixes: [String] = []
    while prefixes.count < count {
      let words = names[.random(in: 0..<self.count, using: &random)]
      let word = words[.random(in: 0..<words.count, using: &random)]
      if word.utf8.count >= length { prefixes.append(String(word.prefix(length))) }
    }
    return prefixes
  }
}

/// Which rows are wanted: those with all of the types, and what the kind adds.
struct SearchFilter {
  enum Kind {
    case twoTypes
    case threeTypes
    /// And a word of the name that begins with `prefix`.
    case typeAndPrefix
    /// And a number from `lower` through `upper`.
    case typeAndRange

    var typeCount: Int { self == .twoTypes ? 2 : self == .threeTypes ? 3 : 1 }
  }

  var kind: Kind
  var types: [Int]
  var lower: UInt8
  var upper: UInt8
  var prefix: String
}

/// Something that answers searches over `SearchRows`.
protocol SearchContestant: Contestant {
  /// Loads all rows, into the folder at `path` where it needs one.
  init(_ rows: SearchRows, path: String) throws
}

/// Answers filters with sets of rows.
protocol FilterEngine: SearchContestant {
  associatedtype Answer

  /// The rows that the filter wants, in the form that the engine goes on with; this is measured.
  func answer(_ filter: SearchFilter) throws -> Answer

  /// The numbers of the rows; not measured.
  func rows(of answer: Answer) -> [UInt32]
}

/// Answers prefixes with the first rows.
protocol NameEngine: SearchContestant {
  /// The first `limit` rows with a word that begins with `prefix`: those whose name begins with it
  /// before others, and then by number.
  func first(_ limit: Int, prefix: String) throws -> [UInt32]
}
