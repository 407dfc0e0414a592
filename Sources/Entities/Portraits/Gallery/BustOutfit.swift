/// What is worn on the shoulders.
extension BustPainter {
  /// The shoulders and the chest.
  private static let trunk = Silhouette.blend(
    5, [.ellipse(24, 49, 19, 11), .ellipse(24, 42, 10, 7)])
  private static let broad = Silhouette.blend(
    5, [.ellipse(24, 49, 22, 11.5), .ellipse(24, 42, 11, 7)])

  mutating func paintOutfit() {
    let paint = Paint(cloth, roundness: 9)
    switch character.outfit {
    case .plate: canvas.paint(Self.broad, Paint(steel, roundness: 9))
    case .mail: canvas.paint(Self.broad, Paint(steel, roundness: 9, isDithered: true, lift: -0.2))
    case .robe, .vestment, .wrap, .coat: canvas.paint(Self.trunk, paint)
    case .cloak: canvas.paint(Self.broad, paint)
    case .leather: canvas.paint(Self.trunk, Paint(leather, roundness: 9))
    case .leaves: canvas.paint(Self.trunk, Paint(trim, roundness: 9))
    case .fur: canvas.paint(Self.broad, paint)
    }
  }

  /// What closes about the neck, and what lies over the chest.
  mutating func paintOutfitCollar() {
    switch character.outfit {
    case .plate: paintPlate()
    case .mail: paintMail()
    case .robe: paintRobe()
    case .cloak: paintCloak()
    case .leather: paintLeather()
    case .vestment: paintVestment()
    case .wrap: paintWrap()
    case .leaves: paintLeaves()
    case .coat: paintCoat()
    case .fur: paintFur()
    }
  }

  private mutating func paintPlate() {
    canvas.paint(
      .polygon([18, 39, 30, 39, 32, 49, 16, 49], rounding: 1), Paint(cloth, roundness: 5))
    canvas.paint(.ellipse(24, 44.5, 2.6, 2.6), Paint(trim, roundness: 3))
    paintPair(.ellipse(39, 43.5, 7.6, 6.4), Paint(steel, roundness: 6))
    paintPair(.ellipse(40, 40.5, 6.2, 4.2), Paint(steel, roundness: 5))
    paintPair(.ellipse(38.6, 41, 1.2, 1.2), Paint(trim, roundness: 2, outline: .soft))
    canvas.paint(
      Silhouette.polygon([16.5, 35, 31.5, 35, 30, 40, 18, 40], rounding: 1.2)
        .without(.ellipse(24, 33.6, 6, 3.4)), Paint(steel, roundness: 3, lift: 0.1))
  }

  private mutating func paintMail() {
    for row in 36..<47 {
      for column in 8..<40 where (row * 2 + column) % 4 == 0 {
        let point = CanvasPoint(Double(column), Double(row))
        if Self.broad.grown(by: -2).distance(point) < 0 { canvas.set(column, row, steel.outline) }
      }
    }
    canvas.paint(
      .polygon([15, 41, 33, 41, 34, 50, 14, 50], rounding: 1), Paint(cloth, roundness: 6))
    canvas.paint(.polygon([22.6, 41, 25.4, 41, 25.4, 50, 22.6, 50]), Paint(trim, roundness: 3))
    canvas.paint(
      Silhouette.ellipse(24, 37.5, 8.6, 4.4).without(.ellipse(24, 34, 6, 3.6)),
      Paint(steel, roundness: 3, isDithered: true))
  }

  private mutating func paintRobe() {
    canvas.paint(
      .polygon([20, 36, 28, 36, 24.6, 46, 23.4, 46], rounding: 0.6),
      Paint(cloth, roundness: 4, lift: -0.45))
    paintPair(
      .polygon([28, 33.5, 33, 35, 31, 40, 26, 49, 24, 49, 24, 45], rounding: 0.7),
      Paint(trim, roundness: 3))
    canvas.paint(
      .ellipse(24, 44.6, 2.4, 2.4), Paint(ColorRamp(rgb: character.eyeColor), roundness: 3))
  }

  private mutating func paintCloak() {
    canvas.paint(
      Silhouette.ellipse(24, 39, 13.5, 6).without(.ellipse(24, 34.5, 6.4, 3.6)),
      Paint(cloth, roundness: 4, lift: 0.06))
    paintPair(.limb(24.5, 42, 1, 33, 50, 1), Paint(cloth, roundness: 3, lift: -0.4))
    canvas.paint(.ellipse(24, 42, 2.9, 2.9), Paint(trim, roundness: 3))
    canvas.set(23, 41, trim.shine)
  }

