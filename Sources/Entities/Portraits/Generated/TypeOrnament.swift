/// What a type adds to a body, so that one sees it before one reads it.
struct TypeOrnament {
  typealias Part = PokemonFigure.Part
  var back: [Part] = []
  var front: [Part] = []

  /// The ornament of `type` on `figure`; the larger one where it is the first type.
  static func of(
    _ type: String, on figure: PokemonFigure, isFirst: Bool, stage: Int, dice: inout DrawingDice
  ) -> TypeOrnament {
    let size = (isFirst ? 1.0 : 0.8) * [0.95, 1.05, 1.15][min(max(stage, 1), 3) - 1]
    let maker = OrnamentMaker(figure: figure, size: size)
    switch type {
    case "fire": return maker.flames(&dice)
    case "water": return maker.fins(&dice)
    case "grass": return maker.leaves(&dice)
    case "electric": return maker.bolts(&dice)
    case "ice": return maker.crystals(&dice)
    case "rock": return maker.boulders(&dice)
    case "ground": return maker.spikes(&dice)
    case "steel": return maker.plates(&dice)
    case "ghost": return maker.wisps(&dice)
    case "psychic": return maker.gems(&dice)
    case "dark": return maker.crescents(&dice)
    case "fairy": return maker.bows(&dice)
    case "dragon": return maker.dragonWings(&dice)
    case "bug": return maker.antennae(&dice)
    case "poison": return maker.bubbles(&dice)
    case "fighting": return maker.headband(&dice)
    case "flying": return maker.feathers(&dice)
    default: return maker.tufts(&dice)
    }
  }
}

/// Makes ornaments of one size at the places of one figure.
private struct OrnamentMaker {
  typealias Part = PokemonFigure.Part
  let figure: PokemonFigure
  let size: Double

  private var crown: Double { figure.crownY }
  private var temple: CanvasPoint { figure.temple }
  private var shoulder: CanvasPoint { figure.shoulder }

  /// A polygon whose corners count from `place`, in the ornament's size.
  private func shape(
    _ place: CanvasPoint, _ corners: [Double], rounding: Double = 0.6
  ) -> Silhouette {
    .polygon(
      corners.enumerated().map {
        $0.offset % 2 == 0
          ? place.x + $0.element * size
          : place.y + $0.element * size
      }, rounding: rounding)
  }

  func flames(_ dice: inout DrawingDice) -> TypeOrnament {
    let top = CanvasPoint(0, crown + 4)
    let outer = [-6, 2, -4, -8, 0, -15, 3, -8, 5.5, -11, 6.5, -4, 9.5, -6, 8.5, 2] as [Double]
    let inner = [-3, 2, -2, -4, 0, -9, 2, -4, 4, -6, 5, 2] as [Double]
    let side = CanvasPoint(shoulder.x + 1, shoulder.y + 3)
    var ornament = TypeOrnament(back: [
      Part(shape(top, outer), .own(0xF0682C), roundness: 4),
      Part(shape(top, inner), .own(0xFFD24A), roundness: 4, outline: .none),
    ])
    if dice.isOne(in: 2) {
      ornament.back += [
        Part(shape(side, [-2, 2, 3, -8, 4, -3, 8, -6, 6, 3]), .own(0xF0682C), roundness: 4),
        Part(shape(side, [-1, 2, 3, -4, 5, 1]), .own(0xFFD24A), outline: .none),
      ]
    }
    return ornament
  }

  func fins(_ dice: inout DrawingDice) -> TypeOrnament {
    let fan = shape(temple, [-2, 3, 3, -6, 5, -3, 9, -4, 8, 0, 11, 2, 7, 4, 1, 7])
    var ornament = TypeOrnament(back: [Part(fan, .accent, roundness: 4)])
    if dice.isOne(in: 2) {
      let comb = shape(CanvasPoint(0, crown + 3), [-3, 2, -1, -8, 1, -8, 4, -3, 5, 3])
      ornament.back.append(Part(comb, .accent, roundness: 4))
    }
    return ornament
  }

