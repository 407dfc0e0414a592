/// What a character carries, behind the shoulders and before them.
extension BustPainter {
  mutating func paintPropBehind() {
    switch character.prop {
    case .sword:
      canvas.paint(.limb(33, 42, 1.9, 43, 12, 1.6), Paint(leather, roundness: 2))
      canvas.paint(.limb(37.6, 18, 1.6, 46, 20.8, 1.6), Paint(gold, roundness: 2))
      canvas.paint(.ellipse(43.6, 9.4, 2.4, 2.4), Paint(gold, roundness: 2))
    case .staff:
      canvas.paint(.limb(41, 48, 1.6, 41, 14, 1.6), Paint(wood, roundness: 2))
      let glow = ColorRamp(rgb: character.profession == "Cleric" ? 0xF4D25A : 0x5AC8F0)
      canvas.paint(
        Silhouette.ellipse(41, 9.6, 5, 5.4).without(.ellipse(41, 8, 3.4, 4)),
        Paint(gold, roundness: 2))
      canvas.paint(.ellipse(41, 8.6, 3, 3), Paint(glow, roundness: 4, lift: 0.1))
    case .crookedStaff:
      canvas.paint(.limb(42, 48, 1.7, 41, 17, 1.7), Paint(wood, roundness: 2))
      canvas.paint(
        Silhouette.ellipse(40, 13, 5, 5.6).without(.ellipse(39.4, 13.6, 2.8, 3.2))
          .without(.polygon([34, 14, 39, 14, 38, 21, 34, 21])), Paint(wood, roundness: 2))
      canvas.paint(
        .ellipse(45, 20, 3.2, 1.7, axis: CanvasPoint(1, -0.6)),
        Paint(ColorRamp(rgb: 0x6CB84E), roundness: 2))
    case .bow:
      canvas.paint(
        Silhouette.ellipse(33.4, 26, 12.6, 20.5).without(.ellipse(31.4, 26, 11.6, 19))
          .within(.polygon([38, 0, 48, 0, 48, 48, 38, 48])), Paint(wood, roundness: 2))
      for row in 9..<44 { canvas.set(38, row, cream.light) }
    case .quiver:
      for (x, y) in [(9.0, 11.0), (12.5, 9), (6, 14)] {
        canvas.paint(.limb(x + 3, y + 14, 0.7, x, y, 0.7), Paint(wood, roundness: 2))
        canvas.paint(
          .ellipse(x - 0.2, y + 0.5, 1.5, 3, axis: CanvasPoint(1, -0.25)), Paint(trim, roundness: 2)
        )
      }
      canvas.paint(.limb(10.5, 26, 3.6, 15, 44, 3.6), Paint(leather, roundness: 4))
    case .axe:
      canvas.paint(.limb(38, 46, 1.7, 42, 10, 1.6), Paint(wood, roundness: 2))
      canvas.paint(
        .polygon([40, 9, 47, 6, 47.4, 13, 46.6, 19.6, 40, 16.5], rounding: 0.7),
        Paint(steel, roundness: 3))
      canvas.paint(
        .polygon([42.4, 9.6, 37, 7.4, 35.8, 12.6, 36.6, 17.6, 42, 15.6], rounding: 0.6),
        Paint(steel, roundness: 3))
    case .hammer:
      canvas.paint(.limb(38, 46, 1.7, 41.5, 14, 1.6), Paint(wood, roundness: 2))
      canvas.paint(
        .polygon([35.5, 7.5, 46.5, 8.8, 45.8, 15.6, 34.8, 14.4], rounding: 0.8),
        Paint(steel, roundness: 3))
    default: break
    }
  }

  mutating func paintPropBefore() {
    switch character.prop {
    case .dagger:
      canvas.paint(
        .polygon([38.4, 36, 39.2, 26, 40.6, 22, 42, 26, 42, 36], rounding: 0.4),
        Paint(steel, roundness: 2, lift: 0.1))
      canvas.paint(.limb(36.5, 37, 1.1, 43.5, 37, 1.1), Paint(gold, roundness: 2))
      canvas.paint(.limb(40, 38.5, 1.2, 40, 46, 1.2), Paint(leather, roundness: 2))
      paintHand(40, 42)
    case .wand:
      canvas.paint(.limb(40, 46, 1.5, 42, 27, 1.4), Paint(wood, roundness: 2))
      paintStar(42, 24)
      paintHand(40, 43)
    case .book: paintBook()
    case .beads: paintBeads()
    case .flask: paintFlask()
    case .lute: paintLute()
    case .owl: paintOwl()
    case .lantern: paintLantern()
    default: break
    }
  }

  private mutating func paintHand(_ x: Double, _ y: Double) {
    canvas.paint(.ellipse(x, y, 3.4, 2.9), Paint(skin, roundness: 4))
    canvas.set(Int(x) - 1, Int(y), skin.shade)
    canvas.set(Int(x) + 1, Int(y), skin.shade)
  }

