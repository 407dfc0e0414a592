/// A fixed place in a structure on disk: an integer, little-endian on every machine.
///
/// A structure lists its fields in a table, which is the code that reads and writes them and also
/// what FORMAT.md is compared with.
package struct Field<Value: FixedWidthInteger & Sendable>: Sendable {
  /// What the format calls it.
  package let name: String
  /// Bytes from the start of the structure.
  package let offset: Int
  /// What it holds, in a few words.
  package let meaning: String

  /// The field `name` at `offset`.
  package init(_ name: String, at offset: Int, _ meaning: String) {
    self.name = name
    self.offset = offset
    self.meaning = meaning
  }

  /// The first byte after the field.
  package var end: Int { offset + MemoryLayout<Value>.size }

  /// The field as a line of its structure's table.
  package var row: FieldRow {
    FieldRow(name, at: offset, MemoryLayout<Value>.size, meaning)
  }

  /// The field's value in a structure that starts `start` bytes after `bytes` do.
  ///
  /// Traps where `bytes` end before the field does.
  package func load(from bytes: UnsafeRawBufferPointer, at start: Int = 0) -> Value {
    // Safe: loadUnaligned checks that the field lies within the bytes.
    unsafe Value(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: Value.self))
  }

  /// Sets the field in a structure that starts where `bytes` start.
  ///
  /// Traps where `bytes` end before the field does.
  package func store(_ value: Value, into bytes: UnsafeMutableRawBufferPointer) {
    // Safe: storeBytes checks that the field lies within the bytes.
    unsafe bytes.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }
}

/// A line of a structure's table, as FORMAT.md shows it.
package struct FieldRow: Equatable, Sendable {
  /// What the format calls the field.
  package let name: String
  /// Bytes from the start of the structure.
  package let offset: Int
  /// The field's width.
  package let byteCount: Int
  /// What the field holds.
  package let meaning: String

  /// A line of a table.
  package init(_ name: String, at offset: Int, _ byteCount: Int, _ meaning: String) {
    self.name = name
    self.offset = offset
    self.byteCount = byteCount
    self.meaning = meaning
  }
}
