import CDexShim
import PageStore

/// The bytes of a log, with the places of its fields, and checksums that can be made to fit anew.
package struct HostileLog: Sendable {
  /// The beginning of the file; what follows is zeros.
  package var bytes: [UInt8]
  /// Where fields stand.
  package private(set) var fieldRows: [(row: FieldRow, offset: Int)] = []
  /// Where frames start.
  private var frames: [Int] = []
  private let salt: [UInt8]

  private static let headerByteCount = 4096

  /// Takes the beginning of a log whose first half is whole.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    salt = Array(bytes[32..<40])
    for row in LogFileHeader.Layout.table { fieldRows.append((row, row.offset)) }
    var start = Self.headerByteCount
    while start + 40 <= bytes.count, u32(start + 32) == 1 {
      let count = u32(start + 8)
      if start + 40 + count > bytes.count { break }
      frames.append(start)
      for row in LogFrame.Layout.table { fieldRows.append((row, start + row.offset)) }
      // The fields of the first operation.
      for row in LogOperation.Layout.rows where row.offset + row.byteCount <= count {
        fieldRows.append((row, start + 40 + row.offset))
      }
      start += (40 + count + 7) / 8 * 8
    }
  }

  private func u32(_ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private mutating func setU32(_ offset: Int, _ value: UInt32) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { $0.baseAddress.map { dex_crc32c(0, $0, bytes.count) } ?? 0 }
  }

  /// Makes the checksums of the header and of all frames fit.
  package mutating func seal() {
    setU32(12, crc(Array(bytes[0..<12] + bytes[16..<40])))
    for start in frames {
      let bodyEnd = min(start + 40 + u32(start + 8), bytes.count)
      // The frame's place as FORMAT.md has it: salt, half and epoch, offset.
      let epoch = Array(bytes[start + 12..<start + 16]) + [0, 0, 0, 0]
      let offset = (0..<8).map {
        UInt8(truncatingIfNeeded: (start - Self.headerByteCount) >> (8 * $0))
      }
      let seed = salt + epoch + offset
      setU32(start + 4, crc(seed + bytes[start + 40..<bodyEnd]))
      setU32(start, crc(seed + bytes[start + 4..<start + 40]))
    }
  }
}
