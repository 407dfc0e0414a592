/// Those on the portraits of the gallery.
enum GalleryCast {
  static let all: [GalleryCharacter] =
    knights + wizards + rangers + rogues + clerics + monks + druids + alchemists + travellers

  // Skin, hair and metal, named once so that the cast looks like one world.
  private static let porcelain: UInt32 = 0xF7D9C4
  private static let fair: UInt32 = 0xF0C4A0
  private static let tan: UInt32 = 0xD99E6E
  private static let bronze: UInt32 = 0xB87848
  private static let umber: UInt32 = 0x8A5636
  private static let ebony: UInt32 = 0x6A4230
  private static let moss: UInt32 = 0x8FAE62
  private static let violet: UInt32 = 0xB08AC8
  private static let raven: UInt32 = 0x3A3444
  private static let chestnut: UInt32 = 0x7A4A2C
  private static let copper: UInt32 = 0xC8622E
  private static let gold: UInt32 = 0xE8BE5A
  private static let silver: UInt32 = 0xC8CCD8
  private static let snow: UInt32 = 0xECE8E4
  private static let steel: UInt32 = 0xA8B4C8
  private static let brass: UInt32 = 0xE0B048

  private static let knights: [GalleryCharacter] = [
    GalleryCharacter(
      name: "rowan", profession: "Knight", skin: fair, hair: .short, hairColor: chestnut,
      eyeColor: 0x4A80B8, expression: .stern, headgear: .openHelm, outfit: .plate, cloth: 0xB83A3A,
      trim: brass, prop: .sword, backdrop: 0x5A6E96),
    GalleryCharacter(
      name: "isolde", profession: "Knight", skin: porcelain, hair: .braids, hairColor: gold,
      eyeColor: 0x4E9A6E, expression: .calm, headgear: .circlet, outfit: .plate, cloth: 0x3A62B0,
      trim: brass, prop: .sword, backdrop: 0x8A6A8E),
    GalleryCharacter(
      name: "garrick", profession: "Knight", skin: tan, hair: .none, hairColor: raven,
      eyeColor: 0xB85A3A, expression: .fierce, headgear: .closedHelm, outfit: .plate,
      cloth: 0x5A3A8A, trim: 0xC84848, prop: .none, backdrop: 0x6E7A62),
    GalleryCharacter(
      name: "amara", profession: "Knight", skin: umber, hair: .none, hairColor: raven,
      eyeColor: 0xC08838, expression: .calm, mark: .scar, headgear: .coif, outfit: .mail,
      cloth: 0xD8A83A, trim: 0xB83A3A, prop: .hammer, backdrop: 0x4E7A8A),
  ]

  private static let wizards: [GalleryCharacter] = [
    GalleryCharacter(
      name: "aldous", profession: "Wizard", skin: fair, hair: .long, hairColor: snow,
      eyeColor: 0x4A8AD0, expression: .wise, beard: .long, headgear: .wizardHat, outfit: .robe,
      cloth: 0x4A52B0, trim: brass, prop: .staff, backdrop: 0x6A5A96),
    GalleryCharacter(
      name: "elowen", profession: "Wizard", skin: porcelain, ears: .pointed, hair: .wavy,
      hairColor: copper, eyeColor: 0x58B070, expression: .cheerful, mark: .freckles,
      headgear: .wizardHat, outfit: .robe, cloth: 0x7A3E9A, trim: 0xF0C850, prop: .wand,
      backdrop: 0x3E8A8E),
    GalleryCharacter(
      name: "zahir", profession: "Wizard", skin: bronze, hair: .swept, hairColor: raven,
      eyeColor: 0xE0A030, expression: .sly, beard: .goatee, mark: .runes, headgear: .none,
      outfit: .robe, cloth: 0xB0343E, trim: brass, prop: .staff, backdrop: 0x3E4A7A),
    GalleryCharacter(
      name: "nyx", profession: "Wizard", skin: violet, ears: .long, hair: .bob, hairColor: silver,
      eyeColor: 0xF0D048, expression: .calm, headgear: .horns, outfit: .cloak, cloth: 0x3A3A5E,
      trim: 0x9A6AE0, prop: .owl, backdrop: 0x7A3E6E),
  ]

  private static let rangers: [GalleryCharacter] = [
    GalleryCharacter(
      name: "sylva", profession: "Ranger", skin: fair, ears: .pointed, hair: .bangs,
      hairColor: gold, eyeColor: 0x4EA060, expression: .calm, headgear: .hood, outfit: .cloak,
      cloth: 0x3E7A46, trim: brass, prop: .bow, backdrop: 0x8A7A4E),
    GalleryCharacter(
      name: "bram", profession: "Ranger", skin: tan, hair: .short, hairColor: chestnut,
      eyeColor: 0x7A5A38, expression: .cheerful, beard: .full, headgear: .featherCap,
      outfit: .leather, cloth: 0x5E7A3A, trim: 0xC84838, prop: .quiver, backdrop: 0x5A8AA0),
    GalleryCharacter(
      name: "kestrel", profession: "Ranger", skin: umber, hair: .ponytail, hairColor: raven,
      eyeColor: 0x58A8B8, expression: .stern, mark: .paint, outfit: .leather, cloth: 0x8A5A34,
      trim: 0x3E9A8A, prop: .bow, backdrop: 0xB07A4E),
    GalleryCharacter(
      name: "thorne", profession: "Ranger", skin: porcelain, ears: .pointed, hair: .long,
      hairColor: silver, eyeColor: 0x8A6AD0, expression: .sly, headgear: .leafCrown,
      outfit: .cloak, cloth: 0x2E5A5E, trim: silver, prop: .quiver, backdrop: 0x4E6A4A),
  ]

