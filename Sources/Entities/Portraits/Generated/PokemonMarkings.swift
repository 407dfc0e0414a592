/// Belly, stripes, spots and masks, which lie flat on a part of the body.
struct PokemonMarkings {
  typealias Part = PokemonFigure.Part
  let figure: PokemonFigure

  /// The part that a marking lies on shades it.
  private func flat(_ shape: Silhouette, _ tint: PokemonFigure.Tint, on part: Silhouette) -> Part {
    Part(
      shape.within(part.grown(by: -1)), tint, roundness: figure.headRoundness, outline: .none,
      relief: part)
  }

  func onTorso(_ dice: inout DrawingDice) -> [Part] {
    var parts: [Part] = []
    if let belly = figure.belly, dice.roll(4) > 0 {
      parts.append(flat(belly, .belly, on: figure.torso))
    }
    let top = figure.crownY
    switch dice.roll(5) {
    case 0:
      for step in 0..<3 {
        let y = top + 10 + Double(step) * 8
        let stripe = Silhouette.polygon([6, y + 1.5, 22, y - 2, 22, y + 3])
        parts.append(flat(stripe, .accent, on: figure.torso))
      }
    case 1:
      for _ in 0..<4 {
        let spot = Silhouette.ellipse(
          dice.between(4, 14), dice.between(top + 4, 42), dice.between(1.3, 2.6),
          dice.between(1.3, 2.4))
        parts.append(flat(spot, .accent, on: figure.torso))
      }
    default: break
    }
    return parts
  }

  func onHead(_ dice: inout DrawingDice) -> [Part] {
    let face = figure.face
    let top = figure.crownY
    switch dice.roll(8) {
    case 0:
      return [flat(.ellipse(0, face.mouthY + 1, 6, 4), .belly, on: figure.head)]
    case 1:
      let patch = Silhouette.ellipse(face.eyeX + 0.5, face.eyeY, 4.6, 4.6)
      return [flat(patch, .accent, on: figure.head)]
    case 2:
      let blaze = Silhouette.polygon([
        -2.4, top - 2, 2.4, top - 2, 1, face.eyeY + 2, -1, face.eyeY + 2,
      ])
      return [flat(blaze, .belly, on: figure.head)]
    case 3:
      let cap = Silhouette.polygon(
        [-30, top - 9, 30, top - 9, 30, face.eyeY - 6, 0, face.eyeY - 1, -30, face.eyeY - 6])
      return [flat(cap, .accent, on: figure.head)]
    case 4:
      let stripes = [3.0, 7.5].map { x in
        flat(
          .polygon([x - 1.2, top - 2, x + 1.6, top - 2, x + 0.4, top + 4.5]), .accent,
          on: figure.head)
      }
      return stripes
    case 5:
      return [
        flat(.ellipse(face.eyeX + 3.4, face.mouthY - 1, 1.9, 1.5), .own(0xF0848E), on: figure.head)
      ]
    default: return []
    }
  }
}
