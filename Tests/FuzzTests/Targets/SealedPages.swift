/// Makes the checksums of a database fit whatever its bytes are, so that a change reaches the decoder.
///
/// It follows FORMAT.md from the meta page down, believing nothing; what leads nowhere is left as it
/// is.
struct SealedPages {
  private var file: LooseBytes
  private var pageByteCount = 4096
  private var visited: Set<Int> = []

  private init(_ bytes: [UInt8]) { file = LooseBytes(bytes) }

  /// `bytes` with checksums that fit.
  static func seal(_ bytes: [UInt8]) -> [UInt8] {
    var pages = SealedPages(bytes)
    pages.sealAll()
    return pages.file.bytes
  }

  private mutating func sealAll() {
    let named = file.u32(40)
    if [4096, 8192, 16384].contains(named) { pageByteCount = named }
    for meta in [0, pageByteCount] {
      let root = file.u32(meta + 48)
      if root != 0 { file.setU32(meta + 52, sealTree(root, level: 31, isCatalog: true)) }
      let map = file.u32(meta + 60) * pageByteCount
      let end = map + file.u32(meta + 64)
      if end <= file.count { file.setU32(meta + 68, file.checksum(map..<end)) }
      file.setU32(meta, file.checksum(meta + 4..<meta + 512))
    }
  }

  /// Seals the tree under `page`, and returns the page's checksum.
  private mutating func sealTree(_ page: Int, level: Int, isCatalog: Bool) -> Int {
    let start = page * pageByteCount
    guard start + pageByteCount <= file.count, visited.insert(page).inserted, level >= 0 else {
      return file.u32(start)
    }
    let slots = start + 32 + (file.u8(start + 28) + 7) / 8 * 8
    let count = min(file.u16(start + 6), pageByteCount / 8)
    if file.u8(start + 4) == 1 {
      let capacity = file.u16(start + 30)
      for index in 0..<count {
        let child = file.u32(slots + (capacity + index) * 4)
        let sum = sealTree(child, level: level - 1, isCatalog: isCatalog)
        file.setU32(slots + (2 * capacity + index) * 4, sum)
      }
    } else {
      for index in 0..<count { sealCell(slots + 8 * index, of: start, isCatalog: isCatalog) }
    }
    let sum = file.checksum(start + 4..<start + pageByteCount)
    file.setU32(start, sum)
    return sum
  }

  private mutating func sealCell(_ slot: Int, of start: Int, isCatalog: Bool) {
    let cell = start + file.u16(slot + 4)
    let value = cell + 2 + file.u16(slot + 6)
    guard value + 12 <= start + pageByteCount else { return }
    if file.u16(cell) == 0xFFFF {
      let run = file.u32(value) * pageByteCount
      let end = run + file.u32(value + 4)
      if run > 0, end <= file.count { file.setU32(value + 8, file.checksum(run..<end)) }
    } else if isCatalog, file.u32(value + 4) != 0 {
      file.setU32(value + 8, sealTree(file.u32(value + 4), level: 31, isCatalog: false))
    }
  }
}

/// Makes the checksums of a log fit whatever its bytes are.
enum SealedLog {
  /// Seals the frames of one half, as far as each leads to the next.
  static func sealHalf(
    _ bytes: [UInt8], half: Int, salt: UInt64
  ) -> [UInt8] {
    var file = LooseBytes(bytes)
    var offset = 0
    while offset + 40 <= file.count {
      let count = file.u32(offset + 8)
      let end = offset + 40 + count
      guard end <= file.count else {
        seal(&file, at: offset, bodyEnd: file.count, half: half, salt: salt)
        break
      }
      seal(&file, at: offset, bodyEnd: end, half: half, salt: salt)
      offset = (end + 7) & ~7
    }
    return file.bytes
  }

  private static func seal(
    _ file: inout LooseBytes, at offset: Int, bodyEnd: Int, half: Int, salt: UInt64
  ) {
    let place = UInt64(half) << 32 | UInt64(file.u32(offset + 12))
    var seed: [UInt8] = []
    for number in [salt, place, UInt64(offset)] {
      for shift in 0..<8 { seed.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
    }
    file.setU32(offset + 4, file.crc(offset + 40..<bodyEnd, after: seed))
    file.setU32(offset, file.crc(offset + 4..<offset + 40, after: seed))
  }

  /// Seals the header of a log.
  static func sealHeader(_ bytes: [UInt8]) -> [UInt8] {
    var file = LooseBytes(bytes)
    file.setU32(12, file.crc(16..<40, after: Array(file.slice(0..<12))))
    return file.bytes
  }
}
