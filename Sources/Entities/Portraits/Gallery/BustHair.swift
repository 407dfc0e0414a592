/// Hair behind and before the head.
extension BustPainter {
  /// The skull with a layer of hair on it.
  private static let cap = Silhouette.ellipse(24, 20.5, 10.8, 10.6)

  /// True where what is worn on the head hides the hair on top.
  var isHairCovered: Bool {
    switch character.headgear {
    case .closedHelm, .coif, .hood, .hoodAndMask, .veil, .wolfHood, .plagueMask: true
    default: false
    }
  }

  mutating func paintHairBehind() {
    if isHairCovered { return }
    let strands = Paint(hair, roundness: 8, lift: -0.2)
    switch character.hair {
    case .long:
      canvas.paint(
        .polygon(
          [15, 16, 33, 16, 35, 28, 34.5, 40, 30, 43, 18, 43, 13.5, 40, 13, 28], rounding: 4),
        strands)
    case .wavy:
      canvas.paint(
        .union([
          .ellipse(13, 24, 4.4, 5.5), .ellipse(11.8, 32, 4.6, 5), .ellipse(13.5, 39, 4.4, 5),
          .ellipse(35, 24, 4.4, 5.5), .ellipse(36.2, 32, 4.6, 5), .ellipse(34.5, 39, 4.4, 5),
          .ellipse(24, 30, 12, 12),
        ]), strands)
    case .bob:
      canvas.paint(
        .polygon([14, 16, 34, 16, 36.5, 28, 34.5, 34, 13.5, 34, 11.5, 28], rounding: 1.4), strands)
    case .curly:
      let curls = stride(from: 0, to: 12, by: 1).map { number -> Silhouette in
        let ring = [
          (24.0, 8.8), (18, 9.6), (30, 9.6), (13.6, 14), (34.4, 14), (11.6, 20), (36.4, 20),
          (11.4, 26), (36.6, 26), (13, 31.5), (35, 31.5), (24, 14),
        ][number]
        return .ellipse(ring.0, ring.1, 4.4, 4.4)
      }
      canvas.paint(.union(curls + [.ellipse(24, 22, 12, 12)]), strands)
    case .mane:
      canvas.paint(
        .polygon(
          [
            24, 6, 30, 8, 36, 11, 37, 17, 41, 22, 38, 27, 41, 34, 36, 38, 24, 40, 12, 38, 7, 34, 10,
            27, 7, 22, 11, 17, 12, 11, 18, 8,
          ], rounding: 0.8), strands)
    case .ponytail:
      canvas.paint(
        .blend(2, [.limb(33, 13, 3, 39, 19, 3.6), .limb(39, 19, 3.6, 38, 34, 1.4)]), strands)
    case .bun: canvas.paint(.ellipse(24, 8.5, 5, 4.6), Paint(hair, roundness: 5))
    case .none, .short, .swept, .bangs, .spiky, .braids, .mohawk: break
    }
  }

  mutating func paintHair() {
    if isHairCovered {
      if character.hair != .none { paintFringeUnderHood() }
      return
    }
    let paint = Paint(hair, roundness: 9)
    switch character.hair {
    case .none: paintShine()
    case .short:
      canvas.paint(
        Self.cap.without(.ellipse(24, 27, 8, 10.4)).within(.polygon([8, 0, 40, 0, 40, 25, 8, 25])),
        paint)
    case .swept:
      canvas.paint(
        Silhouette.union([Self.cap, .ellipse(29, 12.5, 7, 4.4, axis: CanvasPoint(1, 0.3))])
          .without(.ellipse(22, 28, 9, 11.4)).within(.polygon([8, 0, 40, 0, 40, 26, 8, 26])), paint)
    case .bangs, .long, .bob, .bun: paintBangs(paint)
    case .spiky: paintSpikes(paint)
    case .wavy, .ponytail:
      canvas.paint(
        Self.cap.without(.polygon([24, 14, 29, 17, 32.5, 21, 33, 40, 15, 40, 15.5, 21, 19, 17]))
          .within(.polygon([8, 0, 40, 0, 40, 29, 8, 29])), paint)
    case .curly:
      canvas.paint(
        .union([
          .ellipse(16.5, 14.5, 3.8, 3.6), .ellipse(21, 12.8, 3.6, 3.6),
          .ellipse(26, 12.8, 3.8, 3.6),
          .ellipse(31, 14.8, 3.8, 3.6), .ellipse(14.6, 19, 2.8, 3.4), .ellipse(33.4, 19, 2.8, 3.4),
        ]), Paint(hair, roundness: 4))
    case .braids:
      paintBangs(paint)
      for (y, radius) in [(29.0, 2.6), (33, 2.7), (37, 2.6), (41, 2.3)] {
        paintPair(.ellipse(34.5, y, radius, 2.5), Paint(hair, roundness: 3))
      }
      paintPair(.ellipse(34.5, 44, 2, 1.4), Paint(trim, roundness: 2))
    case .mohawk:
      canvas.paint(
        .polygon([20.5, 17, 19, 6, 22, 8, 24, 2.5, 26, 8, 29, 6, 27.5, 17], rounding: 0.8), paint)
    case .mane:
      canvas.paint(
        Self.cap.without(.ellipse(24, 27.5, 8.2, 10.4))
          .within(.polygon([8, 0, 40, 0, 40, 27, 8, 27])), paint)
    }
  }

  private mutating func paintBangs(_ paint: Paint) {
    let face = Silhouette.polygon([
      15.5, 40, 15.2, 21, 17, 18.6, 18.5, 20, 20.5, 17, 22.5, 19, 25.5, 15.6, 28, 19, 30, 17.6,
      32.6, 21.5, 32.5, 40,
    ])
    canvas.paint(
      Self.cap.without(face).within(.polygon([8, 0, 40, 0, 40, 29, 8, 29])), paint)
  }

  private mutating func paintSpikes(_ paint: Paint) {
    canvas.paint(
      Silhouette.polygon(
        [
          13, 24, 9.5, 18, 12.5, 17.6, 10, 11, 15.5, 12, 15, 5.5, 21, 9.5, 24.5, 3.5, 27.5, 9, 33.5,
          5.5, 33, 12, 38, 11.5, 35.5, 17.6, 38, 18.6, 35, 24,
        ], rounding: 0.5
      ).without(
        .polygon([
          15.5, 30, 15.2, 20, 18, 17, 20, 19, 23, 15.5, 26, 18.6, 29, 16, 32.6, 20, 32.5, 30,
        ])),
      paint)
  }

  private mutating func paintFringeUnderHood() {
    canvas.paint(
      Self.cap.without(
        .polygon([15, 40, 16, 20, 19, 18, 21, 20, 25, 15, 29, 19.5, 32, 20, 33, 40])
      )
      .within(.ellipse(24, 24, 10, 12)), Paint(hair, roundness: 6))
  }

  /// Where the light catches a bare head.
  private mutating func paintShine() {
    guard character.headgear == .none else { return }
    for (column, row) in [(19, 14), (20, 14), (18, 15), (19, 15), (20, 15), (18, 16)] {
      canvas.set(column, row, skin.shine)
    }
    for column in [22, 24, 26] { canvas.set(column, 15, skin.shade) }
  }
}
