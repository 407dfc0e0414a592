/// A body for each shape class of the Pokédex.
extension PokemonFigure {
  /// The figure of `shape`, varied by `dice`.
  static func of(shape: String, dice: inout DrawingDice) -> PokemonFigure {
    let wide = dice.between(0.92, 1.1)
    switch shape {
    case "ball": return ball(wide, &dice)
    case "squiggle": return squiggle(wide, &dice)
    case "fish": return fish(wide, &dice)
    case "arms": return arms(wide, &dice)
    case "blob": return blob(wide, &dice)
    case "legs": return legs(wide, &dice)
    case "quadruped": return quadruped(wide, &dice)
    case "wings": return wings(wide, &dice)
    case "tentacles": return tentacles(wide, &dice)
    case "heads": return heads(wide, &dice)
    case "humanoid": return humanoid(wide, &dice)
    case "bug-wings": return bugWings(wide, &dice)
    case "armor": return armor(wide, &dice)
    default: return upright(wide, &dice)
    }
  }

  private static func ball(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 29, 15 * wide, 14.5)
    var figure = PokemonFigure(
      head: head, headRoundness: 15, face: Face(eyeX: 6.2, eyeY: 26, mouthY: 33.5), torso: head,
      crownY: 15, temple: CanvasPoint(11, 20), shoulder: CanvasPoint(14 * wide, 29),
      hip: CanvasPoint(9, 41))
    figure.belly = .ellipse(0, 40, 10, 6)
    if dice.roll(3) > 0 { figure.front = [Part(.ellipse(7.5, 43, 4.6, 2.8))] }
    if dice.isOne(in: 3) { figure.back = [Part(.limb(13, 31, 3, 18.5, 27, 2.6))] }
    return figure
  }

  private static func blob(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let high = dice.between(0, 3)
    var drops = [
      Silhouette.ellipse(0, 25 - high, 10 * wide, 11), .ellipse(0, 37, 14.5 * wide, 8),
    ]
    if dice.isOne(in: 2) {
      drops += [.ellipse(10, 41, 6, 4), .ellipse(17, 43, 3.4, 2)]
    } else {
      drops += [.limb(11 * wide, 31, 3, 17, 27, 2.4)]
    }
    let head = Silhouette.blend(6, drops)
    var figure = PokemonFigure(
      head: head, headRoundness: 13, face: Face(eyeX: 5.2, eyeY: 25 - high, mouthY: 31.5 - high),
      torso: head, crownY: 14 - high, temple: CanvasPoint(8.5, 18 - high),
      shoulder: CanvasPoint(11 * wide, 29), hip: CanvasPoint(11, 42))
    figure.belly = .ellipse(0, 40, 8.5, 5)
    return figure
  }

  private static func upright(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 20.5, 11.2 * wide, 9.8)
    let torso = Silhouette.ellipse(0, 35, 9 * wide, 9.5)
    let reach = dice.pick([(13.5, 37.0), (15.5, 31.0), (12.0, 38.5)])
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 5.3, eyeY: 20, mouthY: 26), torso: torso, crownY: 11,
      temple: CanvasPoint(8, 14), shoulder: CanvasPoint(8 * wide, 30), hip: CanvasPoint(7, 41))
    figure.belly = .ellipse(0, 36.5, 6 * wide, 6.5)
    if dice.roll(3) == 0 { figure.back = [Part(.limb(6, 41, 3.4, 17, 40, 1.6))] }
    figure.body = [
      Part(.limb(7.5 * wide, 30.5, 3.2, reach.0, reach.1, 2.5)),
      Part(torso, roundness: 10),
    ]
    figure.front = [Part(.ellipse(6.2 * wide, 43.3, 4.8, 2.7))]
    return figure
  }

  private static func humanoid(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.ellipse(0, 18, 9 * wide, 8.6)
    let isRobed = dice.isOne(in: 3)
    let torso =
      isRobed
      ? Silhouette.polygon([-5, 26, 5, 26, 10 * wide, 43, -10 * wide, 43], rounding: 1.5)
      : Silhouette.polygon([-6, 26.5, 6.5 * wide, 26.5, 4.5, 36, -4.5, 36], rounding: 2)
    let reach = dice.pick([(13.0, 37.0), (15.5, 30.5), (11.5, 33.5)])
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 4.4, eyeY: 18, mouthY: 23), torso: torso, crownY: 9.5,
      temple: CanvasPoint(6.8, 12.5), shoulder: CanvasPoint(7, 28), hip: CanvasPoint(5, 38))
    figure.belly = .ellipse(0, 31, 3.8, 5)
    if !isRobed {
      figure.body = [
        Part(.limb(3.6, 36, 3, 5, 42.5, 2.6)), Part(.ellipse(6, 43.8, 3.8, 2.2), .accent),
      ]
    }
    figure.body += [
      Part(torso, isRobed && dice.isOne(in: 2) ? .accent : .body),
      Part(.limb(7.2, 28.5, 2.6, reach.0, reach.1, 2)),
      Part(.ellipse(reach.0, reach.1, 2.9, 2.9), dice.isOne(in: 2) ? .accent : .body),
    ]
    return figure
  }

  private static func quadruped(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.blend(
      3, [.ellipse(0, 21, 10.8 * wide, 8.8), .ellipse(0, 25, 6.5 * wide, 5.5)])
    let torso = Silhouette.ellipse(0, 32, 10.5 * wide, 9)
    let leg = dice.between(2.8, 4)
    var figure = PokemonFigure(
      head: head, face: Face(eyeX: 5.6, eyeY: 20, mouthY: 26.5), torso: torso, crownY: 12.5,
      temple: CanvasPoint(7.8, 14.5), shoulder: CanvasPoint(9.5 * wide, 27),
      hip: CanvasPoint(11, 36))
    figure.belly = .ellipse(0, 35, 5, 6)
    if dice.roll(3) > 0 {
      figure.back = [
        Part(.blend(4, [.limb(8, 36, 3, 16, 30, 2.6), .limb(16, 30, 2.6, 18, 22, 1.8)]))
      ]
    }
    figure.body = [
      Part(.ellipse(10 * wide, 35.5, 6, 7)), Part(.ellipse(12.4 * wide, 42.6, 4, 2.8)),
      Part(torso, roundness: 10),
    ]
    figure.front = [
      Part(.limb(5, 34, leg + 0.4, 5.2, 41, leg - 0.4)),
      Part(.ellipse(5.4, 43, leg + 0.6, 2.7), dice.isOne(in: 2) ? .belly : .body),
    ]
    return figure
  }

  private static func legs(_ wide: Double, _ dice: inout DrawingDice) -> PokemonFigure {
    let head = Silhouette.blend(
      4, [.ellipse(0, 24, 12.4 * wide, 10.5), .ellipse(0, 31, 8.5, 6)])
    var figure = PokemonFigure(
      head: head, headRoundness: 13, face: Face(eyeX: 5.8, eyeY: 22.5, mouthY: 29.5), torso: head,
      crownY: 14, temple: CanvasPoint(9.2, 17), shoulder: CanvasPoint(12 * wide, 25),
      hip: CanvasPoint(7, 37))
    figure.belly = .ellipse(0, 34, 7.5, 5)
    let claw = dice.isOne(in: 2)
    figure.body = [
      Part(.limb(5.2, 34, 3.8, 7.4, 41, 2.8)), Part(.ellipse(8.6, 43.2, 5, 2.7)),
    ]
    if claw { figure.front = [Part(.ellipse(11.5, 43.8, 1.8, 1.6), .trim)] }
    return figure
  }
}