  func leaves(_ dice: inout DrawingDice) -> TypeOrnament {
    let green = dice.pick([0x4FA847, 0x6CBE57, 0x3E9A62] as [UInt32])
    let leaf = Silhouette.ellipse(
      5.5 * size, crown - 3 * size, 6.5 * size, 2.9 * size, axis: CanvasPoint(1, -0.75))
    var ornament = TypeOrnament(back: [Part(leaf, .own(green), roundness: 4)])
    switch dice.roll(3) {
    case 0:
      let bud = Silhouette.ellipse(0, crown - 3 * size, 3.4 * size, 4 * size)
      ornament.front = [Part(bud, .own(dice.pick([0xF37FA5, 0xF7D154, 0xE8553F])), roundness: 4)]
    case 1:
      let low = Silhouette.ellipse(
        shoulder.x + 4 * size, shoulder.y, 5.5 * size, 2.6 * size, axis: CanvasPoint(1, -0.3))
      ornament.back.append(Part(low, .own(green), roundness: 4))
    default:
      let middle = Silhouette.ellipse(0, crown - 3 * size, 2.8 * size, 6 * size)
      ornament.back.append(Part(middle, .own(green), roundness: 4))
    }
    return ornament
  }

  func bolts(_ dice: inout DrawingDice) -> TypeOrnament {
    let yellow = 0xFFD93B as UInt32
    let ear = shape(temple, [-3, 2, 1, -5, 3.5, -4, 4, -11, 9, -13, 7, -6, 5, -6, 3, 1])
    var ornament = TypeOrnament(back: [Part(ear, .own(yellow), roundness: 4)])
    if dice.isOne(in: 2) {
      let tail = shape(
        CanvasPoint(shoulder.x, shoulder.y + 6),
        [0, 2, 5, -2, 4, -3, 9, -8, 12, -5, 8, 0, 9, 1, 3, 5])
      ornament.back.append(Part(tail, .own(yellow), roundness: 4))
    }
    let cheek = Silhouette.ellipse(figure.face.eyeX + 3, figure.face.mouthY - 1, 2.2, 1.9)
    ornament.front = [Part(cheek.within(figure.head), .own(0xE4523C), outline: .none)]
    return ornament
  }

  func crystals(_ dice: inout DrawingDice) -> TypeOrnament {
    let ice = 0xBDEBF2 as UInt32
    let high = shape(CanvasPoint(0, crown + 3), [-2.5, 1, -2.5, -7, 0, -12, 2.5, -7, 2.5, 1])
    let low = shape(CanvasPoint(temple.x - 2, temple.y), [-3, 1, 1, -7, 5, -10, 5, -5, 2, 3])
    var ornament = TypeOrnament(back: [
      Part(low, .own(ice), roundness: 3), Part(high, .own(ice), roundness: 3),
    ])
    if dice.isOne(in: 2) {
      let side = shape(shoulder, [0, 2, 5, -4, 10, -5, 8, 0, 3, 5])
      ornament.back.append(Part(side, .own(ice), roundness: 3))
    }
    return ornament
  }

  func boulders(_ dice: inout DrawingDice) -> TypeOrnament {
    let stone = dice.pick([0xA8946A, 0x9A8C86, 0xB39F55] as [UInt32])
    let shoulderStone = shape(
      CanvasPoint(shoulder.x - 1, shoulder.y - 2), [-3, 0, -1, -5, 4, -6, 7, -2, 6, 3, 0, 4],
      rounding: 1)
    let top = shape(
      CanvasPoint(0, crown + 2), [-4, 1, -3, -4, 2, -6, 5, -3, 6, 2], rounding: 0.8)
    return dice.isOne(in: 2)
      ? TypeOrnament(
        back: [Part(shoulderStone, .own(stone), roundness: 3)],
        front: [Part(top, .own(stone), roundness: 3)])
      : TypeOrnament(
        back: [Part(top, .own(stone), roundness: 3)],
        front: [Part(shoulderStone, .own(stone), roundness: 3)])
  }

