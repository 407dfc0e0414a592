import PageStore
import Testing

/// Holds the README true: its code is the code below, and prints what it says.
@Suite struct `The README` {
  @Test func `shows a session that runs and prints what it says`() throws {
    let folder = try TestFolder()
    var printed: [String] = []
    func print(_ items: Any...) {
      printed.append(items.map { "\($0)" }.joined(separator: " "))
    }
    let path = folder.database
    // Session begins.
    let store = try Store(path: path)

    func text(_ bytes: RawSpan) -> String {
      bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    // One transaction: all of it is kept, or nothing.
    try store.write { (transaction) throws(StoreError) in
      let towns = try transaction.createTableIfNeeded("towns")
      try transaction.put("pallet", "south", in: towns)
      try transaction.put("pewter", "north", in: towns)
      try transaction.put("vermilion", "harbour", in: towns)
    }

    // A snapshot never changes, waits for nobody and holds nobody up. It also keeps the store's files
    // open, beyond `close()` too, so let go of it when it is done with.
    var before: Snapshot? = try store.snapshot()

    try store.write { (transaction) throws(StoreError) in
      let towns = try transaction.table("towns")
      try transaction.delete("pallet", in: towns)
      try transaction.put("saffron", "centre", in: towns)
    }

    try store.read { (snapshot) throws(StoreError) in
      let towns = try snapshot.table("towns")

      // The bytes of a value lie in the mapped file, and were not copied.
      if let value = try towns.get("pewter") {
        print(value.byteCount)  // 5
      }

      // Rows come in the order of their keys, from any place on.
      var cursor = towns.cursor(from: "pewter")
      while try cursor.next() {
        try print(text(cursor.key), text(cursor.value))  // pewter north, saffron centre, …
      }
    }

    if let snapshot = before {
      print(try snapshot.table("towns").count)  // 3, the first time
    }
    before = nil

    // The database is one file again.
    try store.close()
    // Session ends.
    #expect(folder.names == ["a.db"])
    #expect(printed == ["5", "pewter north", "saffron centre", "vermilion harbour", "3"])
    let shown = Self.codeBlock(1)
    #expect(shown.prefix(3) == ["import PageStore", "", "let path = \"towns.db\""])
    #expect(Array(shown.dropFirst(3)) == Self.ownCode("Session"))
  }

  @Test func `shows a task that runs`() async throws {
    let store = try Self.storeWithTowns()
    // Task begins.
    let count = try await store.write { (transaction) throws(StoreError) in
      let towns = try transaction.table("towns")
      try transaction.put("cinnabar", "island", in: towns)
      return try transaction.count(of: towns)
    }
    // Task ends.
    #expect(count == 1)
    #expect(Self.codeBlock(2) == Self.ownCode("Task"))
  }

  @Test func `shows a manifest that names this package`() {
    let shown = Self.codeBlock(0).joined(separator: "\n")
    let own = ProjectFiles.text(of: "Package.swift")
    #expect(shown.hasPrefix(String(own.prefix { $0 != "\n" })))
    #expect(shown.contains(".product(name: \"PageStore\", package: \"dex\")"))
    #expect(own.contains("name: \"dex\"") && own.contains(".library(name: \"PageStore\""))
  }

  @Test func `names the limits that the code has`() {
    let text = ProjectFiles.text(of: "README.md")
    #expect(text.contains("| longest key | \(StoreLimits.keyByteCount) bytes |"))
    #expect(text.contains("names of 1 to \(StoreLimits.tableNameByteCount) bytes"))
    #expect(StoreLimits.valueByteCount == (4 << 30) - 1)
    #expect(StoreLimits.tableCount == 65_536)
    #expect(StoreLimits.pageByteCounts == [4096, 8192, 16384])
    #expect(StoreOptions().pageByteCount == 8192)
    #expect(StoreOptions().reservedByteCount == 1 << 40)
    #expect(StoreOptions().durability == .immediate)
  }

  private static func storeWithTowns() throws(StoreError) -> Store {
    let store = try Store.inMemory()
    try store.write { (transaction) throws(StoreError) in
      _ = try transaction.createTable("towns")
    }
    return store
  }

  /// The lines of the README's block of code `number`.
  private static func codeBlock(_ number: Int) -> [String] {
    let lines = ProjectFiles.lines(of: "README.md")
    let starts = lines.indices.filter { lines[$0] == "```swift" }
    guard number < starts.count else { return [] }
    return Array(lines[(starts[number] + 1)...].prefix { $0 != "```" })
  }

  /// The lines of this file between the comments that begin and end `part`, less far in.
  private static func ownCode(_ part: String) -> [String] {
    let lines = ProjectFiles.lines(of: "Tests/PageStoreTests/ReadmeTests.swift")
    guard let start = lines.firstIndex(of: "    // \(part) begins."),
      let end = lines.firstIndex(of: "    // \(part) ends.")
    else { return [] }
    return lines[(start + 1)..<end].map { String($0.dropFirst(4)) }
  }
}