  private static let rogues: [GalleryCharacter] = [
    GalleryCharacter(
      name: "vesper", profession: "Rogue", skin: fair, hair: .bangs, hairColor: 0x5A3A6E,
      eyeColor: 0x9A5AD8, expression: .sly, headgear: .hoodAndMask, outfit: .cloak,
      cloth: 0x3E3E52, trim: 0xB83A4A, prop: .dagger, backdrop: 0x6A5A6E),
    GalleryCharacter(
      name: "finn", profession: "Rogue", skin: porcelain, hair: .spiky, hairColor: copper,
      eyeColor: 0x4E9A5A, expression: .cheerful, mark: .freckles, headgear: .bandana,
      outfit: .leather, cloth: 0x6A4A34, trim: 0xC83E3E, prop: .dagger, backdrop: 0x3E6E7A),
    GalleryCharacter(
      name: "sable", profession: "Rogue", skin: umber, hair: .bob, hairColor: silver,
      eyeColor: 0xE0B038, expression: .stern, mark: .eyePatch, outfit: .leather,
      cloth: 0x4A3A5A, trim: brass, prop: .sword, backdrop: 0x8A4E4E),
    GalleryCharacter(
      name: "pip", profession: "Rogue", skin: tan, ears: .long, hair: .curly, hairColor: chestnut,
      eyeColor: 0x8A5A30, expression: .wide, mark: .blush, headgear: .hood, outfit: .cloak,
      cloth: 0x6E3A46, trim: brass, prop: .lantern, backdrop: 0x4E5A8A),
  ]

  private static let clerics: [GalleryCharacter] = [
    GalleryCharacter(
      name: "seraphine", profession: "Cleric", skin: porcelain, hair: .long, hairColor: gold,
      eyeColor: 0x5AA0D8, expression: .gentle, mark: .blush, headgear: .halo, outfit: .vestment,
      cloth: 0xF0ECE4, trim: brass, prop: .book, backdrop: 0x7AA0C8),
    GalleryCharacter(
      name: "osric", profession: "Cleric", skin: fair, hair: .short, hairColor: snow,
      eyeColor: 0x6A7A98, expression: .wise, beard: .full, headgear: .mitre, outfit: .vestment,
      cloth: 0xE8E0D0, trim: 0xB83A48, prop: .staff, backdrop: 0x9A7A4A),
    GalleryCharacter(
      name: "nadia", profession: "Cleric", skin: bronze, hair: .none, hairColor: raven,
      eyeColor: 0x5A8A4A, expression: .gentle, headgear: .veil, outfit: .robe, cloth: 0x4A78A8,
      trim: 0xF0ECE4, prop: .lantern, backdrop: 0xB08A6A),
  ]

  private static let monks: [GalleryCharacter] = [
    GalleryCharacter(
      name: "tenzin", profession: "Monk", skin: tan, hair: .none, hairColor: raven,
      eyeColor: 0x6A4A30, expression: .gentle, headgear: .none, outfit: .wrap, cloth: 0xD87830,
      trim: 0xA83A2E, prop: .beads, backdrop: 0x5E8A7A),
    GalleryCharacter(
      name: "mei", profession: "Monk", skin: porcelain, hair: .bun, hairColor: raven,
      eyeColor: 0x8A4A3A, expression: .calm, mark: .blush, headgear: .beadBand, outfit: .wrap,
      cloth: 0xF0E8D8, trim: 0xC83A48, prop: .beads, backdrop: 0xC87A86),
    GalleryCharacter(
      name: "kaito", profession: "Monk", skin: fair, hair: .long, hairColor: raven,
      eyeColor: 0x4A6AA0, expression: .stern, beard: .stubble, headgear: .strawHat, outfit: .wrap,
      cloth: 0x3E5A8A, trim: 0xE8E0D0, prop: .none, backdrop: 0x8A9A6A),
  ]