  func spikes(_ dice: inout DrawingDice) -> TypeOrnament {
    let horn = shape(temple, [-4, 2, 1, -3, 6, -9, 4, 0, 1, 3], rounding: 0.8)
    var ornament = TypeOrnament(back: [Part(horn, .trim, roundness: 3)])
    switch dice.roll(2) {
    case 0:
      let nose = shape(CanvasPoint(0, figure.face.eyeY - 2), [-2, 0, 0, -7, 2, 0])
      ornament.front = [Part(nose, .trim, roundness: 3)]
    default:
      let side = shape(shoulder, [-1, -1, 8, -3, 4, 1, 9, 4, 1, 5], rounding: 0.6)
      ornament.back.append(Part(side, .own(0xB98A4A), roundness: 3))
    }
    return ornament
  }

  func plates(_ dice: inout DrawingDice) -> TypeOrnament {
    let steel = 0xB9C2D4 as UInt32
    let pad = Silhouette.ellipse(shoulder.x + 1, shoulder.y - 1, 5.2 * size, 4.6 * size)
    let blade = shape(CanvasPoint(0, crown + 3), [-2, 2, -1.4, -7, 0, -11, 1.4, -7, 3, 2])
    let wing = shape(temple, [-2, 3, 2, -3, 10, -6, 8, -1, 3, 4])
    let bolt = Silhouette.ellipse(shoulder.x + 1, shoulder.y - 1, 1.5, 1.5)
    return TypeOrnament(
      back: [Part(dice.isOne(in: 2) ? blade : wing, .own(steel), roundness: 3)],
      front: [Part(pad, .own(steel), roundness: 5), Part(bolt, .own(0x6C7488), outline: .soft)])
  }

  func wisps(_ dice: inout DrawingDice) -> TypeOrnament {
    let glow = dice.pick([0x9A7BE0, 0x6FA8E8, 0xC46BD6] as [UInt32])
    let wisp = shape(
      CanvasPoint(shoulder.x + 5, shoulder.y - 5),
      [-2, 3, -3, 0, -1, -3, 0.5, -8, 2, -4, 4, -5, 4, 0, 2, 3], rounding: 0.8)
    let core = shape(CanvasPoint(shoulder.x + 5, shoulder.y - 4.6), [-1, 1, 0.5, -3, 2, 1])
    let lick = shape(
      CanvasPoint(0, crown + 3), [-5, 2, -4, -6, 0, -12, 2.5, -6, 5, -8, 6, 2], rounding: 0.8)
    return TypeOrnament(
      back: [Part(lick, .own(glow), roundness: 4)],
      front: [
        Part(wisp, .own(glow), roundness: 4), Part(core, .own(0xF1EAFF), outline: .none),
      ])
  }

  func gems(_ dice: inout DrawingDice) -> TypeOrnament {
    let color = dice.pick([0xF0427A, 0x3FC1E8, 0xF5C93A, 0xB65BEB] as [UInt32])
    let forehead = (crown + figure.face.eyeY) / 2 - 1
    let gem = shape(CanvasPoint(0, forehead), [-2.4, 0, 0, -3.4, 2.4, 0, 0, 3.4], rounding: 0.4)
    let orb = Silhouette.ellipse(shoulder.x + 5, shoulder.y - 8, 2.6 * size, 2.6 * size)
    let curl = Silhouette.ellipse(temple.x + 3 * size, temple.y - 3 * size, 5 * size, 6 * size)
      .without(.ellipse(temple.x + 5.5 * size, temple.y - 3.5 * size, 3.6 * size, 4 * size))
    let front = [Part(gem, .own(color), roundness: 3)]
    return dice.isOne(in: 2)
      ? TypeOrnament(front: front + [Part(orb, .own(color), roundness: 3)])
      : TypeOrnament(back: [Part(curl, .accent, roundness: 4)], front: front)
  }

