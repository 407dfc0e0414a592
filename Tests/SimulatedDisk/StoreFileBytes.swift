import PageStore

extension StoreFile {
  /// Writes `bytes` at `offset`.
  package func write(_ bytes: [UInt8], at offset: Int) throws {
    try bytes.withUnsafeBytes { try write($0, at: offset) }
  }

  /// The bytes from `offset` on: `count` of them, or those up to the end of the file.
  package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  /// All bytes of the file.
  package func contents() throws -> [UInt8] { try bytes(at: 0, count: byteCount()) }
}

extension FileMapping {
  /// A copy of the mapped bytes in `range`.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    [UInt8](UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}
