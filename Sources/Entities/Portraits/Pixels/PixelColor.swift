/// A colour of eight bits a channel, not multiplied by its alpha.
@frozen public struct PixelColor: Hashable, Sendable {
  /// Red in the lowest eight bits, then green, blue and alpha.
  public var bits: UInt32

  /// A colour from its packed channels.
  @inlinable public init(bits: UInt32) { self.bits = bits }

  /// A colour from its channels.
  @inlinable public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    bits = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
  }

  /// An opaque colour written as `0xRRGGBB`.
  @inlinable public init(rgb: UInt32) {
    bits = (rgb >> 16 & 0xFF) | (rgb & 0xFF00) | (rgb & 0xFF) << 16 | 0xFF00_0000
  }

  /// Nothing: black with alpha 0.
  public static let clear = PixelColor(bits: 0)

  /// The strength of red, 0 to 255.
  @inlinable public var red: UInt8 { UInt8(truncatingIfNeeded: bits) }
  /// The strength of green, 0 to 255.
  @inlinable public var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
  /// The strength of blue, 0 to 255.
  @inlinable public var blue: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
  /// How much the colour covers, 0 (nothing) to 255.
  @inlinable public var alpha: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }
}
