internal import CDexShim
internal import Entities
internal import Glibc

/// Pictures drawn by a library that a system may have: libchafa, which no program here needs.
///
/// It picks colours and shapes with more care than what is here, for photographs above all. What it
/// gives is a stranger's, and meant for somebody's terminal: nothing is passed on but colours and as
/// many blocks as were asked for, or one control string that is sixels, of printable characters and
/// of a limited length. For the protocol of kitty there is nothing to pick; it is left with
/// `KittyGraphics`, whose PNG is far shorter than the library's pixels.
package struct PictureLibrary: Sendable {
  enum Style: Sendable, Equatable {
    case sixels
    case halves(isTrueColor: Bool)
  }

  /// What shows a picture whose sides are multiples of so many columns and rows; nil where the
  /// library fails.
  let draw: @Sendable (_ picture: Portrait, _ columns: Int, _ rows: Int, _ style: Style) -> [UInt8]?

  /// The one of this system; nil where there is none.
  package static let installed: PictureLibrary? =
    dex_chafa_is_found() ? PictureLibrary(draw: chafa) : nil

  /// The pixels of a character cell, of which the halves are made.
  static let cellWidth = 8
  static let cellHeight = 16
  /// Sixels come in bands of so many rows.
  private static let bandHeight = 6
  /// No picture takes more bytes.
  private static let byteLimit = 1 << 26

  /// The sixels that show `picture`; nil where the library gives anything else.
  func sixels(of picture: Portrait) -> [UInt8]? {
    guard let padded = Self.padded(picture, 1, Self.bandHeight),
      let bytes = draw(padded, 1, 1, .sixels), bytes.count <= Self.byteLimit,
      bytes.starts(with: Self.sixelStart), bytes.suffix(2) == Self.sixelEnd[...],
      Self.isSixels(bytes.dropFirst(2).dropLast(2))
    else { return nil }
    return bytes
  }

  /// True for numbers, a `q` and printable characters.
  ///
  /// Other strings of that kind are questions, whose answers a terminal types.
  private static func isSixels(_ content: ArraySlice<UInt8>) -> Bool {
    let numbers = content.prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }
    let data = content.dropFirst(numbers.count)
    return data.first == UInt8(ascii: "q") && data.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private static let sixelStart = Array("\u{1B}P".utf8)
  private static let sixelEnd = Array("\u{1B}\\".utf8)

  /// `picture` in halves of characters, `cellWidth` by `cellHeight` pixels to each; nil where the
  /// library gives anything else.
  func halves(of picture: Portrait, isTrueColor: Bool) -> PicturePrinter.Lines? {
    guard let padded = Self.padded(picture, Self.cellWidth, Self.cellHeight) else { return nil }
    let (columns, rows) = (padded.width / Self.cellWidth, padded.height / Self.cellHeight)
    guard let bytes = draw(padded, columns, rows, .halves(isTrueColor: isTrueColor)),
      bytes.count <= Self.byteLimit
    else { return nil }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if lines.last == [] { lines.removeLast() }
    guard lines.count == rows, lines.allSatisfy({ Self.isPlain($0, columns: columns) }) else {
      return nil
    }
    return PicturePrinter.Lines(
      columns: columns,
      lines: lines.map { $0.contains(0x1B) ? $0 + Array("\u{1B}[0m".utf8) : $0 })
  }

  /// True for so many spaces and blocks, among them nothing but colours.
  private static func isPlain(_ line: [UInt8], columns: Int) -> Bool {
    let scalars = Array(String(decoding: line, as: UTF8.self).unicodeScalars)
    var place = 0
    var count = 0
    while place < scalars.count {
      if scalars[place] == "\u{1B}" {
        place += 1
        guard place < scalars.count, scalars[place] == "[" else { return false }
        repeat {
          place += 1
        } while place < scalars.count
          && "0123456789;".unicodeScalars.contains(
            scalars[place])
        guard place < scalars.count, scalars[place] == "m" else { return false }
      } else {
        guard scalars[place] == " " || (0x2580...0x259F).contains(scalars[place].value) else {
          return false
        }
        count += 1
      }
      place += 1
    }
    return count == columns
  }

  /// `picture` with clear pixels at its right and below, up to multiples of both numbers; nil where
  /// that would be too large.
  private static func padded(_ picture: Portrait, _ width: Int, _ height: Int) -> Portrait? {
    let newWidth = (picture.width + width - 1) / width * width
    let newHeight = (picture.height + height - 1) / height * height
    if newWidth == picture.width, newHeight == picture.height { return picture }
    var pixels: [PixelColor] = []
    pixels.reserveCapacity(newWidth * newHeight)
    for row in 0..<picture.height {
      let start = row * picture.width
      pixels += picture.pixels[start..<start + picture.width]
      pixels += repeatElement(.clear, count: newWidth - picture.width)
    }
    pixels += repeatElement(.clear, count: newWidth * (newHeight - picture.height))
    do throws(PortraitError) {
      return try Portrait(width: newWidth, height: newHeight, pixels: pixels)
    } catch {
      return nil
    }
  }

  @Sendable private static func chafa(
    _ picture: Portrait, _ columns: Int, _ rows: Int, _ style: Style
  ) -> [UInt8]? {
    let pixels = picture.pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] }
    let number =
      switch style {
      case .sixels: DEX_CHAFA_SIXELS
      case .halves(let isTrueColor): isTrueColor ? DEX_CHAFA_HALVES : DEX_CHAFA_HALVES_240
      }
    var count = 0
    // Safe: there are four bytes for each pixel, and they live through the call.
    let text = unsafe dex_chafa_draw(
      pixels, Int32(picture.width), Int32(picture.height), Int32(columns), Int32(rows),
      Int32(number.rawValue), &count)
    guard let text = unsafe text else { return nil }
    // Safe: the text has that many bytes, and is freed after they have been copied.
    defer { unsafe free(text) }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: count))
  }
}
