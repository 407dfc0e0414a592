import CDexShim
import Glibc
import Synchronization

/// Memory that holds a simulated file's visible image, and that mappings of the file share.
///
/// It costs nothing but addresses until it is touched. Used regions are kept and used again, since
/// a run makes hundreds of thousands of disks.
final class SharedRegion: Sendable {
  let byteCount: Int
  private let address: UInt

  private static let pool = Mutex<[SharedRegion]>([])
  private static let poolSize = 64

  private init(byteCount: Int) {
    var base: UnsafeMutableRawPointer?
    precondition(dex_map_memory(byteCount, &base) == 0, "no memory for a simulated file")
    self.byteCount = byteCount
    address = UInt(bitPattern: base)
  }

  deinit { dex_unmap(base, byteCount) }

  var base: UnsafeMutableRawPointer {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else {
      preconditionFailure("a region has an address")
    }
    return base
  }

  /// A region full of zeros.
  static func make(byteCount: Int) -> SharedRegion {
    let used = pool.withLock { (pool) -> SharedRegion? in
      guard let index = pool.lastIndex(where: { $0.byteCount == byteCount }) else { return nil }
      return pool.remove(at: index)
    }
    return used ?? SharedRegion(byteCount: byteCount)
  }

  /// Takes a region back that is full of zeros and that nobody refers to any more.
  static func giveBack(_ region: SharedRegion) {
    pool.withLock { if $0.count < poolSize { $0.append(region) } }
  }
}

/// Who holds a region; the last one to go gives it back.
final class RegionOwner: Sendable {
  let region: SharedRegion
  /// The blocks that may hold something else than zeros, or nil where nobody knows.
  private let touched: Mutex<BlockSet?>

  /// The owner of a new region of `byteCount` zeros.
  init(byteCount: Int) {
    region = SharedRegion.make(byteCount: byteCount)
    touched = Mutex(BlockSet())
  }

  deinit {
    guard let touched = touched.withLock({ $0 }), touched.count <= 4096 else { return }
    touched.visit { block in
      memset(region.base + block * BlockSet.byteCount, 0, BlockSet.byteCount)
    }
    SharedRegion.giveBack(region)
  }

  var base: UnsafeMutableRawPointer { region.base }

  /// Notes that `block` is written to.
  func touch(_ block: Int) { touched.withLock { $0?.insert(block) } }

  /// Notes that others may write anywhere, without saying so.
  func touchAll() { touched.withLock { $0 = nil } }

  /// The blocks of a file of `fileByteCount` that may hold something else than zeros.
  func touchedBlocks(fileByteCount: Int) -> BlockSet {
    if let known = touched.withLock({ $0 }) { return known }
    var all = BlockSet()
    for block in BlockSet.blocks(of: 0..<fileByteCount) { all.insert(block) }
    return all
  }

  func isTouched(_ block: Int) -> Bool { touched.withLock { $0?.contains(block) ?? true } }
}