  private mutating func paintStar(_ column: Int, _ row: Int) {
    let glow = PixelColor(rgb: 0xFFF3A8)
    let dim = PixelColor(rgb: 0xF0C048)
    for step in 1...3 {
      let color = step < 3 ? glow : dim
      canvas.set(column - step, row, color)
      canvas.set(column + step, row, color)
      canvas.set(column, row - step, color)
      canvas.set(column, row + step, color)
    }
    for (across, down) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
      canvas.set(column + across, row + down, dim)
    }
    canvas.set(column, row, PixelColor(rgb: 0xFFFFFF))
  }

  private mutating func paintBook() {
    canvas.paint(
      .polygon([30.5, 38, 42.5, 36.4, 43.5, 47.4, 31.5, 48.6], rounding: 0.8),
      Paint(ColorRamp(rgb: 0x8A3A46), roundness: 3))
    canvas.paint(
      .polygon([33, 39.6, 41, 38.6, 41.6, 45.6, 33.6, 46.6], rounding: 0.2),
      Paint(ColorRamp(rgb: 0xA84E56), roundness: 2, outline: .none))
    canvas.paint(.ellipse(37.2, 42.4, 1.9, 2.1), Paint(gold, roundness: 2))
    paintHand(31.5, 45)
  }

  private mutating func paintBeads() {
    let beads = ColorRamp(rgb: 0x8A4A2E)
    for (x, y) in [(31.4, 36.4), (31.6, 39.6), (30.2, 42.6), (27.8, 45)] {
      paintPair(.ellipse(x, y, 1.9, 1.9), Paint(beads, roundness: 2))
    }
    canvas.paint(.ellipse(24, 45.8, 2.2, 2.2), Paint(gold, roundness: 2))
  }

  private mutating func paintFlask() {
    let glass = ColorRamp(rgb: 0xCFE8EC)
    let brew = ColorRamp(
      rgb: character.name == "corvin" ? 0x8AD83A : character.name == "tilda" ? 0xF05A9A : 0x5AB8F0)
    let bulb = Silhouette.ellipse(39, 39, 5.6, 5.4)
    canvas.paint(
      .polygon([37.6, 27, 40.4, 27, 40.4, 36, 37.6, 36], rounding: 0.7), Paint(glass, roundness: 2))
    canvas.paint(bulb, Paint(glass, roundness: 5))
    canvas.paint(
      bulb.grown(by: -1).within(.polygon([30, 38, 48, 38, 48, 48, 30, 48])),
      Paint(brew, roundness: 4, outline: .none, lift: 0.1))
    canvas.paint(
      .polygon([37.4, 24.6, 40.6, 24.6, 40.6, 27, 37.4, 27], rounding: 0.5), Paint(wood))
    canvas.set(36, 37, PixelColor(rgb: 0xFFFFFF))
    canvas.set(36, 38, PixelColor(rgb: 0xFFFFFF))
    canvas.set(40, 40, brew.shine)
    canvas.set(38, 42, brew.shine)
    canvas.paint(.ellipse(39, 21, 1.4, 1.4), Paint(brew, roundness: 2, outline: .soft))
    canvas.paint(.ellipse(41.5, 17, 1.1, 1.1), Paint(brew, roundness: 2, outline: .soft))
    paintHand(38, 45)
  }

  private mutating func paintLute() {
    let body = ColorRamp(rgb: 0xC8843E)
    canvas.paint(.limb(32, 44, 1.4, 44, 27, 1.2), Paint(wood, roundness: 2))
    canvas.paint(.ellipse(32, 44.5, 7.4, 5.6, axis: CanvasPoint(1, -1)), Paint(body, roundness: 6))
    canvas.paint(.ellipse(33, 43.4, 1.8, 1.8), Paint(ColorRamp(rgb: 0x4A2E20), roundness: 2))
    for step in 0..<9 { canvas.set(33 + step, 42 - step, cream.light) }
  }

  private mutating func paintOwl() {
    let feather = ColorRamp(rgb: 0xC8B08A)
    canvas.paint(.ellipse(39.5, 33, 5.4, 6.6), Paint(feather, roundness: 6))
    canvas.paint(
      .polygon([35, 29, 35.6, 24.6, 38.4, 27.4], rounding: 0.4), Paint(feather, roundness: 2))
    canvas.paint(
      .polygon([44, 29, 43.4, 24.6, 40.6, 27.4], rounding: 0.4), Paint(feather, roundness: 2))
    canvas.paint(
      .ellipse(39.5, 36, 3.2, 3), Paint(cream, roundness: 3, outline: .none, isDithered: true))
    let stamp = PixelStamp(".WW.WW.", "WKWWWKW", ".WWOWW.", "...O...")
    canvas.stamp(
      stamp, atColumn: 36, row: 29,
      colors: ["W": PixelColor(rgb: 0xFFE27A), "K": ink, "O": PixelColor(rgb: 0xE08A2E)])
    for column in [37, 38, 41, 42] { canvas.set(column, 39, PixelColor(rgb: 0xE0A03A)) }
  }

  private mutating func paintLantern() {
    let iron = ColorRamp(rgb: 0x5A5A68)
    canvas.paint(
      Silhouette.ellipse(40, 28.5, 3, 3).without(.ellipse(40, 29, 1.8, 2)),
      Paint(iron, roundness: 2))
    canvas.paint(
      .polygon([36.4, 32, 43.6, 32, 44.4, 43, 35.6, 43], rounding: 0.6), Paint(iron, roundness: 3))
    canvas.paint(
      .polygon([37.6, 34, 42.4, 34, 42.8, 41, 37.2, 41], rounding: 0.4),
      Paint(ColorRamp(rgb: 0xFFC23E), roundness: 4, outline: .none, lift: 0.1))
    canvas.paint(.ellipse(40, 38, 1.4, 2.4), Paint(ColorRamp(rgb: 0xFFF2B8), outline: .none))
    paintHand(40, 29)
  }
}
