@testable import Entities

extension FuzzTarget {
  /// Portraits as they are stored, and PNG files that are imported.
  static let pictures = [
    FuzzTarget(
      name: "portrait", longestInput: 8192, limits: (64, 768),
      seeds: { try FuzzedPicture.portraits().map { try PortraitCoding.encode($0) } },
      run: { bytes throws(FuzzFinding) in try FuzzedPicture.readPortrait(bytes) }),
    FuzzTarget(
      name: "png-raw", longestInput: 8192, limits: (64, 768), dictionary: "png",
      seeds: { try FuzzedPicture.portraits().map { try PNGCoding.encode($0) } },
      run: { bytes throws(FuzzFinding) in try FuzzedPicture.readPNG(bytes) }),
    FuzzTarget(
      name: "png-sealed", longestInput: 8192, limits: (64, 768), dictionary: "png",
      seeds: { try FuzzedPicture.portraits().map { try PNGCoding.encode($0) } },
      run: { bytes throws(FuzzFinding) in try FuzzedPicture.readPNG(FuzzedPicture.seal(bytes)) }),
  ]
}

/// Pictures, and what is asked of them.
enum FuzzedPicture {
  /// Pictures of 1 colour, of 16, of 256 and of more.
  static func portraits() throws -> [Portrait] {
    try [1, 16, 256, 289].map { colorCount in
      let side = colorCount > 16 ? 17 : 9
      let pixels = (0..<side * side).map { index in
        let color = UInt32(index % colorCount)
        return PixelColor(
          red: UInt8(color & 0xFF), green: UInt8(color >> 8), blue: UInt8(color * 7 & 0xFF),
          alpha: index % 5 == 0 ? 0 : 255)
      }
      return try Portrait(width: side, height: side, pixels: pixels)
    }
  }

  static func readPortrait(_ bytes: [UInt8]) throws(FuzzFinding) {
    let portrait: Portrait
    do throws(PortraitError) {
      portrait = try PortraitCoding.decode(untrusted: bytes)
    } catch {
      return
    }
    try check(portrait)
    if portrait.pixels.count > 1 << 16 { return }
    let again: Portrait
    do throws(PortraitError) {
      again = try PortraitCoding.decode(
        untrusted: try PortraitCoding.encode(portrait, effort: .fast))
    } catch {
      throw FuzzFinding("what was read cannot be written and read: \(error)")
    }
    try FuzzFinding.unless(again == portrait, "a portrait comes back as another one")
  }

  static func readPNG(_ bytes: [UInt8]) throws(FuzzFinding) {
    let portrait: Portrait
    do throws(PortraitError) {
      portrait = try PNGCoding.decode(untrusted: bytes)
    } catch {
      return
    }
    try check(portrait)
  }

  private static func check(_ portrait: Portrait) throws(FuzzFinding) {
    try FuzzFinding.unless(
      portrait.pixels.count == portrait.width * portrait.height && portrait.width > 0
        && portrait.height > 0, "\(portrait.width) times \(portrait.height) pixels")
  }

  /// Makes the checksums of all chunks fit.
  static func seal(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var offset = 8
    while offset + 12 <= bytes.count {
      let count = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = offset + 8 + count
      guard end + 4 <= bytes.count else { break }
      let sum = crc32(bytes[(offset + 4)..<end])
      for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
      offset = end + 4
    }
    return bytes
  }

  /// CRC-32 of ISO 3309, bit by bit.
  private static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
