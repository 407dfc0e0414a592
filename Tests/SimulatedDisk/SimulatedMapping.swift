import CDexShim
import Glibc
import PageStore

/// A simulated process's view of a file: the same memory as all others', at its own address.
final class SimulatedMapping: FileMapping {
  let byteCount: Int
  private let path: String
  private let address: UInt
  /// Keeps the memory from being used for another file.
  private let owner: RegionOwner

  init(path: String, owner: RegionOwner, byteCount: Int, writable: Bool) throws(StoreError) {
    var base: UnsafeMutableRawPointer?
    let answer = dex_map_again(
      owner.base, owner.region.byteCount, byteCount, writable, &base)
    guard answer == 0 else { throw .system(.map, path: path, errno: -answer) }
    self.path = path
    self.byteCount = byteCount
    self.owner = owner
    address = UInt(bitPattern: base)
  }

  deinit { dex_unmap(base, byteCount) }

  var base: UnsafeMutableRawPointer {
    guard let base = UnsafeMutableRawPointer(bitPattern: address) else {
      preconditionFailure("a mapping has an address")
    }
    return base
  }

  func overlayMemory(_ range: Range<Int>) throws(StoreError) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= byteCount
        && range.lowerBound.isMultiple(of: 4096) && range.upperBound.isMultiple(of: 4096),
      "overlay of \(range) in \(byteCount) bytes")
    if range.isEmpty { return }
    let answer = dex_map_over(base + range.lowerBound, range.count)
    guard answer == 0 else { throw .system(.map, path: path, errno: -answer) }
  }

  /// Cuts the mapping off from the file; it keeps the bytes that it shows.
  func detach(fileByteCount: Int) {
    let count = min(byteCount, (fileByteCount + 4095) / 4096 * 4096)
    guard count > 0 else { return }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    guard dex_map_over(base, count) == 0 else { return }
    bytes.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress { memcpy(base, source, count) }
    }
  }
}
