/// What is worn on the head.
extension BustPainter {
  mutating func paintHeadgearBehind() {
    switch character.headgear {
    case .halo:
      canvas.paint(
        Silhouette.ellipse(24, 17, 17, 16).without(.ellipse(24, 17, 14.4, 13.4)),
        Paint(ColorRamp(rgb: 0xFFDD6A), roundness: 2, outline: .soft, lift: 0.15))
    case .hood, .hoodAndMask:
      canvas.paint(
        .blend(4, [.ellipse(24, 21, 14.5, 15.5), .ellipse(24, 38, 15, 8)]),
        Paint(cloth, roundness: 8))
    case .veil:
      canvas.paint(
        .polygon([13, 12, 35, 12, 39, 30, 40, 48, 8, 48, 9, 30], rounding: 2),
        Paint(trim, roundness: 6, lift: -0.1))
    case .antlers: paintAntlers()
    case .strawHat:
      canvas.paint(
        .ellipse(24, 17, 21, 6.4), Paint(ColorRamp(rgb: 0xB8904A), roundness: 5, lift: -0.3))
    case .wizardHat:
      canvas.paint(.ellipse(24, 15.4, 18, 4.8), Paint(cloth, roundness: 4, lift: -0.35))
    case .horns: break
    default: break
    }
  }

  mutating func paintHeadgear() {
    switch character.headgear {
    case .openHelm, .closedHelm, .coif, .hornedHelm: paintHelm()
    case .wizardHat: paintWizardHat()
    case .hood, .hoodAndMask: paintHood()
    case .veil: paintVeil()
    case .wolfHood: paintWolfHood()
    case .featherCap, .beret, .tricorn, .strawHat, .mitre: paintCap()
    case .bandana, .beadBand, .circlet, .crown: paintBand()
    case .leafCrown, .flowerCrown: paintWreath()
    case .goggles, .goggleEyes: paintGoggles()
    case .plagueMask: paintPlagueMask()
    case .horns:
      paintPair(
        .polygon(
          [28.5, 14, 33, 11.6, 36, 7.6, 35.4, 2.4, 39.6, 6.4, 38.6, 11.6, 33.6, 16.4], rounding: 0.7
        ),
        Paint(ColorRamp(rgb: 0xC8B08A), roundness: 3))
    case .none, .halo, .antlers: break
    }
  }

  private mutating func paintHelm() {
    let dome = Silhouette.ellipse(24, 19.5, 11.6, 11.8)
    switch character.headgear {
    case .closedHelm:
      canvas.paint(
        .blend(2, [dome, .polygon([13, 20, 35, 20, 32.5, 33, 24, 36.5, 15.5, 33], rounding: 1)]),
        Paint(steel, roundness: 10))
      canvas.paint(
        .polygon([15, 21.6, 33, 21.6, 31.4, 25.4, 24, 26.6, 16.6, 25.4], rounding: 0.6),
        Paint(ColorRamp(rgb: 0x2A2632), roundness: 2))
      for column in [19, 20, 27, 28] { canvas.set(column, 23, PixelColor(rgb: 0xF0B84A)) }
      for row in [28, 30, 32] { for column in [18, 20, 27, 29] { canvas.set(column, row, ink) } }
      canvas.paint(.limb(24, 9, 1, 24, 21, 0.9), Paint(gold, roundness: 2))
      canvas.paint(
        .polygon(
          [23, 9, 22, 4, 26, 1.5, 33, 2.6, 39, 7, 41, 14, 36, 10, 31, 8.6, 27, 9.5], rounding: 0.8),
        Paint(trim, roundness: 4, isDithered: true))
    case .coif:
      let opening = Silhouette.ellipse(24, 24.8, 7.9, 9)
      canvas.paint(
        Silhouette.blend(3, [dome, .ellipse(24, 34, 10.5, 6)]).without(opening),
        Paint(steel, roundness: 7, isDithered: true, lift: -0.1))
    default:
      canvas.paint(
        dome.within(.polygon([8, 0, 40, 0, 40, 18, 8, 18])), Paint(steel, roundness: 10))
      canvas.paint(
        .polygon([12.4, 16, 35.6, 16, 35.6, 18.4, 12.4, 18.4], rounding: 0.8),
        Paint(gold, roundness: 2))
      if character.headgear == .hornedHelm {
        paintPair(
          .polygon([33, 16, 34.5, 11.5, 39, 10, 42, 4, 44.4, 9, 42, 15, 36, 18], rounding: 0.6),
          Paint(cream, roundness: 3))
        canvas.paint(.limb(24, 9.5, 1, 24, 16, 1), Paint(gold, roundness: 2))
      } else {
        paintPair(
          .polygon([31.5, 18, 35.8, 18, 35, 27, 31.6, 31.5], rounding: 0.6),
          Paint(steel, roundness: 3))
        canvas.paint(
          .polygon([22.8, 17, 25.2, 17, 24.8, 24.6, 23.2, 24.6], rounding: 0.4),
          Paint(steel, roundness: 2))
        canvas.paint(
          .polygon([22.4, 9, 22, 3, 25, 1.4, 31, 2.6, 35, 6.4, 30, 6.6, 26, 9.4], rounding: 0.8),
          Paint(cloth, roundness: 4, isDithered: true))
      }
    }
  }