  private static let druids: [GalleryCharacter] = [
    GalleryCharacter(
      name: "fern", profession: "Druid", skin: bronze, ears: .pointed, hair: .wavy,
      hairColor: 0x5E8A4A, eyeColor: 0xE0B040, expression: .gentle, mark: .paint,
      headgear: .antlers, outfit: .leaves, cloth: 0x5A9A46, trim: 0x8A5A34, prop: .crookedStaff,
      backdrop: 0x9A8A5A),
    GalleryCharacter(
      name: "oakley", profession: "Druid", skin: bronze, hair: .mane, hairColor: 0x8A7A6A,
      eyeColor: 0x6ABA5A, expression: .wise, beard: .full, headgear: .leafCrown, outfit: .fur,
      cloth: 0x7A5A3A, trim: 0x5A9A46, prop: .crookedStaff, backdrop: 0x4E7A6A),
    GalleryCharacter(
      name: "lyra", profession: "Druid", skin: porcelain, ears: .pointed, hair: .long,
      hairColor: 0xE08AA0, eyeColor: 0x4EA08A, expression: .cheerful, mark: .freckles,
      headgear: .flowerCrown, outfit: .leaves, cloth: 0x7AB05A, trim: 0xF0D060, prop: .none,
      backdrop: 0x6E8AC0),
    GalleryCharacter(
      name: "ulric", profession: "Druid", skin: tan, hair: .none, hairColor: raven,
      eyeColor: 0xD8A030, expression: .fierce, beard: .stubble, mark: .paint,
      headgear: .wolfHood, outfit: .fur, cloth: 0x8A8A92, trim: 0x5A6A7A, backdrop: 0x6A5A7E),
  ]

  private static let alchemists: [GalleryCharacter] = [
    GalleryCharacter(
      name: "tilda", profession: "Alchemist", skin: fair, hair: .curly, hairColor: copper,
      eyeColor: 0x5A9A4E, expression: .cheerful, mark: .freckles, headgear: .goggles,
      outfit: .coat, cloth: 0x8A5E3A, trim: brass, prop: .flask, backdrop: 0x5E7A9A),
    GalleryCharacter(
      name: "corvin", profession: "Alchemist", skin: fair, hair: .none, hairColor: raven,
      eyeColor: 0xC83A3A, expression: .calm, headgear: .plagueMask, outfit: .coat,
      cloth: 0x3E3E48, trim: 0xB0A080, prop: .flask, backdrop: 0x7A8A4E),
    GalleryCharacter(
      name: "professor-quill", profession: "Alchemist", skin: porcelain, hair: .spiky,
      hairColor: snow, eyeColor: 0x4A80B8, expression: .wide, beard: .moustache,
      headgear: .goggleEyes, outfit: .coat, cloth: 0xE8E4DC, trim: 0x6A9AB0, prop: .flask,
      backdrop: 0x8E5A7A),
  ]

  private static let travellers: [GalleryCharacter] = [
    GalleryCharacter(
      name: "lark", profession: "Traveller", skin: fair, hair: .swept, hairColor: gold,
      eyeColor: 0x4A8AC0, expression: .cheerful, headgear: .beret, outfit: .coat,
      cloth: 0x9A3E6E, trim: brass, prop: .lute, backdrop: 0x5A9A8A),
    GalleryCharacter(
      name: "captain-brine", profession: "Traveller", skin: tan, hair: .wavy, hairColor: raven,
      eyeColor: 0x5A8AA0, expression: .sly, beard: .goatee, mark: .eyePatch, headgear: .tricorn,
      outfit: .coat, cloth: 0x2E4A7A, trim: brass, prop: .sword, backdrop: 0xA05A4A),
    GalleryCharacter(
      name: "gruk", profession: "Traveller", skin: moss, ears: .pointed, hair: .mohawk,
      hairColor: raven, eyeColor: 0xE04A3A, expression: .fierce, mark: .tusks, outfit: .fur,
      cloth: 0x7A5236, trim: 0x8A8A8A, prop: .axe, backdrop: 0x8A6A5A),
    GalleryCharacter(
      name: "dagna", profession: "Traveller", skin: fair, hair: .braids, hairColor: copper,
      eyeColor: 0x6A8AB0, expression: .stern, mark: .freckles, headgear: .hornedHelm,
      outfit: .mail, cloth: 0x3E6A5A, trim: brass, prop: .axe, backdrop: 0x6A6E8A),
    GalleryCharacter(
      name: "balin", profession: "Traveller", skin: tan, hair: .short, hairColor: copper,
      eyeColor: 0x6A4A30, expression: .wise, beard: .braided, headgear: .none, outfit: .mail,
      cloth: 0x8A3E34, trim: brass, prop: .hammer, backdrop: 0x5E6E7A),
    GalleryCharacter(
      name: "queen-ysolt", profession: "Traveller", skin: ebony, hair: .curly, hairColor: raven,
      eyeColor: 0xC89038, expression: .calm, headgear: .crown, outfit: .fur, cloth: 0xA02E4E,
      trim: brass, backdrop: 0x4E3E7A),
    GalleryCharacter(
      name: "wren", profession: "Traveller", skin: bronze, hair: .bob, hairColor: chestnut,
      eyeColor: 0x6A4A2E, expression: .wide, mark: .glasses, outfit: .robe, cloth: 0x4A7A8A,
      trim: 0xE8E0D0, prop: .book, backdrop: 0xB0885A),
  ]
}
