internal import CPNG

/// Portraits as PNG files, through libpng.
///
/// libpng fails by long jumps. None crosses a frame of Swift: reading is one function of C, and the
/// simplified interface, which writes, catches its own.
public enum PNGCoding {
  /// The portrait in the PNG file `file`, believing nothing it says.
  ///
  /// Takes every kind of PNG: gray, palette or colour, 1 to 16 bits, interlaced or not, with or
  /// without transparency.
  ///
  /// - Throws: what is wrong, `PortraitError`. A file that is cut, or in which any checksum fails,
  ///   is an error also where libpng would go on.
  public static func decode(untrusted file: [UInt8]) throws(PortraitError) -> Portrait {
    let chunks = try PNGChunks(untrusted: file)
    // Safe: a structure of numbers and a null pointer.
    var source = unsafe cpng_source()
    var isRead = false
    // Safe: the C function reads within the length that it is told, while the file stays where it
    // is, and writes width times height pixels of four bytes or fails.
    let pixels = unsafe [PixelColor](unsafeUninitializedCapacity: chunks.width * chunks.height) {
      pixels, count in
      let target = unsafe UnsafeMutableRawBufferPointer(pixels).bindMemory(to: UInt8.self)
      isRead =
        unsafe file.withUnsafeBufferPointer { bytes in
          unsafe source.next = bytes.baseAddress
          unsafe source.length = bytes.count
          return unsafe cpng_read(
            &source, png_uint_32(chunks.width), png_uint_32(chunks.height), target.baseAddress)
        } != 0
      if isRead { count = pixels.count }
    }
    // Safe: the characters are the structure's own.
    guard isRead else { throw .png(unsafe text(of: source.message)) }
    #if _endian(big)
      return Portrait(
        trusted: pixels.map { PixelColor(bits: $0.bits.byteSwapped) }, width: chunks.width,
        height: chunks.height)
    #else
      return Portrait(trusted: pixels, width: chunks.width, height: chunks.height)
    #endif
  }

  /// A PNG file of `portrait`, with a palette where it has at most 256 colours.
  ///
  /// - Throws: `.tooLong` where it would have more than `Portrait.maximumByteCount` bytes.
  public static func encode(_ portrait: Portrait) throws(PortraitError) -> [UInt8] {
    guard let palette = PortraitPalette(of: portrait) else {
      return try write(
        PortraitCoding.channelBytes(of: portrait.pixels), colors: [], of: portrait,
        format: pixelFormat)
    }
    return try write(
      palette.indices(of: portrait.pixels), colors: PortraitCoding.channelBytes(of: palette.colors),
      of: portrait, format: pixelFormat | png_uint_32(PNG_FORMAT_FLAG_COLORMAP))
  }

  /// Red, green, blue and alpha, a byte each, in this order.
  private static var pixelFormat: png_uint_32 {
    png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
  }

  private static func write(
    _ plain: [UInt8], colors: [UInt8], of portrait: Portrait, format: png_uint_32
  ) throws(PortraitError) -> [UInt8] {
    // Safe: plain fields of the call's own structure.
    var image = unsafe newImage()
    unsafe image.width = png_uint_32(portrait.width)
    unsafe image.height = png_uint_32(portrait.height)
    unsafe image.format = format
    unsafe image.colormap_entries = png_uint_32(colors.count / 4)
    // Deflated data that does not shrink grows by 5 bytes in 16 KiB; the rest are small chunks.
    let rowByteCount = portrait.width * (colors.isEmpty ? 4 : 1) + 1
    let capacity = portrait.height * rowByteCount * 101 / 100 + 4096
    var isWritten = false
    // Safe: libpng reads the pixels and colours that size and format ask for, which are there, and
    // writes at most as many bytes as it is told that there is room for.
    let file = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      var byteCount = target.count
      isWritten = unsafe plain.withUnsafeBytes { plain in
        unsafe colors.withUnsafeBytes { colors in
          unsafe png_image_write_to_memory(
            &image, target.baseAddress, &byteCount, 0, plain.baseAddress, 0, colors.baseAddress)
        } != 0
      }
      if isWritten { count = byteCount }
    }
    // Safe: the structure is this call's own.
    guard isWritten else { throw .png(unsafe text(of: image.message)) }
    try Portrait.checkByteCount(file.count)
    return file
  }

  private static func newImage() -> png_image {
    // Safe: a structure of zeros is how libpng wants it to begin.
    var image = unsafe png_image()
    unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
    return unsafe image
  }

  /// What libpng says of its failure in a fixed array of characters, as far as it is ASCII.
  private static func text<Characters>(of characters: Characters) -> String {
    // Safe: the bytes of a value, up to the first zero.
    unsafe withUnsafeBytes(of: characters) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }.map { $0 & 0x7F }, as: UTF8.self)
    }
  }
}