  private mutating func paintLeather() {
    canvas.paint(
      .polygon([19.5, 36, 28.5, 36, 25.5, 43, 22.5, 43], rounding: 0.6), Paint(cream, roundness: 4))
    paintPair(
      .polygon([28, 34.5, 32, 36, 31, 41, 26, 44], rounding: 0.7), Paint(cloth, roundness: 3))
    canvas.paint(
      Silhouette.limb(10, 39, 1.7, 36, 50, 1.7).within(Self.trunk), Paint(wood, roundness: 3))
    canvas.paint(
      Silhouette.ellipse(24, 45, 2.2, 2.2).without(.ellipse(24, 45, 0.7, 0.7)),
      Paint(gold, roundness: 2))
    paintPair(.ellipse(38, 43, 4.6, 3.6), Paint(cloth, roundness: 4))
  }

  private mutating func paintVestment() {
    canvas.paint(
      Silhouette.ellipse(24, 38, 9, 4).without(.ellipse(24, 34.5, 5.6, 3)),
      Paint(trim, roundness: 3))
    paintPair(
      .polygon([28, 38.5, 32.5, 37.5, 34, 49, 29, 49], rounding: 0.5), Paint(trim, roundness: 3))
    canvas.paint(
      .union([
        .polygon([23.2, 41, 24.8, 41, 24.8, 49, 23.2, 49], rounding: 0.3),
        .polygon([21, 43.2, 27, 43.2, 27, 44.8, 21, 44.8], rounding: 0.3),
      ]), Paint(gold, roundness: 2, outline: .soft, lift: 0.1))
  }

  private mutating func paintWrap() {
    canvas.paint(
      .polygon([20, 35, 28, 35, 24.8, 45, 22, 42], rounding: 0.5), Paint(skin, roundness: 5))
    canvas.paint(
      .polygon([27.5, 34, 31.5, 35, 22, 50, 17, 50], rounding: 0.7), Paint(trim, roundness: 3))
    canvas.paint(
      .polygon([20.5, 34, 16.5, 35, 23.4, 45.5, 25.4, 42], rounding: 0.7), Paint(trim, roundness: 3)
    )
  }

  private mutating func paintLeaves() {
    for (x, y, tilt) in [(38.0, 41.5, 0.7), (33, 40, 1.1), (28, 40.5, 2.6)] {
      paintPair(
        .ellipse(x, y + 1, 6, 3, axis: CanvasPoint(1, tilt)), Paint(cloth, roundness: 4))
    }
    canvas.paint(
      Silhouette.ellipse(24, 38, 9, 4).without(.ellipse(24, 34.5, 5.8, 3.2)),
      Paint(cloth, roundness: 3, lift: -0.2))
    canvas.paint(.ellipse(24, 41.5, 2.4, 2.4), Paint(gold, roundness: 3))
  }

  private mutating func paintCoat() {
    canvas.paint(
      .polygon([19.5, 36, 28.5, 36, 27, 49, 21, 49], rounding: 0.6), Paint(cream, roundness: 5))
    canvas.paint(
      .polygon([22, 37, 26, 37, 25, 39.4, 26.4, 45, 24, 48, 21.6, 45, 23, 39.4], rounding: 0.3),
      Paint(trim, roundness: 2))
    paintPair(
      .polygon([27.6, 33, 33.5, 34, 34, 40, 30, 42.5, 27, 49, 29, 40], rounding: 0.7),
      Paint(cloth, roundness: 3, lift: 0.08))
    paintPair(.ellipse(33.6, 45, 1.1, 1.1), Paint(gold, roundness: 2, outline: .soft, lift: 0.2))
  }

  private mutating func paintFur() {
    let pelt = ColorRamp(
      character.headgear == .crown
        ? PixelColor(rgb: 0xF2ECE4)
        : PixelColor(rgb: character.cloth).mixed(with: PixelColor(rgb: 0xE8D8B8), 0.4))
    let tufts = Silhouette.polygon(
      [
        24, 44, 21, 46, 18, 43, 14.5, 45.5, 12, 42, 8, 43.5, 8.5, 39.5, 12, 36.5, 17, 34.6, 24,
        36.5,
        31, 34.6, 36, 36.5, 39.5, 39.5, 40, 43.5, 36, 42, 33.5, 45.5, 30, 43, 27, 46,
      ], rounding: 0.7)
    canvas.paint(
      tufts.without(.ellipse(24, 33.8, 6, 3.6)), Paint(pelt, roundness: 5, isDithered: true))
    canvas.paint(.ellipse(24, 41.6, 2.6, 2.6), Paint(trim, roundness: 3))
  }
}