  private mutating func paintWizardHat() {
    canvas.paint(
      .polygon(
        [14.5, 15, 17.5, 8.5, 20, 3, 25, 1.4, 33, 3.6, 36, 7, 31.4, 6.6, 32, 10, 33.5, 15],
        rounding: 1),
      Paint(cloth, roundness: 7))
    canvas.paint(
      .polygon([14.4, 12.4, 33.4, 12.4, 33.8, 15.4, 14, 15.4], rounding: 0.5),
      Paint(trim, roundness: 2))
    canvas.paint(
      Silhouette.ellipse(24, 16, 18, 3.6).without(.ellipse(24, 18.8, 10, 3.2)),
      Paint(cloth, roundness: 4))
    let star = PixelStamp("..S..", ".SSS.", "SSSSS", ".S.S.")
    canvas.stamp(star, atColumn: 21, row: 6, colors: ["S": trim.light])
  }

  private mutating func paintHood() {
    let opening = Silhouette.ellipse(24, 25, 9, 11)
    canvas.paint(
      Silhouette.blend(
        3, [.ellipse(24, 20.5, 13.6, 15), .polygon([22, 5, 25, 3.4, 28, 8], rounding: 1)]
      ).within(.polygon([8, 0, 40, 0, 40, 35, 8, 35])).without(opening), Paint(cloth, roundness: 5))
    canvas.paint(
      Silhouette.ellipse(24, 25, 10, 12).without(.ellipse(24, 25.4, 8.6, 10.8))
        .within(.polygon([8, 0, 40, 0, 40, 34, 8, 34])),
      Paint(trim, roundness: 2, outline: .none, lift: -0.12))
    guard character.headgear == .hoodAndMask else { return }
    canvas.paint(
      Self.head.grown(by: 0.3).within(
        .polygon([8, 27, 20, 26, 24, 25, 28, 26, 40, 27, 40, 40, 8, 40])),
      Paint(trim, roundness: 5))
    for (column, row) in [(19, 30), (20, 31), (28, 30), (27, 31), (23, 32)] {
      canvas.set(column, row, trim.shade)
    }
  }

  private mutating func paintVeil() {
    canvas.paint(
      Silhouette.ellipse(24, 21, 12.4, 13).without(.ellipse(24, 25.4, 8.2, 9.6))
        .within(.polygon([8, 0, 40, 0, 40, 33, 8, 33])), Paint(trim, roundness: 5))
    canvas.paint(
      Silhouette.ellipse(24, 19, 10.6, 9.6).without(.ellipse(24, 25.2, 9, 10.4)),
      Paint(cloth, roundness: 3))
    canvas.paint(.ellipse(24, 14, 1.8, 1.8), Paint(gold, roundness: 2))
  }

  private mutating func paintWolfHood() {
    let pelt = Paint(cloth, roundness: 6, isDithered: true)
    paintPair(.polygon([28, 9, 32, 1.6, 35.4, 5, 35, 13], rounding: 0.7), pelt)
    paintPair(
      .polygon([30.5, 8.6, 32, 4.6, 33.6, 7, 33, 11], rounding: 0.2),
      Paint(ColorRamp(rgb: 0x9A7A7A), outline: .none))
    canvas.paint(
      Silhouette.ellipse(24, 20, 13.4, 14).without(.ellipse(24, 26.6, 8.6, 9.4))
        .within(.polygon([8, 0, 40, 0, 40, 36, 8, 36])), pelt)
    canvas.paint(
      .polygon([20, 9, 28, 9, 26.6, 17, 21.4, 17], rounding: 1), Paint(trim, roundness: 4))
    canvas.paint(.ellipse(24, 17, 2.2, 1.5), Paint(ColorRamp(rgb: 0x3A3440), roundness: 2))
    for column in [18, 29] {
      canvas.set(column, 11, PixelColor(rgb: 0xF0C83A))
      canvas.set(column, 10, ink)
    }
    for column in [17, 20, 27, 30] {
      canvas.set(column, 17, cream.light)
      canvas.set(column, 18, cream.base)
    }
  }

  private mutating func paintAntlers() {
    let horn = Paint(ColorRamp(rgb: 0x9A7248), roundness: 2)
    paintPair(
      .union([
        .limb(28, 13, 1.4, 35, 7, 1.2), .limb(35, 7, 1.2, 37.5, 1, 0.7),
        .limb(33, 8.6, 1, 32, 2.6, 0.6), .limb(35.4, 7, 1, 42.5, 4.4, 0.6),
        .limb(37, 6.4, 0.9, 42, 9, 0.5),
      ]), horn)
  }

