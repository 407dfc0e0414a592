import Entities

/// Pictures by the graphics protocol of kitty: a PNG file in Base64, in pieces.
///
/// - Source: https://sw.kovidgoyal.net/kitty/graphics-protocol/
enum KittyGraphics {
  /// The most characters of Base64 in one piece.
  private static let pieceLength = 4096

  /// The bytes that show `picture` over as many columns and rows, the cursor staying where it is
  /// and the terminal answering nothing.
  static func bytes(
    of picture: Portrait, columns: Int, rows: Int
  ) throws(PortraitError) -> [UInt8] {
    let text = Base64.encode(try PNGCoding.encode(picture))
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: text.count, by: pieceLength) {
      let end = min(start + pieceLength, text.count)
      let keys = start == 0 ? "a=T,f=100,q=2,C=1,c=\(columns),r=\(rows)," : "q=2,"
      bytes += Array("\u{1B}_G\(keys)m=\(end < text.count ? 1 : 0);".utf8)
      bytes += text[start..<end]
      bytes += Array("\u{1B}\\".utf8)
    }
    return bytes
  }
}

/// The encoding of RFC 4648, § 4.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
