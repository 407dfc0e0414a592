/// Portraits of Pokémon, drawn by rule for those of whom nobody has stored one.
///
/// The shape class decides the body, the types decide ornaments and accents, the Pokédex colour and
/// the first type the skin; the number decides the rest. The picture is its own mirror image.
public enum PokemonPortrait {
  /// The width and the height of each, in pixels.
  public static let side = 48

  /// The portrait of a Pokémon, always the same for the same likeness.
  public static func draw(_ likeness: PokemonLikeness) -> Portrait {
    var dice = likeness.dice
    let palette = PokemonPalette(of: likeness, dice: &dice)
    let figure = PokemonFigure.of(shape: likeness.shape, dice: &dice)
    var ornaments: [TypeOrnament] = []
    for (place, type) in likeness.types.prefix(2).enumerated() {
      ornaments.append(
        .of(type, on: figure, isFirst: place == 0, stage: likeness.stage, dice: &dice))
    }
    var painter = PokemonPainter(scale: likeness.scale, palette: palette)
    painter.paintDisc()
    painter.paint(ornaments.reversed().flatMap(\.back))
    painter.paint(figure.back)
    painter.paint(figure.body)
    painter.paintMarkings(of: figure, dice: &dice)
    painter.paint(ornaments.reversed().flatMap(\.front))
    painter.paint(figure.front)
    let eyes = PokemonFace.eyes(of: likeness, figure, &dice)
    let mouth = PokemonFace.mouth(of: likeness, &dice)
    painter.paintFace(of: figure, eyes: eyes, mouth: mouth)
    return painter.canvas.portrait
  }
}

/// Puts the right half of a figure on the canvas, and its mirror image to the left.
private struct PokemonPainter {
  var canvas: PixelCanvas
  let scale: Double
  let palette: PokemonPalette

  private static let axis = Double(PokemonPortrait.side) / 2
  /// The row that the figure stands on, which stays where it is when the figure is smaller.
  private static let ground = 45.5

  init(scale: Double, palette: PokemonPalette) {
    canvas = PixelCanvas(
      width: PokemonPortrait.side, height: PokemonPortrait.side, isLitFromLeft: false)
    self.scale = scale
    self.palette = palette
  }

  mutating func paintDisc() {
    canvas.fillBackdrop(palette.ring, .ellipse(24, 24, 23.9, 23.9))
    canvas.fillBackdrop(palette.disc, .ellipse(24, 24, 22.2, 22.2))
    canvas.fillBackdrop(
      palette.disc.mixed(with: PixelColor(rgb: 0xFFFFFF), 0.35), .ellipse(24, 22, 16.4, 15.4))
    let ground = palette.disc.mixed(with: palette.ring, 0.5)
    canvas.fillBackdrop(
      ground, Silhouette.ellipse(24, 46, 19 * scale, 3.4).within(.ellipse(24, 24, 22.2, 22.2)))
  }

  mutating func paint(_ parts: [PokemonFigure.Part]) {
    for part in parts {
      canvas.paint(
        placed(part.silhouette),
        PixelCanvas.Paint(
          ramp(part.tint), roundness: part.roundness * scale, outline: part.outline,
          relief: part.relief.map(placed)))
    }
  }

  /// Paints belly, pattern and head, the head last where it is a part of its own.
  mutating func paintMarkings(of figure: PokemonFigure, dice: inout DrawingDice) {
    let isAllHead = !figure.sideFaces.isEmpty
    let head = PokemonFigure.Part(figure.head, .body, roundness: figure.headRoundness)
    let markings = PokemonMarkings(figure: figure)
    if isAllHead { paint([head]) }
    paint(markings.onTorso(&dice))
    if !isAllHead { paint([head]) }
    paint(markings.onHead(&dice))
  }

  mutating func paintFace(of figure: PokemonFigure, eyes: PixelStamp, mouth: PixelStamp) {
    stampPair(eyes, at: figure.face.eyeX, figure.face.eyeY)
    if figure.hasBeak {
      let y = figure.face.mouthY
      paint([
        .init(
          .polygon([-3.4, y - 2.5, 3.4, y - 2.5, 0, y + 3], rounding: 0.8), .own(0xF2A93B),
          roundness: 4)
      ])
    } else {
      stampHalves(mouth, at: figure.face.mouthY)
    }
    for face in figure.sideFaces {
      stampPair(PokemonFace.button, at: face.eyeX - 3.1, face.eyeY)
      stampPair(PokemonFace.button, at: face.eyeX + 3.1, face.eyeY)
      stampPair(PokemonFace.line, at: face.eyeX, face.mouthY)
    }
  }

  private var faceColors: [Character: PixelColor] {
    [
      "K": palette.body.outline.mixed(with: PixelColor(rgb: 0x14101C), 0.6),
      "W": PixelColor(rgb: 0xFFFFFF), "H": PixelColor(rgb: 0xFFFFFF), "I": palette.eye,
      "D": palette.eye.adjusted(saturation: 1.1, value: 0.6), "R": PixelColor(rgb: 0x9C2B3F),
      "P": PixelColor(rgb: 0xE8707F),
    ]
  }

  /// Stamps at a place of the right half and mirrored at that of the left.
  private mutating func stampPair(_ stamp: PixelStamp, at x: Double, _ y: Double) {
    let row = Int((Self.ground + (y - Self.ground) * scale - Double(stamp.height) / 2).rounded())
    let column = Int((Self.axis + x * scale - Double(stamp.width) / 2).rounded())
    stampBoth(stamp, atColumn: max(column, PokemonPortrait.side / 2), row: row)
  }

  /// Stamps a right half at the axis, and its mirror image beside it.
  private mutating func stampHalves(_ stamp: PixelStamp, at y: Double) {
    let row = Int((Self.ground + (y - Self.ground) * scale - 1).rounded())
    stampBoth(stamp, atColumn: PokemonPortrait.side / 2, row: row)
  }

  private mutating func stampBoth(_ stamp: PixelStamp, atColumn column: Int, row: Int) {
    canvas.stamp(stamp, atColumn: column, row: row, colors: faceColors)
    canvas.stamp(
      stamp, atColumn: PokemonPortrait.side - column - stamp.width, row: row, colors: faceColors,
      isMirrored: true)
  }

  private func ramp(_ tint: PokemonFigure.Tint) -> ColorRamp {
    switch tint {
    case .body: palette.body
    case .belly: palette.belly
    case .accent: palette.accent
    case .trim: palette.trim
    case .own(let rgb): ColorRamp(rgb: rgb)
    }
  }

  /// The silhouette of both halves at its place on the canvas.
  private func placed(_ half: Silhouette) -> Silhouette {
    let scale = scale
    return Silhouette { point in
      half.distance(
        CanvasPoint(
          abs(point.x - Self.axis) / scale, Self.ground + (point.y - Self.ground) / scale)) * scale
    }
  }
}