  func crescents(_ dice: inout DrawingDice) -> TypeOrnament {
    let center = CanvasPoint(temple.x + 1, temple.y - 4 * size)
    let horn = Silhouette.ellipse(center.x, center.y, 5.6 * size, 7 * size)
      .without(.ellipse(center.x - 3.4 * size, center.y - 2.4 * size, 5 * size, 6.4 * size))
    let ear = shape(temple, [-5, 1, 1, -11, 3.5, -4, 4, 3])
    let lash = shape(shoulder, [0, -2, 9, -8, 6, -1, 10, 2, 2, 4])
    return dice.isOne(in: 2)
      ? TypeOrnament(back: [Part(horn, .own(0x4A4250), roundness: 3)])
      : TypeOrnament(back: [
        Part(ear, .own(0x4A4250), roundness: 4), Part(lash, .own(0x4A4250), roundness: 4),
      ])
  }

  func bows(_ dice: inout DrawingDice) -> TypeOrnament {
    let pink = dice.pick([0xF590BE, 0xF26D9B, 0xC9A4F2] as [UInt32])
    let loop = shape(CanvasPoint(0, crown), [0, 0, 4, -5, 8, -4, 8, 2, 4, 2.5], rounding: 1.2)
    let knot = Silhouette.ellipse(0, crown - 0.6, 2.1 * size, 2.3 * size)
    let wing = Silhouette.ellipse(
      shoulder.x + 5 * size, shoulder.y - 4 * size, 6.4 * size, 3.6 * size,
      axis: CanvasPoint(1, -0.7))
    let low = Silhouette.ellipse(
      shoulder.x + 4 * size, shoulder.y + 1.5, 4.2 * size, 2.6 * size, axis: CanvasPoint(1, 0.4))
    let cheek = Part(
      Silhouette.ellipse(figure.face.eyeX + 2.6, figure.face.mouthY - 1, 2, 1.4)
        .within(figure.head), .own(0xF58BA8), outline: .none)
    return dice.isOne(in: 2)
      ? TypeOrnament(front: [Part(loop, .own(pink), roundness: 4), Part(knot, .own(pink)), cheek])
      : TypeOrnament(
        back: [Part(low, .own(0xFBDDEB)), Part(wing, .own(0xFBDDEB), roundness: 5)],
        front: [cheek])
  }

  func dragonWings(_ dice: inout DrawingDice) -> TypeOrnament {
    let wing = shape(
      CanvasPoint(shoulder.x - 2, shoulder.y),
      [0, 2, 4, -10, 13, -16, 14, -7, 12, -8, 12, 0, 9, -2, 8, 5, 5, 2], rounding: 0.6)
    let bone = Silhouette.limb(
      shoulder.x, shoulder.y, 1.5 * size, shoulder.x + 9.5 * size, shoulder.y - 14 * size, size)
    let horn = shape(temple, [-4, 2, -1, -5, 4, -11, 4, -4, 1, 2], rounding: 0.6)
    return TypeOrnament(back: [
      Part(wing, .accent, roundness: 4), Part(bone, .body, roundness: 3),
      Part(horn, .trim, roundness: 3),
    ])
  }

  func antennae(_ dice: inout DrawingDice) -> TypeOrnament {
    let tip = CanvasPoint(temple.x + 2 * size, crown - 7 * size)
    let stalk = Silhouette.limb(temple.x - 4, crown + 3, 1.3, tip.x, tip.y, 0.9)
    var ornament = TypeOrnament(back: [
      Part(stalk, .accent, roundness: 2),
      Part(.ellipse(tip.x, tip.y, 2.5 * size, 2.5 * size), .accent, roundness: 3),
    ])
    if dice.isOne(in: 2) {
      let pincer = shape(
        CanvasPoint(figure.face.eyeX - 1, figure.face.mouthY + 1), [-2, -1, 2, -2, 3, 2, -1, 5],
        rounding: 0.5)
      ornament.front = [Part(pincer, .trim, roundness: 3)]
    }
    return ornament
  }

