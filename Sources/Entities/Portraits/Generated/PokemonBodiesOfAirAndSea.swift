/// The bodies of those that mostly fly, swim, creep or float.
extension PokemonFigure {
  static func squiggle(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 18, 9.2 * wide, 7.8)
    let neck = Silhouette.limb(0, 22, 5.2, 0, 35, 6.2)
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 4.8, eyeY: 17, mouthY: 22), torso: neck, crownY: 10.5,
      temple: CanvasPoint(6.6, 12.5), shoulder: CanvasPoint(6, 27), hip: CanvasPoint(12, 40))
    figure.belly = .ellipse(0, 30, 3.4, 8)
    if dice.isOne(in: 3) { figure.back = [Part(.ellipse(0, 25, 12 * wide, 9), .accent)] }
    figure.back.append(Part(.ellipse(0, 36.5, 10.5 * wide, 5), roundness: 5))
    figure.body = [Part(neck, roundness: 6)]
    figure.front = [Part(.ellipse(0, 41, 14 * wide, 4.8), roundness: 5)]
    return figure
  }

  static func fish(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 27.5, 12.8 * wide, dice.between(11, 14))
    let high = dice.between(18, 24)
    var figure = PokemonFigure(
      head: head, headRoundness: 13, face: Face(eyeX: 7.4, eyeY: 25, mouthY: 32.5), torso: head,
      crownY: 15, temple: CanvasPoint(9, 18), shoulder: CanvasPoint(12 * wide, 27),
      hip: CanvasPoint(5, 40))
    figure.belly = .ellipse(0, 37, 9, 6)
    let fin = Silhouette.polygon(
      [10, 25, 16, high + 1, 22, high, 19.4, 25, 22.4, 28.5, 18.8, 30, 19.6, 34, 14, 33.4, 10, 31],
      rounding: 0.8)
    figure.back = [
      Part(fin, .accent, roundness: 5),
      Part(.polygon([-1, 38, 2, 37, 10, 44.5, 4, 43.4, 0, 45, -1, 45], rounding: 0.8), .accent),
      Part(.polygon([-3, 16, -1, 7, 1, 7, 6.5, 17], rounding: 0.8), .accent, roundness: 5),
    ]
    return figure
  }

  static func arms(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 28, 12 * wide, 12.5)
    let hand = dice.pick([(18.0, 34.0), (18.0, 22.0), (17.0, 38.0)])
    var figure = PokemonFigure(
      head: head, headRoundness: 13, face: Face(eyeX: 5.5, eyeY: 26, mouthY: 33), torso: head,
      crownY: 16, temple: CanvasPoint(9, 19.5), shoulder: CanvasPoint(11 * wide, 28),
      hip: CanvasPoint(8, 39))
    figure.belly = .ellipse(0, 38, 8, 5)
    figure.back = [Part(.limb(10 * wide, 29, 3, hand.0, hand.1, 2.4))]
    figure.front = [
      Part(.ellipse(hand.0 + 0.5, hand.1, 4.2, 4)),
      Part(.ellipse(hand.0 + 3, hand.1 - 2.5, 1.7, 1.7), .trim),
      Part(.ellipse(hand.0 + 3.6, hand.1 + 1.4, 1.7, 1.7), .trim),
    ]
    if dice.isOne(in: 2) { figure.front.append(Part(.ellipse(5.5, 41.6, 4, 2.6))) }
    return figure
  }

  static func wings(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 20, 9.4 * wide, 8.8)
    let torso = Silhouette.ellipse(0, 33, 9 * wide, 9.8)
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 4.9, eyeY: 19.5, mouthY: 25), torso: torso, crownY: 11.5,
      temple: CanvasPoint(7, 14), shoulder: CanvasPoint(8, 28), hip: CanvasPoint(4, 42))
    figure.belly = .ellipse(0, 35.5, 6.2 * wide, 6.5)
    figure.hasBeak = dice.roll(4) > 0
    let lift = dice.pick([0.0, 4, 9])
    let wing = Silhouette.polygon(
      [
        6, 27, 13, 22 - lift, 22.6, 16 - lift, 23, 23 - lift / 2, 20.6, 24, 22, 30 - lift / 3,
        18.4, 30, 18.6, 35, 14.4, 34, 8, 36,
      ], rounding: 0.7)
    let coverts = Silhouette.polygon(
      [6, 27, 13, 22 - lift, 19, 19 - lift, 17, 26 - lift / 2, 8, 32], rounding: 0.7)
    figure.back = [
      Part(.polygon([-4, 38, 4, 38, 6, 45, 2.4, 43.6, 0, 45.6, -2, 44], rounding: 0.6), .accent),
      Part(wing, .accent, roundness: 6), Part(coverts, .body, roundness: 5),
    ]
    figure.body = [Part(torso, roundness: 10)]
    figure.front = [Part(.ellipse(4, 43.4, 2.8, 1.9), .own(0xE8A33A))]
    return figure
  }

  static func tentacles(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 24, 12.5 * wide, 11)
    var figure = PokemonFigure(
      head: head, headRoundness: 13, face: Face(eyeX: 5.5, eyeY: 24.5, mouthY: 30.5), torso: head,
      crownY: 13.5, temple: CanvasPoint(9, 17), shoulder: CanvasPoint(12 * wide, 26),
      hip: CanvasPoint(9, 38))
    figure.belly = .ellipse(0, 32, 8, 4)
    let tip = dice.between(-2, 3)
    let near = Silhouette.blend(
      3, [.limb(3.4, 31, 3, 4.6, 39, 2.2), .limb(4.6, 39, 2.2, 7.5 + tip / 2, 43.6, 1.3)])
    let middle = Silhouette.blend(
      3, [.limb(8, 30, 3, 11, 37, 2.2), .limb(11, 37, 2.2, 15 + tip, 42, 1.3)])
    let far = Silhouette.blend(
      3, [.limb(11, 27, 3, 17, 31, 2.2), .limb(17, 31, 2.2, 21, 36 - tip * 2, 1.3)])
    figure.back = [
      Part(far, .accent, roundness: 3.5), Part(middle, roundness: 3.5),
      Part(near, .accent, roundness: 3.5),
    ]
    return figure
  }

  static func heads(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 19.5, 8.8 * wide, 8.4)
    let torso = Silhouette.ellipse(0, 37.5, 10.5 * wide, 7)
    let side = CanvasPoint(14.6, dice.between(26, 29))
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 4.2, eyeY: 20, mouthY: 25), torso: torso, crownY: 11.5,
      temple: CanvasPoint(6, 14), shoulder: CanvasPoint(10, 35), hip: CanvasPoint(7, 42))
    figure.belly = .ellipse(0, 39.5, 6, 4)
    figure.body = [
      Part(.limb(5, 36, 3.6, side.x - 1, side.y + 2, 3)), Part(torso),
      Part(.limb(0, 34, 4.2, 0, 25, 4)),
      Part(.ellipse(side.x, side.y, 7.6, 7), dice.isOne(in: 2) ? .accent : .body),
    ]
    figure.front = [Part(.ellipse(7, 43.6, 4.4, 2.4))]
    figure.sideFaces = [Face(eyeX: side.x, eyeY: side.y - 0.5, mouthY: side.y + 4)]
    return figure
  }

  static func bugWings(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 21, 8.2 * wide, 7.2)
    let torso = Silhouette.ellipse(0, 31.5, 6.2 * wide, 5.6)
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 4.8, eyeY: 20.5, mouthY: 25), torso: torso, crownY: 14,
      temple: CanvasPoint(5, 15.5), shoulder: CanvasPoint(5.5, 29), hip: CanvasPoint(4, 38))
    figure.hasCompoundEyes = dice.roll(4) > 0
    let rise = dice.between(0.35, 0.9)
    let wing = dice.pick([0xE4F4FA, 0xF9ECC8, 0xF6DCE8] as [UInt32])
    let upper = Silhouette.ellipse(14, 29 - 11 * rise, 10, 5.6, axis: CanvasPoint(1, -rise))
    let lower = Silhouette.ellipse(12.5, 35, 7.5, 4.2, axis: CanvasPoint(1, 0.5))
    figure.back = [
      Part(lower, .own(wing), roundness: 5), Part(upper, .own(wing), roundness: 6),
      Part(.ellipse(17, 29 - 13.5 * rise, 3, 2.4), .accent, outline: .soft),
    ]
    figure.body = [
      Part(.ellipse(0, 41.6, 3.6, 4), .accent), Part(.ellipse(0, 37, 5, 4.6)),
      Part(torso, .accent),
      Part(.limb(5, 33, 1.6, 9.5, 38, 1.2)),
    ]
    return figure
  }

  static func armor(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let shell = Silhouette.ellipse(0, 29, 14.5 * wide, 14)
    let head = Silhouette.ellipse(0, 31.5, 9 * wide, 8)
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 4.8, eyeY: 31, mouthY: 36), torso: shell, crownY: 16,
      temple: CanvasPoint(9, 20), shoulder: CanvasPoint(13 * wide, 27), hip: CanvasPoint(10, 40))
    let bands = (0..<3).map { number in
      let y = 21.0 + Double(number) * 5.5
      return Part(
        shell.within(.ellipse(0, y + 21.5, 30, 22)).without(.ellipse(0, y + 24, 30, 22.2)),
        .accent, outline: .none, relief: shell)
    }
    figure.back = [
      Part(.limb(12 * wide, 35, 2, 20, 39, 1.3)), Part(.limb(11 * wide, 39, 2, 17.5, 44, 1.3)),
      Part(.limb(13 * wide, 30, 2, 21, 31, 1.3)),
    ]
    if dice.isOne(in: 3) {
      let palm = Silhouette.ellipse(19, 22, 4.4, 5)
      figure.back += [
        Part(.limb(12, 30, 2.2, 18, 25, 2)),
        Part(palm.without(.polygon([18, 15, 21, 15, 19.6, 22])), .accent),
      ]
    }
    figure.body = [Part(shell, roundness: 14)] + bands
    figure.front = [Part(.ellipse(7, 43.4, 3.6, 2.2))]
    return figure
  }
}
