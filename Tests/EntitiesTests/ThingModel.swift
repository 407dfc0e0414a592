import Entities
import SimulatedDisk

/// An entity with a field of each kind, and plain answers to filters about it.
struct Thing: Entity, Equatable {
  var name = ""
  var nicks: [Translation] = []
  var kind: String?
  var tags: [String] = []
  var count: Int?
  var weight: Int?
  var ratio: Double?
  var isOld: Bool?
  var note: String?
  var size: Int?

  static let kinds = ["stone", "leaf", "bone"]
  static let tagNames = ["hard", "soft", "cold", "very-cold"]
  static let words = ["ant", "antler", "bat", "bath", "cat", "dog", "doge"]

  static let schema = Schema(
    name: "things",
    fields: [
      FieldDefinition(1, "name", .text, aliases: ["n"], index: .words),
      FieldDefinition(2, "nicks", .translations, searchedAs: "name"),
      FieldDefinition(3, "kind", .vocabulary(kinds), index: .terms),
      FieldDefinition(4, "tags", .names(nil), index: .terms),
      FieldDefinition(5, "count", .integer, index: .numbers),
      FieldDefinition(6, "weight", .decimal(denominator: 10), index: .numbers),
      FieldDefinition(7, "ratio", .real, index: .numbers),
      FieldDefinition(8, "old", .flag, index: .terms),
      FieldDefinition(9, "note", .text),
      FieldDefinition(10, "size", .decimal(denominator: 4)),
    ])

  static let derivedFields = [
    DerivedField("is:heavy", .flag) { row, _ throws(DatabaseError) in
      row.record.integerIfPresent(6).map { .flag($0 > 15) }
    },
    DerivedField(
      "is:leafy", .flag,
      rewrite: { _, _ throws(DatabaseError) in .has(FieldPath("kind"), ["leaf"]) }
    ) { row, _ throws(DatabaseError) in .flag(row.record.nameIfPresent(3) == "leaf") },
    DerivedField("times", .decimal(denominator: 2), arguments: ["one", "three"]) {
      row, argument throws(DatabaseError) in
      row.record.integerIfPresent(5).map { .integer(Int64($0 * (argument == "three" ? 3 : 1))) }
    },
  ]

  init() {}

  init(from record: inout RecordReader) {
    name = record.text(1)
    nicks = record.translations(2)
    kind = record.nameIfPresent(3)
    tags = record.names(4)
    count = record.integerIfPresent(5)
    weight = record.integerIfPresent(6)
    ratio = record.realIfPresent(7)
    isOld = record.flagIfPresent(8)
    note = record.textIfPresent(9)
    size = record.integerIfPresent(10)
  }

  func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, translations: nicks)
    record.set(3, name: kind)
    record.set(4, names: tags)
    record.set(5, integer: count)
    record.set(6, integer: weight)
    record.set(7, real: ratio)
    record.set(8, flag: isOld)
    record.set(9, text: note)
    record.set(10, integer: size)
  }

  init(random: inout SplitMix64) {
    name = Thing.text(&random)
    for language in ["de", "fr"] where random.oneIn(3) {
      nicks.append(Translation(language: language, text: Thing.text(&random)))
    }
    kind = random.oneIn(5) ? nil : Thing.kinds[random.number(in: 0..<3)]
    tags = Thing.tagNames.filter { _ in random.oneIn(3) }
    count = random.oneIn(4) ? nil : random.number(in: 0..<20) - 10
    weight = random.oneIn(4) ? nil : random.number(in: 0..<30)
    ratio = random.oneIn(4) ? nil : Double(random.number(in: 0..<16)) / 8 - 1
    isOld = random.oneIn(4) ? nil : random.oneIn(2)
    note = random.oneIn(2) ? nil : Thing.text(&random)
    size = random.oneIn(4) ? nil : random.number(in: 0..<12)
  }

  static func text(_ random: inout SplitMix64) -> String {
    (0..<random.number(in: 1..<4)).map { _ in words[random.number(in: 0..<words.count)] }
      .joined(separator: " ")
  }
}

