/// What can be wrong with the bytes or the size of a picture.
public enum PortraitError: Error, Equatable, Sendable {
  /// A side is no pixel long, or longer than `Portrait.maximumSide`.
  case size(width: Int, height: Int)
  /// The pixels are not as many as width times height.
  case pixelCount(Int, expected: Int)
  /// There are more bytes than `Portrait.maximumByteCount`.
  case tooLong(byteCount: Int)
  /// The bytes end before what begins at `offset` is whole.
  case cut(offset: Int)
  /// A later version of this library encoded the portrait.
  case unknownVersion(UInt8)
  /// The encoded portrait breaks its format.
  case corrupt(PortraitDefect)
  /// The bytes are not a PNG file: the signature is another's.
  case notPNG
  /// The PNG file breaks its format in the chunk that begins at `offset`.
  case corruptPNG(PNGDefect, offset: Int)
  /// libpng refuses the file or the picture; in its words.
  case png(String)
}

/// What is wrong with an encoded portrait.
public enum PortraitDefect: Equatable, Sendable {
  /// No such number of bits for a pixel.
  case bitsPerPixel(UInt8)
  /// No such way to keep the body.
  case compression(UInt8)
  /// More colours than the bits of a pixel can tell apart, or none.
  case paletteCount(Int)
  /// A pixel has a colour that is not in the palette.
  case colorIndex(Int, paletteCount: Int)
  /// The body has not as many bytes as the size asks for.
  case bodyByteCount(Int, expected: Int)
  /// Nothing of the body's length can become as many bytes as the size asks for.
  case bomb(bodyByteCount: Int, expected: Int)
  /// The body is no LZ4 block of the expected length.
  case lz4
  /// Bits after the last pixel are set.
  case padding
}

/// What is wrong with a PNG file.
public enum PNGDefect: Equatable, Sendable {
  /// The first chunk is no header of 13 bytes.
  case header
  /// The chunk's checksum is another than it says.
  case checksum
  /// The pixel data cannot become as many bytes as the header says.
  case bomb
}