  private mutating func paintCap() {
    switch character.headgear {
    case .featherCap:
      canvas.paint(
        .polygon([12, 17, 14, 9.5, 20, 6, 30, 7, 36.5, 12.5, 41, 16, 34, 18.6], rounding: 1),
        Paint(cloth, roundness: 6))
      canvas.paint(
        .polygon([11, 16, 24, 14.4, 42, 17.4, 34, 19.6, 14, 19], rounding: 0.8),
        Paint(cloth, roundness: 3, lift: -0.1))
      canvas.paint(
        .polygon([17, 14, 11, 6, 8.5, 1.8, 13.4, 3.6, 19, 10.6], rounding: 0.7),
        Paint(trim, roundness: 3))
    case .beret:
      canvas.paint(
        .ellipse(22, 12, 14.5, 6.4, axis: CanvasPoint(1, -0.12)), Paint(cloth, roundness: 6))
      canvas.paint(.limb(13, 16.4, 1.4, 35, 15.4, 1.4), Paint(trim, roundness: 2))
      canvas.paint(
        .polygon([31, 12, 36, 4, 43, 1.6, 42, 7, 35, 13.4], rounding: 0.7),
        Paint(cream, roundness: 3, isDithered: true))
    case .tricorn:
      canvas.paint(
        .polygon(
          [6, 16, 12, 8.6, 18, 7, 24, 4.6, 30, 7, 36, 8.6, 42, 16, 34, 15.6, 24, 18.4, 14, 15.6],
          rounding: 0.8),
        Paint(ColorRamp(rgb: 0x4A3434), roundness: 5))
      paintPair(
        .limb(24, 17.6, 0.9, 41, 15.2, 0.8), Paint(gold, roundness: 2, outline: .soft, lift: 0.1))
      let skull = PixelStamp(".WWW.", "WKWKW", "WWWWW", ".WWW.")
      canvas.stamp(skull, atColumn: 22, row: 10, colors: ["W": cream.light, "K": ink])
    case .strawHat:
      let straw = ColorRamp(rgb: 0xDDB868)
      canvas.paint(
        .polygon(
          [24, 3.6, 33, 9, 45.5, 17, 38, 18.6, 24, 17.4, 10, 18.6, 2.5, 17, 15, 9], rounding: 0.8),
        Paint(straw, roundness: 7, isDithered: true))
      canvas.paint(.ellipse(24, 4.6, 1.8, 1.5), Paint(trim, roundness: 2))
    default:
      canvas.paint(
        .polygon([15, 17, 13.6, 8, 19, 4.4, 24, 0.8, 29, 4.4, 34.4, 8, 33, 17], rounding: 0.8),
        Paint(cream, roundness: 6))
      canvas.paint(
        .polygon([15, 14.6, 33, 14.6, 33.4, 17.6, 14.6, 17.6], rounding: 0.6),
        Paint(trim, roundness: 2))
      canvas.paint(
        .union([
          .polygon([23.2, 4, 24.8, 4, 24.8, 13, 23.2, 13], rounding: 0.3),
          .polygon([20.6, 7, 27.4, 7, 27.4, 8.6, 20.6, 8.6], rounding: 0.3),
        ]),
        Paint(gold, roundness: 2, outline: .soft))
    }
  }

  private mutating func paintBand() {
    let across = Silhouette.ellipse(24, 20.5, 10.8, 10.6)
      .within(.polygon([8, 15, 24, 16, 40, 15, 40, 17.6, 24, 18.8, 8, 17.6]))
    switch character.headgear {
    case .bandana:
      canvas.paint(
        Silhouette.ellipse(24, 20.5, 11, 11).within(
          .polygon([8, 4, 40, 4, 40, 16, 24, 18.6, 8, 16])),
        Paint(trim, roundness: 8))
      canvas.paint(
        .polygon([34, 16, 40, 14.6, 42, 19, 37.6, 18.6, 36, 22], rounding: 0.5),
        Paint(trim, roundness: 3))
      for (column, row) in [(18, 13), (22, 11), (27, 13), (30, 10), (24, 15)] {
        canvas.set(column, row, cream.light)
      }
    case .crown:
      canvas.paint(
        .polygon(
          [14.4, 15, 13, 5.6, 18.4, 9.6, 24, 2.6, 29.6, 9.6, 35, 5.6, 33.6, 15], rounding: 0.6),
        Paint(gold, roundness: 5))
      for (x, y, color) in [
        (24.0, 11.0, 0xD83A5A as UInt32), (18, 12, 0x4A8AE0), (30, 12, 0x4A8AE0),
      ] {
        canvas.paint(.ellipse(x, y, 1.7, 1.7), Paint(ColorRamp(rgb: color), roundness: 2))
      }
    case .beadBand:
      canvas.paint(across, Paint(trim, roundness: 2))
      canvas.paint(.limb(18, 9, 0.7, 31, 7, 0.7), Paint(gold, roundness: 2))
    default:
      canvas.paint(across, Paint(gold, roundness: 2, lift: 0.08))
      canvas.paint(
        .polygon([24, 13.6, 26.4, 17, 24, 20.2, 21.6, 17], rounding: 0.3),
        Paint(ColorRamp(rgb: 0x4AA8E8), roundness: 3))
    }
  }

