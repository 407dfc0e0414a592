import PageStore
import SimulatedDisk
import Testing

@testable import Index

@Suite struct `A search by name` {
  private static let names: [String] = {
    var random = SplitMix64(seed: 21)
    let words = ["mr", "mime", "mimikyu", "mi", "ana", "anabel", "an", "of", "the", "ピカチュウ", "ピ"]
    return (0..<3000).map { _ in
      (0..<random.number(in: 1..<4)).map { _ in words[random.number(in: 0..<words.count)] }
        .joined(separator: " ")
    }
  }()

  private func store() throws -> Store {
    let store = try Store.inMemory()
    try store.write { (transaction) throws(IndexError) in
      let index = NameIndex("names")
      let table = try index.create(in: &transaction)
      var builder = NameIndexBuilder(index)
      for (row, name) in Self.names.enumerated() {
        builder.add(RowID(rawValue: UInt64(row)), [name])
      }
      try builder.flush(in: table, of: &transaction)
    }
    return store
  }

  /// The rows whose words hold those of `text` side by side; those that begin with them first.
  private func expected(_ text: String, limit: Int) -> [UInt64] {
    let wanted = text.split(separator: " ").map(String.init)
    func place(_ name: String) -> Int? {
      let words = name.split(separator: " ").map(String.init)
      return words.indices.first { start in
        start + wanted.count <= words.count
          && wanted.indices.allSatisfy { index in
            let word = words[start + index]
            return index == wanted.count - 1
              ? word.unicodeScalars.starts(with: wanted[index].unicodeScalars)
              : word == wanted[index]
          }
      }
    }
    let places = Self.names.map(place)
    let first = places.indices.filter { places[$0] == 0 }
    let other = places.indices.filter { places[$0] ?? 0 > 0 }
    return (first + other).prefix(limit).map { UInt64($0) }
  }

  @Test(arguments: UInt64(0)..<20)
  func `narrows to what a new search finds`(seed: UInt64) throws {
    let store = try store()
    let snapshot = try store.snapshot()
    let table = try snapshot.table("names")
    var random = SplitMix64(seed: seed)
    var search = NameSearch(NameIndex("names"))
    let texts = ["mr mime", "mimikyu the", "of the anabel", "ピカチュウ an", "an an an", "anabel"]
    var text = ""
    for _ in 0..<60 {
      let target = texts[random.number(in: 0..<texts.count)]
      if random.chance(70), target.hasPrefix(text), text.count < target.count {
        text = String(target.prefix(text.count + 1))
      } else if random.chance(50) {
        text = String(text.dropLast())
      } else {
        text = String(target.prefix(random.number(in: 1..<target.count)))
      }
      try search.search(text, in: table)
      let found = try search.first(20, in: table) { (row, words, place) throws(IndexError) in
        NameFolding.matches(
          words, in: NameFolding.words(of: Self.names[Int(row.rawValue)]), atStart: place == .start)
      }
      #expect(found.map(\.rawValue) == expected(text, limit: text.isEmpty ? 0 : 20), "'\(text)'")
      if search.words.count == 1 {
        let all = try search.candidates(in: table).map(\.rawValue)
        #expect(all == expected(text, limit: .max).sorted())
      }
    }
  }

  @Test func `asks the index no more once few words match`() throws {
    let store = try store()
    let snapshot = try store.snapshot()
    let table = try snapshot.table("names")
    var search = NameSearch(NameIndex("names"))
    try search.search("an an", in: table)
    try search.search("an anab", in: table)
    let count = search.lookupCount
    try search.search("an anabe", in: table)
    try search.search("an anabel", in: table)
    #expect(search.lookupCount == count)
    let rows = try search.candidates(in: table)
    #expect(!rows.isEmpty)
  }
}
