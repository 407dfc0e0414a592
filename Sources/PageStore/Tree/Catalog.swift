/// The tree that names the trees: a record under each table's name.
struct Catalog {
  let reader: TreeReader

  /// The record of table `name`, or nil where there is none.
  func record(of name: String) throws(StoreError) -> TableRecord? {
    // Safe: bytes have no padding.
    try unsafe name.utf8.span.bytes.withBytes { key throws(StoreError) in
      guard let value = try reader.get(key) else { return nil }
      return try record(value, of: name)
    }
  }

  /// The names of all tables.
  func names() throws(StoreError) -> [String] {
    var names: [String] = []
    try visit { name, _ throws(StoreError) in names.append(name) }
    return names
  }

  /// Every table, in the order of the names.
  func visit(
    _ body: (_ name: String, _ record: TableRecord) throws(StoreError) -> Void
  ) throws(StoreError) {
    var cursor = TreeCursor(reader, from: nil, to: nil)
    var isThere = try cursor.seekFirst()
    while isThere {
      // Safe: the key's bytes are copied into the string.
      let name = unsafe String(decoding: cursor.key.buffer, as: UTF8.self)
      let value = try reader.value(in: cursor.leaf, at: cursor.index)
      try body(name, try record(value, of: name))
      cursor.index += 1
      if cursor.index >= cursor.end { isThere = try cursor.moveToNextLeaf() }
    }
  }

  private func record(_ value: ByteView, of name: String) throws(StoreError) -> TableRecord {
    guard
      let record = TableRecord(
        untrusted: value, pageLimit: reader.map.pageLimit, isWritten: !reader.seesPrivatePages)
    else {
      throw .corrupt(Damage(path: reader.map.file.path, table: name, .field("table record", 0)))
    }
    return record
  }
}
