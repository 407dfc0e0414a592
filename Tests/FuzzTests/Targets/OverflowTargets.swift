import PageStore

/// References to runs of pages with long values, and what is asked of them.
enum FuzzedOverflow {
  static let seeds: [[UInt8]] = [
    [1, 0, 0, 0, 0, 136, 19, 0, 0, 0, 0, 0, 0, 1], [0],
    [1, 255, 255, 255, 255, 255, 255, 255, 255],
  ]

  private static let sample = Result { try FuzzedPages.make([.long]) }

  /// Replaces fields of the references: which of them, whether the checksum fits, then the fields.
  static func use(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard case .success(let sample) = sample else { throw FuzzFinding("no sample") }
    var file = LooseBytes(sample)
    var feed = ByteFeed(bytes)
    let references = places(in: file)
    while !feed.isEmpty, !references.isEmpty {
      let reference = references[feed.number(below: references.count)]
      let first = Int(file.u32(reference))
      switch feed.byte() % 4 {
      case 0: file.setU32(reference, first &+ Int(Int8(bitPattern: feed.byte())))
      case 1: file.setU32(reference, feed.u32())
      case 2: file.setU32(reference + 4, feed.u32())
      default: file.setU32(reference + 12 + 4 * Int(feed.byte() % 3), feed.u32())
      }
    }
    try FuzzedPages.use(SealedPages.seal(file.bytes))
  }

  /// Where the references stand, in any leaf.
  private static func places(in file: LooseBytes) -> [Int] {
    stride(from: 8192, to: file.count, by: 4096).filter { file.u8($0 + 4) == 2 }.flatMap { start in
      let slots = start + 32 + (file.u8(start + 28) + 7) / 8 * 8
      return (0..<min(file.u16(start + 6), 64)).compactMap { index -> Int? in
        let cell = start + file.u16(slots + 8 * index + 4)
        guard file.u16(cell) == 0xFFFF else { return nil }
        return cell + 2 + file.u16(slots + 8 * index + 6)
      }
    }
  }
}
