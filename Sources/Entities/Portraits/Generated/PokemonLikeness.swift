/// What of a Pokémon its generated portrait shows.
public struct PokemonLikeness: Hashable, Sendable {
  /// The number in the National Pokédex; it decides all that the rest leaves open.
  public var number: Int
  /// The slug; it tells forms of one number apart.
  public var slug: String
  /// One or two types, the first one first.
  public var types: [String]
  /// The shape class of the Pokédex, such as `quadruped`.
  public var shape: String
  /// The colour class of the Pokédex, such as `green`.
  public var color: String
  /// The height in decimetres, where it is known.
  public var height: Int?
  /// 1 for what evolves from nothing, one more for each step.
  public var stage: Int

  /// A likeness from the facts of the Pokédex.
  public init(
    number: Int, slug: String = "", types: [String], shape: String, color: String,
    height: Int? = nil, stage: Int = 1
  ) {
    self.number = number
    self.slug = slug
    self.types = types
    self.shape = shape
    self.color = color
    self.height = height
    self.stage = stage
  }

  /// The same choices for the same Pokémon, always.
  var dice: DrawingDice { DrawingDice(number: number, word: slug) }

  /// How large it is drawn: 1 fills the picture.
  var scale: Double {
    let byStage = [0.92, 0.97, 1.03][min(max(stage, 1), 3) - 1]
    guard let height else { return byStage }
    // 4 dm and less are small, 20 dm and more are large.
    let byHeight = 0.88 + 0.16 * Double(min(max(height, 4), 20) - 4) / 16
    return (byStage + byHeight) / 2
  }
}