/// The plain meaning of filters: no index, no folding beyond spaces and hyphens, doubles for all
/// numbers, which here are multiples of powers of two or compared by cross-multiplication.
struct PlainMeaning {
  let id: UInt64
  let thing: Thing
  var language: String?

  func matches(_ filter: Filter) -> Bool {
    switch filter {
    case .everything: true
    case .all(let filters): filters.allSatisfy(matches)
    case .any(let filters): filters.contains(where: matches)
    case .not(let filter): !matches(filter)
    case .number(let paths, let comparison, let number):
      sum(paths).map {
        compare(comparison, $0 * Double(number.denominator), Double(number.numerator) * 40)
      } ?? false
    case .range(let paths, let lower, let upper):
      sum(paths).map { value in
        (lower.map { value * Double($0.denominator) >= Double($0.numerator) * 40 } ?? true)
          && (upper.map { value * Double($0.denominator) <= Double($0.numerator) * 40 } ?? true)
      } ?? false
    case .fields(let left, let comparison, let right):
      if let left = sum(left), let right = sum(right) {
        compare(comparison, left, right)
      } else {
        false
      }
    case .has(let path, let wanted):
      wanted.allSatisfy { wanted in names(path).contains { folded($0) == folded(wanted) } }
    case .exactly(let path, let wanted):
      Set(names(path).map(folded)) == Set(wanted.map(folded))
    case .words(let path, let wanted, let isPhrase):
      texts(path).contains { hasWords(wanted, in: $0, atStart: isPhrase) }
    case .part(let path, let wanted, let endsWord):
      texts(path).contains { text in
        // A space is put before and behind, and what is wanted must be between two letters of it.
        let phrase = wanted.joined(separator: " ") + (endsWord ? " " : "")
        return (0...text.count).contains { (text + " ").dropFirst($0).hasPrefix(phrase) }
      }
    case .text(let path, let text): texts(path).contains { folded($0) == folded(text) }
    case .present(let path): isPresent(path)
    case .flag(let path):
      switch path.name {
      case "is:heavy": thing.weight.map { $0 > 15 } ?? false
      case "is:leafy": thing.kind == "leaf"
      default: thing.isOld == true
      }
    case .id(let wanted): id == wanted
    }
  }

  private func folded(_ text: String) -> String {
    text.lowercased().split { $0 == " " || $0 == "-" }.joined(separator: " ")
  }

  func hasWords(_ wanted: [String], in text: String, atStart: Bool) -> Bool {
    let padded = " " + text
    let phrase = " " + wanted.joined(separator: " ")
    return atStart
      ? padded.hasPrefix(phrase)
      : (0..<padded.count).contains {
        padded.dropFirst($0).hasPrefix(phrase)
      }
  }

  /// In fortieths, which holds tenths, quarters, halves and eighths exactly.
  private func value(_ path: FieldPath) -> Double? {
    switch path.name {
    case "id": Double(id) * 40
    case "count": thing.count.map { Double($0) * 40 }
    case "weight": thing.weight.map { Double($0) * 4 }
    case "ratio": thing.ratio.map { $0 * 40 }
    case "times":
      thing.count.map { Double($0) * (path.argument == "three" ? 3 : 1) * 20 }
    default: thing.size.map { Double($0) * 10 }
    }
  }

  func sum(_ paths: [FieldPath]) -> Double? {
    var sum = 0.0
    for path in paths {
      guard let value = value(path) else { return nil }
      sum += value
    }
    return sum
  }

