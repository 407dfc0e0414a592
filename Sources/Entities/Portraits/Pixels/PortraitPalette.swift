/// The colours of a portrait with few of them, in the order in which they first appear.
struct PortraitPalette {
  let colors: [PixelColor]
  private let indexOfColor: [PixelColor: UInt8]

  /// The colours of `portrait`, or nil where there are more than 256.
  init?(of portrait: Portrait) {
    var colors: [PixelColor] = []
    var indexOfColor: [PixelColor: UInt8] = [:]
    var last: PixelColor?
    for color in portrait.pixels where color != last {
      last = color
      if indexOfColor[color] != nil { continue }
      guard colors.count < PortraitCoding.maximumPaletteCount else { return nil }
      indexOfColor[color] = UInt8(colors.count)
      colors.append(color)
    }
    self.colors = colors
    self.indexOfColor = indexOfColor
  }

  /// The fewest bits that number all colours: 1, 2, 4 or 8.
  var bitsPerPixel: Int {
    switch colors.count {
    case ...2: 1
    case ...4: 2
    case ...16: 4
    default: 8
    }
  }

  /// The number of the colour of each of `pixels`, one to a byte.
  func indices(of pixels: [PixelColor]) -> [UInt8] {
    var last = colors[0]
    var index: UInt8 = 0
    return pixels.map { color in
      if color == last { return index }
      guard let found = indexOfColor[color] else {
        preconditionFailure("a colour that is not in the palette")
      }
      last = color
      index = found
      return found
    }
  }

  /// The number of the colour of each of `pixels`, as many to a byte as fit.
  func pack(_ pixels: [PixelColor]) -> [UInt8] {
    let indices = indices(of: pixels)
    let bits = bitsPerPixel
    if bits == 8 { return indices }
    let perByte = 8 / bits
    return stride(from: 0, to: indices.count, by: perByte).map { start in
      var byte: UInt8 = 0
      for place in 0..<min(perByte, indices.count - start) {
        byte |= indices[start + place] << UInt8(place * bits)
      }
      return byte
    }
  }
}
