import Glibc

/// A file of the simulated disk: what programs see, and what the medium would keep.
///
/// Invariants:
/// 1. The region holds the visible image; its bytes from `byteCount` on are zeros.
/// 2. `undo` has the durable bytes of each sector in which the images may differ.
/// 3. `pending` has all writes since the last sync, in order; sectors that a failed sync has
///    dropped are in `stale` and in `undo`, but not there.
struct SimulatedFile: Sendable {
  static let sectorByteCount = 512

  let number: UInt64
  var permissions: UInt32
  /// The visible image, in memory that mappings share.
  var owner: RegionOwner
  var byteCount = 0
  var durableByteCount = 0
  /// The sizes that the file had since the last sync, in order.
  var pendingSizes: [Int] = []
  /// The blocks that the file takes from the disk's room.
  var allocated = BlockSet()
  var pending: [PendingChange] = []
  /// For each sector where its durable bytes start in `undoBytes`; -1 for zeros.
  private(set) var undo: [Int: Int] = [:]
  private(set) var undoBytes: [UInt8] = []
  private(set) var stale: Set<Int> = []
  /// True once programs may write to the image without a call.
  private(set) var isMappedForWriting = false

  init(number: UInt64, permissions: UInt32, maximumByteCount: Int) {
    self.number = number
    self.permissions = permissions
    owner = RegionOwner(byteCount: maximumByteCount)
  }

  /// A file at rest: both images are `image`.
  init(number: UInt64, permissions: UInt32, image: RegionOwner, byteCount: Int) {
    self.number = number
    self.permissions = permissions
    self.byteCount = byteCount
    owner = image
    durableByteCount = byteCount
  }

  var maximumByteCount: Int { owner.region.byteCount }

