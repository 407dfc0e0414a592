/// Paints head and shoulders of a character, from the backdrop forward.
struct BustPainter {
  typealias Paint = PixelCanvas.Paint
  let character: GalleryCharacter
  var canvas = PixelCanvas(
    width: PortraitGallery.side, height: PortraitGallery.side, isLitFromLeft: true)
  let skin: ColorRamp
  let hair: ColorRamp
  let cloth: ColorRamp
  let trim: ColorRamp
  let steel = ColorRamp(rgb: 0xA8B4C8)
  let leather = ColorRamp(rgb: 0x7A4E2E)
  let wood = ColorRamp(rgb: 0x8A5E38)
  let gold = ColorRamp(rgb: 0xE4B446)
  let cream = ColorRamp(rgb: 0xEFE6D2)
  let ink = PixelColor(rgb: 0x1E1626)

  /// The head without hair: the skull and the narrower jaw.
  static let head = Silhouette.blend(3, [.ellipse(24, 21.5, 9.3, 9.4), .ellipse(24, 27, 6.4, 6)])

  init(_ character: GalleryCharacter) {
    self.character = character
    var skin = ColorRamp(rgb: character.skin)
    // Skin in shadow turns to red rather than to gray.
    skin.shade = skin.base.mixed(with: PixelColor(rgb: 0x8A2E3A), 0.3)
    self.skin = skin
    hair = ColorRamp(rgb: character.hairColor)
    cloth = ColorRamp(rgb: character.cloth)
    trim = ColorRamp(rgb: character.trim)
  }

  mutating func draw() -> Portrait {
    paintBackdrop()
    paintPropBehind()
    paintHeadgearBehind()
    paintHairBehind()
    paintOutfit()
    paintNeck()
    paintOutfitCollar()
    paintHead()
    paintFace()
    paintBeard()
    paintHair()
    paintHeadgear()
    paintPropBefore()
    paintFrame()
    return canvas.portrait
  }

  /// A wall that is lighter behind the head and darker below, its tones meeting in a checker.
  private mutating func paintBackdrop() {
    let middle = PixelColor(rgb: character.backdrop)
    let dark = middle.adjusted(saturation: 1.1, value: 0.66)
    let light = middle.mixed(with: PixelColor(rgb: 0xFFF2D8), 0.32)
    for row in 0..<canvas.height {
      for column in 0..<canvas.width {
        let away = CanvasPoint(Double(column) - 19, (Double(row) - 17) * 0.9).length
        let isOdd = (row + column) % 2 == 1
        let tone =
          away < 15 || (away < 17.5 && isOdd)
          ? light
          : away < 27 || (away < 30 && isOdd) ? middle : dark
        canvas.fillPixel(column, row, tone)
      }
    }
  }

  /// A line around the picture, with its corners cut away.
  private mutating func paintFrame() {
    let last = canvas.width - 1
    let dark = PixelColor(rgb: character.backdrop).adjusted(saturation: 1.15, value: 0.34)
    let light = PixelColor(rgb: character.backdrop).mixed(with: PixelColor(rgb: 0xFFFFFF), 0.45)
    for place in 0...last {
      for (column, row) in [(place, 0), (place, last), (0, place), (last, place)] {
        canvas.fillPixel(column, row, dark)
      }
    }
    for place in 2..<(last - 1) {
      canvas.fillPixel(place, 1, light)
      canvas.fillPixel(1, place, light)
    }
    for column in [0, last] {
      for row in [0, last] { canvas.fillPixel(column, row, .clear) }
    }
    for column in [1, last - 1] {
      for row in [1, last - 1] { canvas.fillPixel(column, row, dark) }
    }
  }

  private mutating func paintNeck() {
    canvas.paint(.limb(24, 29, 4.2, 24, 37, 4.6), Paint(skin, roundness: 5, lift: -0.28))
  }

  private mutating func paintHead() {
    switch character.ears {
    case .none: break
    case .round:
      paintPair(.ellipse(33.2, 24, 2.4, 3), Paint(skin, roundness: 4))
    case .pointed:
      paintPair(
        .polygon([31.5, 26.5, 32, 21, 38.5, 17.5, 36.5, 24], rounding: 0.5),
        Paint(skin, roundness: 3))
    case .long:
      paintPair(
        .polygon([31.5, 27, 32, 22, 43, 18.5, 39, 25], rounding: 0.5), Paint(skin, roundness: 3))
    }
    canvas.paint(Self.head, Paint(skin, roundness: 10, lift: 0.13))
  }

  /// Paints a shape of the right side and its mirror image on the left.
  mutating func paintPair(_ right: Silhouette, _ paint: Paint) {
    canvas.paint(right.mirrored(at: 24), paint)
  }

  /// Paints without a bulge, in the tones of a flat cloth or plate.
  mutating func paintFlat(_ shape: Silhouette, _ ramp: ColorRamp, lift: Double = 0) {
    canvas.paint(shape, Paint(ramp, roundness: 2.5, lift: lift))
  }
}