  private mutating func paintWreath() {
    let leaf = ColorRamp(rgb: 0x5FA644)
    let places: [(Double, Double, Double)] = [
      (28, 12.6, -0.5), (32, 15, 0.5), (34.4, 18.6, 1.6), (24, 11.6, 0),
    ]
    for (x, y, tilt) in places {
      paintPair(.ellipse(x, y, 3.8, 2, axis: CanvasPoint(1, tilt)), Paint(leaf, roundness: 3))
    }
    guard character.headgear == .flowerCrown else {
      for column in [19, 28] { canvas.set(column, 12, PixelColor(rgb: 0xD8403A)) }
      return
    }
    for (x, y, color) in [
      (24.0, 11.5, 0xFFF0F4 as UInt32), (17.6, 13.4, 0xF8D050), (30.4, 13.4, 0xB08AF0),
      (13.4, 18, 0xF07A9A), (34.6, 18, 0xFFF0F4),
    ] {
      canvas.paint(.ellipse(x, y, 2.7, 2.7), Paint(ColorRamp(rgb: color), roundness: 3))
      canvas.set(Int(x), Int(y), PixelColor(rgb: 0xE8A030))
    }
  }

  private mutating func paintGoggles() {
    let y = character.headgear == .goggleEyes ? 23.0 : 14.4
    let glass = ColorRamp(rgb: character.headgear == .goggleEyes ? 0x8ADCE8 : 0x7AC8B0)
    canvas.paint(
      Silhouette.ellipse(24, 20.5, 11, 11)
        .within(.polygon([8, y - 1.6, 40, y - 1.6, 40, y + 1.6, 8, y + 1.6])),
      Paint(leather, roundness: 2))
    for x in [18.8, 29.2] {
      canvas.paint(.ellipse(x, y, 4.7, 4.6), Paint(gold, roundness: 3))
      canvas.paint(.ellipse(x, y, 3.1, 3), Paint(glass, roundness: 4))
      canvas.set(Int(x) - 1, Int(y) - 2, PixelColor(rgb: 0xFFFFFF))
      canvas.set(Int(x) - 2, Int(y) - 1, PixelColor(rgb: 0xFFFFFF))
      guard character.headgear == .goggleEyes else { continue }
      canvas.set(Int(x), Int(y), ink)
      canvas.set(Int(x) + 1, Int(y), ink)
      canvas.set(Int(x), Int(y) + 1, ink)
      canvas.set(Int(x) + 1, Int(y) + 1, ink)
    }
  }

  private mutating func paintPlagueMask() {
    let dark = ColorRamp(rgb: 0x46424E)
    let bone = ColorRamp(rgb: 0xD8C8A4)
    canvas.paint(
      .blend(3, [.ellipse(24, 20, 12.6, 13), .ellipse(24, 35, 12, 6)]), Paint(dark, roundness: 8))
    canvas.paint(
      .blend(
        2, [.ellipse(24, 22.5, 8.6, 8), .polygon([19, 24, 29, 24, 25.5, 39, 23, 41], rounding: 1)]),
      Paint(bone, roundness: 6))
    for x in [19.5, 28.5] {
      canvas.paint(.ellipse(x, 21.5, 3.3, 3.3), Paint(leather, roundness: 2))
      canvas.paint(
        .ellipse(x, 21.5, 2.2, 2.2), Paint(ColorRamp(rgb: character.eyeColor), roundness: 3))
      canvas.set(Int(x) - 1, 20, PixelColor(rgb: 0xFFFFFF))
    }
    for row in stride(from: 28, to: 38, by: 3) { canvas.set(24, row, bone.outline) }
    canvas.paint(.ellipse(24, 11.4, 19, 3.6), Paint(dark, roundness: 3, lift: 0.05))
    canvas.paint(
      .polygon([15.4, 10.6, 16, 2.6, 32, 2.6, 32.6, 10.6], rounding: 0.8), Paint(dark, roundness: 5)
    )
    canvas.paint(
      .polygon([15.6, 8, 32.4, 8, 32.6, 10.6, 15.4, 10.6], rounding: 0.4), Paint(trim, roundness: 2)
    )
  }
}