  private func compare(_ comparison: Comparison, _ left: Double, _ right: Double) -> Bool {
    switch comparison {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }

  private func names(_ path: FieldPath) -> [String] {
    path.name == "tags" ? thing.tags : thing.kind.map { [$0] } ?? []
  }

  func texts(_ path: FieldPath) -> [String] {
    switch path.name {
    case "name":
      // With a language, a name counts in that language alone.
      (language == nil ? [thing.name] : [])
        + thing.nicks.filter { language == nil || $0.language == language }.map(\.text)
    case "kind": names(path)
    default: thing.note.map { [$0] } ?? []
    }
  }

  private func isPresent(_ path: FieldPath) -> Bool {
    switch path.name {
    case "nicks": !thing.nicks.isEmpty
    case "kind": thing.kind != nil
    case "tags": !thing.tags.isEmpty
    case "note": thing.note != nil
    case "old": thing.isOld != nil
    default: value(path) != nil
    }
  }
}

extension Filter {
  /// A random filter about things.
  static func random(_ random: inout SplitMix64, depth: Int = 3) -> Filter {
    let numeric = ["count", "weight", "ratio", "size", "id"]
    func path() -> FieldPath {
      if random.oneIn(6) { return FieldPath("times", random.oneIn(2) ? "one" : "three") }
      return FieldPath(numeric[random.number(in: 0..<5)])
    }
    func sum() -> [FieldPath] {
      // Sums of reals are rounded, which the plain meaning is not.
      let first = path()
      return random.oneIn(4) && first.name != "ratio" ? [first, FieldPath("weight")] : [first]
    }
    func number() -> Number {
      Number(
        Int64(random.number(in: 0..<80) - 20), over: [1, 1, 2, 10, 8, 3][random.number(in: 0..<6)])
    }
    func word() -> String {
      let word = Thing.words[random.number(in: 0..<Thing.words.count)]
      return String(word.prefix(random.number(in: 1..<6)))
    }
    func texts() -> FieldPath { FieldPath(["name", "note", "n"][random.number(in: 0..<2)]) }
    if random.oneIn(14) {
      let words = (0..<random.number(in: 0..<2)).map { _ in word() } + [word()]
      let ends = words.map { String($0.suffix(random.number(in: 1..<4))) }
      return .part(texts(), ends, endsWord: random.oneIn(2))
    }
    switch random.number(in: 0..<(depth > 0 ? 16 : 12)) {
    case 0, 1:
      return .number(sum(), Comparison.allCases[random.number(in: 0..<6)], number())
    case 2:
      return .range(
        sum(), from: random.oneIn(4) ? nil : number(), through: random.oneIn(4) ? nil : number())
    case 3: return .fields(sum(), Comparison.allCases[random.number(in: 0..<6)], sum())
    case 4:
      return .has(
        FieldPath("tags"),
        (0..<random.number(in: 1..<3)).map { _ in
          Thing.tagNames[random.number(in: 0..<4)].uppercased()
        })
    case 5: return .exactly(FieldPath("tags"), Thing.tagNames.filter { _ in random.oneIn(3) })
    case 6: return .has(FieldPath("kind"), [Thing.kinds[random.number(in: 0..<3)]])
    case 7:
      return .words(
        texts(),
        (0..<random.number(in: 0..<2)).map { _ in
          Thing.words[random.number(in: 0..<Thing.words.count)]
        } + [word()], isPhrase: random.oneIn(3))
    case 8: return .text(texts(), Thing.text(&random))
    case 9:
      return .present(
        FieldPath(
          ["nicks", "kind", "tags", "note", "old", "count", "size"][random.number(in: 0..<7)]))
    case 10: return .flag(FieldPath(["old", "is:heavy", "is:leafy"][random.number(in: 0..<3)]))
    case 11: return .id(UInt64(random.number(in: 0..<60)))
    case 12, 13: return .not(.random(&random, depth: depth - 1))
    case 14:
      return .all(
        (0..<random.number(in: 1..<4)).map { _ in .random(&random, depth: depth - 1) })
    default:
      return .any(
        (0..<random.number(in: 1..<4)).map { _ in .random(&random, depth: depth - 1) })
    }
  }
}

extension SplitMix64 {
  /// True once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { number(in: 0..<count) == 0 }
}
