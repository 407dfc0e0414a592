/// Eyes, brows, nose, mouth and what marks a face.
extension BustPainter {
  /// `K` lash and pupil, `W` white, `H` light, `I` iris, `D` its shade, `S` the skin's shade.
  private static let openEye = PixelStamp("KKKKK", "WHIDW", "WIKDW", "WIIIW", ".SSS.")
  private static let wideEye = PixelStamp("SKKKS", "KWWWK", "WHIDW", "WIKDW", "WIIIW", ".SSS.")
  private static let slyEye = PixelStamp("KKKKK", "SKKKS", "WHIDW", ".IIK.", ".....")
  private static let sternEye = PixelStamp("KKKKK", "KHIDK", "WIKDW", ".SSS.")
  private static let happyEye = PixelStamp(".KKK.", "K...K", "S...S")
  private static let wiseEye = PixelStamp("SSSSS", "KKKKK", "WHIDW", ".IKI.", ".SSS.")
  private static let gentleEye = PixelStamp("KKKKK", "SHIDK", "WIKDW", "SIIIS", ".SSS.")

  private var eye: PixelStamp {
    switch character.expression {
    case .calm: Self.openEye
    case .stern, .fierce: Self.sternEye
    case .cheerful: Self.openEye
    case .sly: Self.slyEye
    case .wide: Self.wideEye
    case .wise: Self.wiseEye
    case .gentle: Self.gentleEye
    }
  }

  mutating func paintFace() {
    let iris = PixelColor(rgb: character.eyeColor)
    let colors: [Character: PixelColor] = [
      "K": ink, "W": PixelColor(rgb: 0xF8F4F0), "H": PixelColor(rgb: 0xFFFFFF), "I": iris,
      "D": iris.adjusted(saturation: 1.1, value: 0.6), "S": skin.shade,
    ]
    if character.mark == .paint { paintWarPaint() }
    canvas.stamp(eye, atColumn: 17, row: 21, colors: colors)
    canvas.stamp(eye, atColumn: 26, row: 21, colors: colors)
    paintBrows()
    for (column, row) in [(24, 26), (24, 27), (23, 28), (24, 28)] {
      canvas.set(column, row, skin.shade)
    }
    canvas.set(23, 26, skin.light)
    canvas.set(23, 27, skin.light)
    paintMouth()
    paintMark()
  }

  private mutating func paintBrows() {
    // Rows of the left brow's five pixels, from the outer end to the nose.
    let rows: [Int] =
      switch character.expression {
      case .calm, .sly: [19, 18, 18, 18, 19]
      case .stern: [18, 18, 19, 19, 20]
      case .fierce: [17, 18, 19, 20, 20]
      case .cheerful: [18, 17, 17, 17, 18]
      case .wide: [17, 16, 16, 16, 17]
      case .wise: [20, 19, 18, 18, 18]
      case .gentle: [19, 18, 18, 17, 17]
      }
    let color = hair.outline.mixed(with: hair.shade, 0.5)
    for (place, row) in rows.enumerated() {
      canvas.set(17 + place, row, color)
      canvas.set(30 - place, row, color)
      if character.expression == .wise || character.expression == .fierce {
        canvas.set(17 + place, row - 1, hair.base)
        canvas.set(30 - place, row - 1, hair.base)
      }
    }
  }

  private mutating func paintMouth() {
    let lip = skin.outline.mixed(with: PixelColor(rgb: 0xA03A48), 0.45)
    let soft = skin.shade.mixed(with: PixelColor(rgb: 0xD05A68), 0.4)
    let stamp =
      switch character.expression {
      case .calm: PixelStamp(".LLLL.", "..SS..")
      case .stern: PixelStamp("LLLLLL", "..SS..")
      case .cheerful: PixelStamp("LLLLLL", "LWWWWL", ".LRRL.")
      case .sly: PixelStamp(".....L", "LLLLL.", ".SS...")
      case .wide: PixelStamp("..LL..", ".LRRL.", "..LL..")
      case .wise: PixelStamp("L....L", ".LLLL.")
      case .fierce: PixelStamp(".LLLL.", "LWWWWL", "L....L")
      case .gentle: PixelStamp("L....L", ".LLLL.", "..SS..")
      }
    canvas.stamp(
      stamp, atColumn: 21, row: 30,
      colors: ["L": lip, "S": soft, "W": PixelColor(rgb: 0xFFFFFF), "R": PixelColor(rgb: 0xB0404E)])
  }

