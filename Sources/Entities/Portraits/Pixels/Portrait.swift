/// A small picture: rows of pixels from the top, each row from the left.
///
/// Invariants, true of every value of this type:
/// 1. Both sides are 1 to `Portrait.maximumSide` pixels.
/// 2. `pixels` holds `width * height` colours.
public struct Portrait: Hashable, Sendable {
  /// The longest that a side may be, in pixels.
  public static let maximumSide = 4096
  /// The most bytes that an encoded portrait or a PNG file may have.
  public static let maximumByteCount = 16 << 20

  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The colours, row by row.
  public let pixels: [PixelColor]

  /// A portrait of `pixels`, row by row.
  ///
  /// - Throws: `.size` where a side is out of bounds, `.pixelCount` where the pixels do not fill it.
  public init(width: Int, height: Int, pixels: [PixelColor]) throws(PortraitError) {
    try Self.checkSize(width: width, height: height)
    guard pixels.count == width * height else {
      throw .pixelCount(pixels.count, expected: width * height)
    }
    self.init(trusted: pixels, width: width, height: height)
  }

  /// A portrait whose size somebody has checked already.
  init(trusted pixels: [PixelColor], width: Int, height: Int) {
    precondition(
      pixels.count == width * height, "\(pixels.count) pixels for \(width) by \(height)")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The colour at `column` and `row`.
  public subscript(column: Int, row: Int) -> PixelColor {
    precondition(
      (0..<width).contains(column) && (0..<height).contains(row),
      "(\(column), \(row)) in \(width) by \(height)")
    return pixels[row * width + column]
  }

  /// Throws unless a portrait may have `width` columns and `height` rows.
  static func checkSize(width: Int, height: Int) throws(PortraitError) {
    guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else {
      throw .size(width: width, height: height)
    }
  }

  /// Throws unless `count` bytes are few enough for one picture.
  static func checkByteCount(_ count: Int) throws(PortraitError) {
    guard count <= maximumByteCount else { throw .tooLong(byteCount: count) }
  }
}
