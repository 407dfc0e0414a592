/// Who is on a portrait of the gallery, part by part.
struct GalleryCharacter: Sendable {
  var name: String
  var profession: String
  var skin: UInt32
  var ears = Ears.round
  var hair: Hair
  var hairColor: UInt32
  var eyeColor: UInt32
  var expression: Expression
  var beard = Beard.none
  var mark = Mark.none
  var headgear = Headgear.none
  var outfit: Outfit
  /// The main cloth and what trims it.
  var cloth: UInt32
  var trim: UInt32
  var prop = Prop.none
  var backdrop: UInt32

  enum Ears { case round, pointed, long, none }

  enum Hair {
    case none, short, swept, bangs, spiky, long, bob, curly, bun, ponytail, braids, mohawk, wavy
    case mane
  }

  enum Expression { case calm, stern, cheerful, sly, wide, wise, fierce, gentle }

  enum Beard { case none, stubble, goatee, full, long, braided, moustache }

  enum Mark { case none, scar, freckles, paint, eyePatch, tusks, runes, glasses, blush }

  enum Headgear {
    case none, openHelm, closedHelm, coif, wizardHat, hood, featherCap, hoodAndMask, bandana
    case circlet, halo, mitre, veil, beadBand, strawHat, antlers, leafCrown, flowerCrown, wolfHood
    case goggles, goggleEyes, plagueMask, beret, tricorn, hornedHelm, crown, horns
  }

  enum Outfit {
    case plate, mail, robe, cloak, leather, vestment, wrap, leaves, coat, fur
  }

  enum Prop {
    case none, sword, staff, crookedStaff, bow, quiver, dagger, book, beads, flask, axe, hammer
    case lute, owl, lantern, wand
  }
}
