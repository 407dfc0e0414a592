import Glibc

/// What of the changes that were not synced a crash leaves on the medium.
package enum CrashChoice: Sendable {
  /// None of them.
  case nothingKept
  /// All of them.
  case everythingKept
  /// Each kept, dropped or torn, as the seed decides.
  case seeded(UInt64)
  /// Those whose bits are set, whole. The lowest bits are the pending sectors, in the order of files
  /// and writes; then a bit for each file whose size is pending; then one for each change of a name.
  case subset(UInt64)
}

/// Decides, item by item, what survives a crash.
struct CrashDecider {
  enum Fate {
    case dropped
    case kept
    case torn
  }

  private let choice: CrashChoice
  /// The bits of `subset` that decide about the next sector, and about the next size or name.
  private var sectorBit = 0
  private var otherBit: Int
  private(set) var random: SplitMix64
  /// How many in a hundred are kept, and of the others how many are torn.
  private var keptPercent = 50
  private var tornPercent = 0

  init(_ choice: CrashChoice, pendingSectorCount: Int) {
    self.choice = choice
    otherBit = pendingSectorCount
    if case .seeded(let seed) = choice {
      random = SplitMix64(seed: seed)
    } else {
      random = SplitMix64(seed: 0)
    }
  }

  /// Chooses anew how much of the next file survives: images in which nearly all or nearly nothing
  /// of a file does find other faults than those in between.
  mutating func beginFile() {
    guard case .seeded = choice else { return }
    keptPercent = [0, 5, 50, 50, 95, 100][random.number(in: 0..<6)]
    tornPercent = [0, 0, 20, 100][random.number(in: 0..<4)]
  }

  /// The fate of the next sector; only a seed tears.
  mutating func fate() -> Fate {
    defer { sectorBit += 1 }
    return fate(bit: sectorBit)
  }

  /// True where the next item, which cannot be torn, is kept.
  mutating func isKept() -> Bool {
    defer { otherBit += 1 }
    return fate(bit: otherBit) == .kept
  }

  private mutating func fate(bit: Int) -> Fate {
    switch choice {
    case .nothingKept: return .dropped
    case .everythingKept: return .kept
    case .seeded:
      if random.chance(keptPercent) { return .kept }
      return random.chance(tornPercent) ? .torn : .dropped
    case .subset(let bits):
      return bit < 64 && bits >> UInt64(bit) & 1 == 1 ? .kept : .dropped
    }
  }

  /// Which of `count` sizes in order the file has, or nil for the durable one.
  mutating func sizeIndex(of count: Int) -> Int? {
    guard count > 0 else { return nil }
    guard case .seeded = choice else { return isKept() ? count - 1 : nil }
    // The first and the last are likelier than those between.
    switch random.number(in: 0..<4) {
    case 0: return nil
    case 1: return random.number(in: 0..<count)
    default: return random.chance(keptPercent) ? count - 1 : nil
    }
  }

  /// Overwrites `old` with what is left of a write of `new` that was under way.
  ///
  /// Bytes that are the same in both never suffer: a sector may tear, but the medium does not harm
  /// what was written earlier and not changed.
  mutating func tear(_ old: UnsafeMutableRawBufferPointer, _ new: UnsafeRawBufferPointer) {
    let cut = random.number(in: 0..<old.count + 1)
    switch random.number(in: 0..<3) {
    case 0:
      for i in 0..<cut { old[i] = new[i] }
    case 1:
      for i in cut..<old.count { old[i] = new[i] }
    default:
      let end = random.number(in: cut..<old.count + 1)
      for i in 0..<old.count where old[i] != new[i] {
        old[i] = (cut..<end).contains(i) ? UInt8(truncatingIfNeeded: random.next()) : new[i]
      }
    }
  }
}

extension SimulatedFile {
  /// How many sectors a crash decides about.
  var pendingSectorCount: Int {
    var count = unseenSectors.count
    for case .write(_, let bytes) in pending { count += bytes.count / Self.sectorByteCount }
    return count
  }

