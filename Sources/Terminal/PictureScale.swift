package import Entities

/// Pictures made larger or smaller.
package enum PictureScale {
  /// `portrait` as large as fits in a box of pixels, its proportions kept.
  ///
  /// Each pixel becomes a square of whole pixels where there is room for that; else each new pixel
  /// is the mean of the area that it covers.
  package static func fit(_ portrait: Portrait, width: Int, height: Int) -> Portrait {
    let width = min(max(width, 1), Portrait.maximumSide)
    let height = min(max(height, 1), Portrait.maximumSide)
    let factor = min(width / portrait.width, height / portrait.height)
    if factor >= 1 { return enlarge(portrait, by: factor) }
    // The tighter side decides.
    let isWide = portrait.width * height >= portrait.height * width
    let newWidth =
      isWide ? width : rounded(portrait.width * height, over: portrait.height)
    let newHeight =
      isWide ? rounded(portrait.height * width, over: portrait.width) : height
    return shrink(
      portrait, width: min(max(newWidth, 1), portrait.width),
      height: min(max(newHeight, 1), portrait.height))
  }

  private static func rounded(_ part: Int, over whole: Int) -> Int { (part + whole / 2) / whole }

  private static func enlarge(_ portrait: Portrait, by factor: Int) -> Portrait {
    if factor == 1 { return portrait }
    var pixels: [PixelColor] = []
    pixels.reserveCapacity(portrait.pixels.count * factor * factor)
    for row in 0..<portrait.height {
      let start = pixels.count
      for column in 0..<portrait.width {
        pixels.append(contentsOf: repeatElement(portrait[column, row], count: factor))
      }
      let line = Array(pixels[start...])
      for _ in 1..<factor { pixels += line }
    }
    return made(pixels, width: portrait.width * factor, height: portrait.height * factor)
  }

  /// The mean of the area that each new pixel covers, the shares of cut pixels counted exactly.
  private static func shrink(_ portrait: Portrait, width: Int, height: Int) -> Portrait {
    let columns = (0..<width).map { Span(number: $0, of: width, over: portrait.width) }
    var pixels: [PixelColor] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      let rows = Span(number: row, of: height, over: portrait.height)
      for columns in columns {
        var sum = ColorSum()
        for y in rows.range {
          for x in columns.range {
            sum.add(portrait[x, y], weight: rows.weight(of: y) * columns.weight(of: x))
          }
        }
        pixels.append(sum.mean)
      }
    }
    return made(pixels, width: width, height: height)
  }

  /// The old pixels of one side that a new pixel covers, in units of which an old one has `count`.
  private struct Span {
    let start: Int
    let end: Int
    let count: Int

    init(number: Int, of count: Int, over length: Int) {
      self.count = count
      start = number * length
      end = (number + 1) * length
    }

    var range: Range<Int> { (start / count)..<((end + count - 1) / count) }

    func weight(of place: Int) -> Int {
      min(end, (place + 1) * count) - max(start, place * count)
    }
  }

  /// Colours added up by how much they cover.
  private struct ColorSum {
    private var red = 0
    private var green = 0
    private var blue = 0
    private var alpha = 0
    private var weight = 0

    mutating func add(_ color: PixelColor, weight part: Int) {
      let covered = Int(color.alpha) * part
      red += Int(color.red) * covered
      green += Int(color.green) * covered
      blue += Int(color.blue) * covered
      alpha += covered
      weight += part
    }

    var mean: PixelColor {
      if alpha == 0 { return .clear }
      return PixelColor(
        red: UInt8(rounded(red, over: alpha)), green: UInt8(rounded(green, over: alpha)),
        blue: UInt8(rounded(blue, over: alpha)), alpha: UInt8(rounded(alpha, over: weight)))
    }
  }

  private static func made(_ pixels: [PixelColor], width: Int, height: Int) -> Portrait {
    do throws(PortraitError) {
      return try Portrait(width: width, height: height, pixels: pixels)
    } catch {
      preconditionFailure("\(pixels.count) pixels for \(width) by \(height): \(error)")
    }
  }
}