  func bubbles(_ dice: inout DrawingDice) -> TypeOrnament {
    let violet = dice.pick([0xA552B5, 0x8E49C4, 0x7FA53E] as [UInt32])
    let spots = [(5.0, 2.0, 2.6), (9, 7, 1.9), (2.5, 8, 1.7)].map { x, y, radius in
      Part(
        Silhouette.ellipse(x, crown + y, radius, radius).within(figure.head), .own(violet),
        outline: .none, relief: figure.head)
    }
    let drops = [(3.5, -2.0, 2.8), (7, -6.5, 2), (4, -10, 1.5)].map { x, y, radius in
      Part(
        Silhouette.ellipse(
          shoulder.x + x * size, shoulder.y + y * size, radius * size, radius * size),
        .own(violet), roundness: 3)
    }
    let barb = shape(temple, [-4, 2, 0, -4, 5, -8, 4, 1], rounding: 0.8)
    return dice.isOne(in: 2)
      ? TypeOrnament(back: drops, front: spots)
      : TypeOrnament(back: [Part(barb, .own(violet), roundness: 3)], front: spots)
  }

  func headband(_ dice: inout DrawingDice) -> TypeOrnament {
    let y = (crown + figure.face.eyeY) / 2 - 1.5
    let cloth = dice.pick([0xD8402F, 0xF0F0EA, 0x2F5FB8] as [UInt32])
    let band = figure.head.grown(by: 0.4).within(
      .polygon([-30, y - 1.8, 30, y - 1.8, 30, y + 1.8, -30, y + 1.8]))
    let tail = shape(CanvasPoint(temple.x + 1, y), [0, -1, 8, -5, 7, -1, 9, 3, 0, 2])
    let belt = figure.torso.within(
      .polygon([-30, shoulder.y + 8, 30, shoulder.y + 8, 30, shoulder.y + 11, -30, shoulder.y + 11])
    )
    let tails = [Part(tail, .own(cloth), roundness: 3)]
    return dice.roll(3) > 0
      ? TypeOrnament(back: tails, front: [Part(band, .own(cloth), roundness: 3)])
      : TypeOrnament(front: [Part(belt, .own(cloth), roundness: 3)])
  }

  func feathers(_ dice: inout DrawingDice) -> TypeOrnament {
    let wing = shape(
      CanvasPoint(shoulder.x - 1, shoulder.y),
      [0, 3, 3, -6, 12, -11, 12, -6, 10, -6, 11, -1, 8.6, -2, 9, 3, 6, 2, 4, 6], rounding: 0.7)
    let plume = shape(CanvasPoint(0, crown + 2), [-2, 2, -1, -6, 2, -9, 2, -4, 5, -6, 4, 2])
    return TypeOrnament(back: [
      Part(wing, .own(0xE7E9FB), roundness: 5), Part(plume, .accent, roundness: 3),
    ])
  }

  func tufts(_ dice: inout DrawingDice) -> TypeOrnament {
    let ear =
      switch dice.roll(4) {
      case 0: shape(temple, [-6, 2, -1, -9, 3, -8, 4, 3], rounding: 1)
      case 1:
        Silhouette.ellipse(
          temple.x, temple.y - 7 * size, 3.2 * size, 9 * size, axis: CanvasPoint(1, 0.25))
      case 2: Silhouette.ellipse(temple.x + 1, temple.y - 1, 5 * size, 5 * size)
      default:
        Silhouette.ellipse(
          temple.x + 5 * size, temple.y + 4, 3.4 * size, 7 * size, axis: CanvasPoint(1, -0.3))
      }
    let ruff = shape(
      CanvasPoint(figure.face.eyeX + 4, figure.face.mouthY - 2), [-2, -3, 5, -2, 3, 0, 5, 3, -1, 4])
    let inner = ear.grown(by: -2)
    var ornament = TypeOrnament(back: [
      Part(ear, .body, roundness: 5), Part(inner, .belly, outline: .none),
    ])
    if dice.isOne(in: 2) { ornament.back.append(Part(ruff, .belly, roundness: 4)) }
    return ornament
  }
}