  /// The sectors that a program may have changed through a mapping.
  private var unseenSectors: [Int] {
    guard isMappedForWriting else { return [] }
    return undo.keys.filter { sector in
      !stale.contains(sector) && sector * Self.sectorByteCount < byteCount
        && durable(sector) != [UInt8](bytes(Self.range(ofSector: sector)))
    }.sorted()
  }

  private func durable(_ sector: Int) -> [UInt8] {
    guard let position = undo[sector], position >= 0 else {
      return [UInt8](repeating: 0, count: Self.sectorByteCount)
    }
    return [UInt8](undoBytes[position..<position + Self.sectorByteCount])
  }

  private static func range(ofSector sector: Int) -> Range<Int> {
    sector * sectorByteCount..<(sector + 1) * sectorByteCount
  }

  /// The durable image, with those of its pending sectors that `decider` keeps.
  ///
  /// The size is still open; see `afterCrash`.
  func imageAfterCrash(_ decider: inout CrashDecider, sizeIndex: Int?) -> RegionOwner {
    let image = copyOfImage()
    for sector in undo.keys { restore(sector, in: image) }
    for change in pending {
      switch change {
      case .cut(let range, let size):
        // A size that came after the cut shows none of the bytes before it.
        guard let sizeIndex, sizeIndex >= size else { continue }
        image.touchedBlocks(fileByteCount: maximumByteCount).visit(
          from: range.lowerBound / BlockSet.byteCount
        ) { block in
          let start = max(range.lowerBound, block * BlockSet.byteCount)
          let end = min(range.upperBound, (block + 1) * BlockSet.byteCount)
          if start < end { Self.zero(image, start..<end) }
        }
      case .write(let first, let bytes):
        bytes.withUnsafeBytes { bytes in
          for index in 0..<bytes.count / Self.sectorByteCount {
            let part = UnsafeRawBufferPointer(
              rebasing: bytes[Self.range(ofSector: index)])
            Self.settle(first + index, part, in: image, decider.fate(), &decider)
          }
        }
      }
    }
    for sector in unseenSectors {
      let part = bytes(Self.range(ofSector: sector))
      Self.settle(sector, part, in: image, decider.fate(), &decider)
    }
    return image
  }

  private static func zero(_ image: RegionOwner, _ range: Range<Int>) {
    memset(image.base + range.lowerBound, 0, range.count)
  }

  private static func settle(
    _ sector: Int, _ new: UnsafeRawBufferPointer, in image: RegionOwner,
    _ fate: CrashDecider.Fate, _ decider: inout CrashDecider
  ) {
    guard fate != .dropped else { return }
    image.touch(sector * sectorByteCount / BlockSet.byteCount)
    let old = UnsafeMutableRawBufferPointer(
      start: image.base + sector * sectorByteCount, count: sectorByteCount)
    if fate == .kept {
      old.copyMemory(from: new)
    } else {
      decider.tear(old, new)
    }
  }

  /// The file as the medium has it after a crash: `image`, as long as the size `sizeIndex` says.
  func afterCrash(image: RegionOwner, sizeIndex: Int?) -> SimulatedFile {
    var file = SimulatedFile(
      number: number, permissions: permissions, image: image,
      byteCount: sizeIndex.map { pendingSizes[$0] } ?? durableByteCount)
    let end = file.byteCount
    image.touchedBlocks(fileByteCount: maximumByteCount).visit(from: end / BlockSet.byteCount) {
      let start = max(end, $0 * BlockSet.byteCount)
      Self.zero(image, start..<($0 + 1) * BlockSet.byteCount)
    }
    allocated.visit {
      if $0 * BlockSet.byteCount < end { file.allocated.insert($0) }
    }
    image.touchedBlocks(fileByteCount: end).visit {
      if $0 * BlockSet.byteCount < end { file.allocated.insert($0) }
    }
    return file
  }
}
