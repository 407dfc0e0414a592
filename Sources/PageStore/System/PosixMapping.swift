import CDexShim

/// A mapping that the operating system made, unmapped with the last reference.
@safe final class PosixMapping: FileMapping {
  let byteCount: Int

  private let path: String
  /// The address, as a number so that threads may share it.
  private let address: UInt

  /// Takes over the mapping at `base`.
  init(path: String, base: UnsafeMutableRawPointer, byteCount: Int) {
    self.path = path
    self.byteCount = byteCount
    address = UInt(bitPattern: base)
  }

  deinit {
    // Safe: the mapping is this object's, and nobody refers to the object any more.
    unsafe dex_unmap(base, byteCount)
  }

  var base: UnsafeMutableRawPointer {
    // Safe: made from a pointer, and mapped until this object goes.
    guard let base = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      preconditionFailure("a mapping has an address")
    }
    return unsafe base
  }

  func overlayMemory(_ range: Range<Int>) throws(StoreError) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= byteCount
        && range.lowerBound.isMultiple(of: 4096) && range.upperBound.isMultiple(of: 4096),
      "overlay of \(range) in \(byteCount) bytes")
    if range.isEmpty { return }
    // Safe: the range lies in the mapping.
    let answer = unsafe dex_map_over(base + range.lowerBound, range.count)
    _ = try StoreError.checked(answer, .map, path)
  }
}