  private mutating func paintMark() {
    switch character.mark {
    case .none, .paint: break
    case .scar:
      let scar = skin.shade.mixed(with: PixelColor(rgb: 0xD87070), 0.5)
      for (column, row) in [(28, 18), (28, 19), (29, 20), (29, 26), (30, 27), (30, 28)] {
        canvas.set(column, row, scar)
      }
    case .freckles:
      for (column, row) in [(17, 27), (19, 28), (20, 26), (27, 26), (28, 28), (30, 27)] {
        canvas.set(column, row, skin.shade)
      }
    case .eyePatch: paintEyePatch()
    case .tusks:
      for column in [20, 26] {
        canvas.set(column, 29, cream.light)
        canvas.set(column + 1, 29, cream.shade)
        canvas.set(column, 28, cream.light)
        canvas.set(column, 30, cream.base)
        canvas.set(column + 1, 30, cream.base)
      }
    case .runes:
      let glow = PixelColor(rgb: 0x7AE8F0)
      for (column, row) in [(24, 14), (23, 15), (25, 15), (24, 16), (16, 26), (17, 27), (16, 28)] {
        canvas.set(column, row, glow)
      }
    case .glasses: paintGlasses()
    case .blush:
      let rose = skin.base.mixed(with: PixelColor(rgb: 0xF06878), 0.42)
      for column in [16, 17, 18, 29, 30, 31] { canvas.set(column, 27, rose) }
    }
  }

  private mutating func paintWarPaint() {
    let color = PixelColor(rgb: character.trim).mixed(with: PixelColor(rgb: 0xE8F0E0), 0.25)
    for column in 15...20 {
      canvas.set(column, 27, color)
      canvas.set(47 - column, 27, color)
    }
    for column in 16...19 {
      canvas.set(column, 29, color)
      canvas.set(47 - column, 29, color)
    }
  }

  private mutating func paintEyePatch() {
    let patch = ColorRamp(rgb: 0x3A3040)
    canvas.paint(
      .limb(14, 24, 0.8, 34, 15, 0.8).within(Self.head), Paint(patch, outline: .none))
    canvas.paint(.ellipse(28.5, 23, 3.6, 3.6), Paint(patch, roundness: 3))
  }

  private mutating func paintGlasses() {
    let wire = PixelColor(rgb: 0x4A2E3A)
    for left in [16, 25] {
      for step in 0..<7 {
        canvas.set(left + step, 20, wire)
        canvas.set(left + step, 26, wire)
      }
      for row in 21..<26 {
        canvas.set(left, row, wire)
        canvas.set(left + 6, row, wire)
      }
      canvas.set(left + 1, 21, PixelColor(rgb: 0xF4FBFF))
    }
    canvas.set(23, 22, wire)
    canvas.set(24, 22, wire)
  }

  mutating func paintBeard() {
    let jaw = Self.head.grown(by: 0.8)
    let mouth = Silhouette.ellipse(24, 30.8, 3.4, 1.6)
    let cheeks = Silhouette.polygon([
      12, 25, 17, 26, 20, 29, 28, 29, 31, 26, 36, 25, 36, 40, 12, 40,
    ])
    switch character.beard {
    case .none: break
    case .stubble:
      for row in 27...33 {
        for column in 15...32 where (row + column) % 2 == 0 {
          let point = CanvasPoint(Double(column) + 0.5, Double(row) + 0.5)
          guard
            cheeks.without(mouth.grown(by: 0.6)).within(Self.head.grown(by: -1))
              .distance(point) < 0
          else { continue }
          canvas.set(column, row, skin.shade.mixed(with: hair.base, 0.35))
        }
      }
    case .goatee:
      canvas.paint(
        .polygon([20.5, 32.4, 27.5, 32.4, 26, 36, 24, 38.5, 22, 36], rounding: 0.8),
        Paint(hair, roundness: 4))
      paintMoustache(width: 3.6)
    case .moustache: paintMoustache(width: 6)
    case .full:
      canvas.paint(
        .blend(2, [jaw.within(cheeks), .ellipse(24, 33, 7, 4)]).without(mouth),
        Paint(hair, roundness: 5, isDithered: true))
      paintMoustache(width: 4.6)
    case .long, .braided:
      let tip = character.beard == .long ? 48.0 : 41
      canvas.paint(
        .blend(
          2,
          [
            jaw.within(cheeks),
            .polygon([16.5, 30, 31.5, 30, 29, 40, 24, tip, 19, 40], rounding: 1),
          ]
        ).without(mouth), Paint(hair, roundness: 6, isDithered: true))
      if character.beard == .braided {
        paintPair(.limb(27, 38, 2, 28, 45, 1.4), Paint(hair, roundness: 3))
        paintPair(.ellipse(28, 43, 2.2, 1.4), Paint(gold, roundness: 2))
      }
      paintMoustache(width: 5.4)
    }
  }

  private mutating func paintMoustache(width: Double) {
    paintPair(
      .polygon(
        [24, 28.6, 25.5, 28.4, 24 + width, 30.4, 24 + width, 31.6, 25, 30.2], rounding: 0.5),
      Paint(hair, roundness: 3, outline: .soft, lift: 0.1))
  }
}