  /// The visible bytes in `range`, which lies in the region.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: owner.base + range.lowerBound, count: range.count)
  }

  // MARK: Writing

  /// Writes as many of `bytes` as `room`, in bytes, allows, and takes what they need from it.
  ///
  /// - Returns: how many bytes were written.
  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, room: inout Int) -> Int {
    var end = min(offset + bytes.count, maximumByteCount)
    guard end > offset else { return 0 }
    for block in BlockSet.blocks(of: offset..<end) where !allocated.contains(block) {
      guard room >= BlockSet.byteCount else {
        end = max(offset, block * BlockSet.byteCount)
        break
      }
      room -= BlockSet.byteCount
      allocated.insert(block)
    }
    guard end > offset else { return 0 }
    let written = UnsafeRawBufferPointer(rebasing: bytes[..<(end - offset)])
    saveUndo(of: offset..<end)
    store(written, at: offset)
    let sectors = Self.sectors(of: offset..<end)
    let aligned =
      sectors.lowerBound * Self.sectorByteCount..<sectors.upperBound * Self.sectorByteCount
    pending.append(.write(firstSector: sectors.lowerBound, bytes: [UInt8](self.bytes(aligned))))
    if end > byteCount { setSize(end) }
    return written.count
  }

  /// Copies `bytes` into the visible image; untouched blocks stay so where they get only zeros.
  private func store(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    for block in BlockSet.blocks(of: offset..<offset + bytes.count) {
      let start = max(offset, block * BlockSet.byteCount)
      let end = min(offset + bytes.count, (block + 1) * BlockSet.byteCount)
      let part = UnsafeRawBufferPointer(rebasing: bytes[start - offset..<end - offset])
      if !owner.isTouched(block) {
        if part.isZero { continue }
        owner.touch(block)
      }
      if let source = part.baseAddress { memcpy(owner.base + start, source, part.count) }
    }
  }

  /// Makes the file at least `newByteCount` long, with room for all of it, or answers false.
  mutating func allocate(to newByteCount: Int, room: inout Int) -> Bool {
    guard newByteCount > byteCount else { return true }
    let missing = BlockSet.blocks(of: byteCount..<newByteCount).filter { !allocated.contains($0) }
    guard room >= missing.count * BlockSet.byteCount else { return false }
    room -= missing.count * BlockSet.byteCount
    for block in missing { allocated.insert(block) }
    setSize(newByteCount)
    return true
  }

  /// Gives `room` back the blocks that lie in `range` whole; they read as zeros from now on.
  mutating func discard(_ range: Range<Int>, room: inout Int) {
    let zeros = [UInt8](repeating: 0, count: BlockSet.byteCount)
    let first = (range.lowerBound + BlockSet.byteCount - 1) / BlockSet.byteCount
    for block in first..<max(first, min(range.upperBound, byteCount) / BlockSet.byteCount)
    where allocated.contains(block) {
      zeros.withUnsafeBytes { _ = write($0, at: block * BlockSet.byteCount, room: &room) }
      allocated.remove(block)
      room += BlockSet.byteCount
    }
  }

  /// Cuts or extends the file, giving `room` back what was cut.
  mutating func truncate(to newByteCount: Int, room: inout Int) {
    let cut = newByteCount..<max(newByteCount, byteCount)
    setSize(newByteCount)
    guard !cut.isEmpty else { return }
    var touched: [Int] = []
    owner.touchedBlocks(fileByteCount: cut.upperBound)
      .visit(from: cut.lowerBound / BlockSet.byteCount) { touched.append($0) }
    for block in touched {
      let start = max(cut.lowerBound, block * BlockSet.byteCount)
      let end = min(cut.upperBound, (block + 1) * BlockSet.byteCount)
      guard start < end else { continue }
      saveUndo(of: start..<end)
      memset(owner.base + start, 0, end - start)
    }
    pending.append(.cut(cut, size: pendingSizes.count - 1))
    var freed: [Int] = []
    let firstFree = (newByteCount + BlockSet.byteCount - 1) / BlockSet.byteCount
    allocated.visit(from: firstFree) { freed.append($0) }
    for block in freed { allocated.remove(block) }
    room += freed.count * BlockSet.byteCount
  }

  /// Makes `newByteCount` the visible size.
  mutating func setSize(_ newByteCount: Int) {
    if isMappedForWriting && newByteCount > byteCount {
      saveUndo(of: byteCount..<newByteCount)
    }
    byteCount = newByteCount
    pendingSizes.append(newByteCount)
  }

  /// Notes that from now on anyone may change the visible image unseen.
  mutating func mapForWriting() {
    isMappedForWriting = true
    owner.touchAll()
    if byteCount > 0 { saveUndo(of: 0..<byteCount) }
  }

  /// Keeps the durable bytes of each sector of `range` that is still the same in both images.
  private mutating func saveUndo(of range: Range<Int>) {
    for sector in Self.sectors(of: range) {
      stale.remove(sector)
      guard undo[sector] == nil else { continue }
      let start = sector * Self.sectorByteCount
      if owner.isTouched(start / BlockSet.byteCount) {
        undo[sector] = undoBytes.count
        undoBytes.append(contentsOf: bytes(start..<start + Self.sectorByteCount))
      } else {
        undo[sector] = -1
      }
    }
  }

  // MARK: Syncing

  /// Makes the visible image the durable one, but for what a failed sync has forgotten.
  mutating func sync() {
    forgetUndo { [stale] in stale.contains($0) }
    pending.removeAll(keepingCapacity: true)
    pendingSizes.removeAll(keepingCapacity: true)
    durableByteCount = byteCount
    if isMappedForWriting && byteCount > 0 {
      let forgotten = stale
      saveUndo(of: 0..<byteCount)
      stale = forgotten
    }
  }

  /// Does what a system may do with unwritten data when writing them fails.
  mutating func failSync(_ failure: SyncFailure) {
    var unsynced = Set(undo.keys).subtracting(stale)
    switch failure {
    case .clean:
      break
    case .reverted:
      for sector in unsynced where sector * Self.sectorByteCount < byteCount {
        restore(sector, in: owner)
      }
      // The size is as it was, and what lies behind it is nobody's to see.
      let tail = byteCount..<Self.sectors(of: 0..<byteCount).upperBound * Self.sectorByteCount
      if !tail.isEmpty { memset(owner.base + tail.lowerBound, 0, tail.count) }
      let whole = unsynced.filter { ($0 + 1) * Self.sectorByteCount <= byteCount }
      forgetUndo { !whole.contains($0) }
      unsynced.subtract(whole)
    case .partly(let seed):
      var random = SplitMix64(seed: seed)
      var kept: Set<Int> = []
      for sector in unsynced.sorted() where random.chance(50) { kept.insert(sector) }
      forgetUndo { !kept.contains($0) }
      unsynced.subtract(kept)
    }
    stale.formUnion(unsynced)
    // A file that is mapped for writing keeps the bytes of every sector, stale or not.
    if isMappedForWriting && byteCount > 0 {
      let forgotten = stale
      saveUndo(of: 0..<byteCount)
      stale = forgotten
    }
    pending.removeAll()
  }

  /// Drops the durable bytes of the sectors that `isKept` denies.
  private mutating func forgetUndo(_ isKept: (Int) -> Bool) {
    let kept = undo.filter { isKept($0.key) }
    if kept.isEmpty {
      undo.removeAll(keepingCapacity: true)
      undoBytes.removeAll(keepingCapacity: true)
    } else {
      undo = kept
    }
  }

  // MARK: Images

  /// Puts the durable bytes of `sector`, where they differ, into `target`.
  func restore(_ sector: Int, in target: RegionOwner) {
    guard let position = undo[sector] else { return }
    let start = target.base + sector * Self.sectorByteCount
    if position < 0 {
      memset(start, 0, Self.sectorByteCount)
    } else {
      target.touch(sector * Self.sectorByteCount / BlockSet.byteCount)
      undoBytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        memcpy(start, base + position, Self.sectorByteCount)
      }
    }
  }

  /// A copy of the visible image.
  func copyOfImage() -> RegionOwner {
    let copy = RegionOwner(byteCount: maximumByteCount)
    owner.touchedBlocks(fileByteCount: byteCount).visit { block in
      let offset = block * BlockSet.byteCount
      copy.touch(block)
      memcpy(copy.base + offset, owner.base + offset, BlockSet.byteCount)
    }
    return copy
  }

  /// The same file, on another disk.
  func copy() -> SimulatedFile {
    var copy = self
    copy.owner = copyOfImage()
    if isMappedForWriting { copy.owner.touchAll() }
    return copy
  }

  /// Flips the bits of `mask` in the byte at `offset` at rest, on the medium and so wherever they are read.
  mutating func rot(at offset: Int, mask: UInt8) {
    owner.touch(offset / BlockSet.byteCount)
    (owner.base + offset).assumingMemoryBound(to: UInt8.self).pointee ^= mask
    let sector = offset / Self.sectorByteCount
    guard let position = undo[sector] else { return }
    if position < 0 {
      undo[sector] = undoBytes.count
      undoBytes.append(contentsOf: repeatElement(0, count: Self.sectorByteCount))
    }
    undoBytes[(undo[sector] ?? 0) + offset % Self.sectorByteCount] ^= mask
  }

  /// The numbers of the sectors that hold a byte of `range`.
  static func sectors(of range: Range<Int>) -> Range<Int> {
    range.isEmpty
      ? 0..<0 : range.lowerBound / sectorByteCount..<(range.upperBound - 1) / sectorByteCount + 1
  }
}

extension UnsafeRawBufferPointer {
  /// True where all bytes are zero.
  fileprivate var isZero: Bool {
    guard let base = baseAddress, count > 0 else { return true }
    return self[0] == 0 && memcmp(base, base + 1, count - 1) == 0
  }
}

/// A change of a file's bytes that no sync has made durable.
enum PendingChange: Sendable {
  /// Whole sectors, as they were after the write.
  case write(firstSector: Int, bytes: [UInt8])
  /// Zeros over `range`, which the file's size number `size` cut off.
  case cut(_ range: Range<Int>, size: Int)
}

/// What becomes of unwritten data when a sync fails; the next sync succeeds in each case.
package enum SyncFailure: Sendable {
  /// They stay visible and count as written, but the medium does not have them.
  case clean
  /// The visible image goes back to what the medium has.
  case reverted
  /// As `clean`, but some sectors, which the seed chooses, did reach the medium.
  case partly(seed: UInt64)
}
