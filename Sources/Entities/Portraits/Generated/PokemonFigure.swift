/// The parts of a generated Pokémon, and the places where more can be put.
///
/// Coordinates are those of the right half: x counts from the axis of symmetry, y from the top of
/// 48 rows, and the figure stands on row 45.
struct PokemonFigure {
  /// What a part is made of.
  enum Tint {
    case body, belly, accent, trim
    /// A colour of its own.
    case own(UInt32)
  }

  struct Part {
    var silhouette: Silhouette
    var tint: Tint
    var roundness = 8.0
    var outline = PixelCanvas.Outline.full
    var relief: Silhouette?

    init(
      _ silhouette: Silhouette, _ tint: Tint = .body, roundness: Double = 8,
      outline: PixelCanvas.Outline = .full, relief: Silhouette? = nil
    ) {
      self.silhouette = silhouette
      self.tint = tint
      self.roundness = roundness
      self.outline = outline
      self.relief = relief
    }
  }

  /// Where the eyes and the mouth are.
  struct Face {
    var eyeX: Double
    var eyeY: Double
    var mouthY: Double
  }

  /// Painted in this order: what is behind, the body, what is on it, the head, what is before.
  var back: [Part] = []
  var body: [Part] = []
  var head: Silhouette
  var headRoundness = 11.0
  /// Painted before the head, such as paws.
  var front: [Part] = []
  var face: Face
  /// More faces, such as those of two heads beside the middle one.
  var sideFaces: [Face] = []
  /// The part that carries patterns and a belly, which is the head where there is no other.
  var torso: Silhouette
  var belly: Silhouette?

  /// The top of the head on the axis.
  var crownY: Double
  /// The side of the head, where ears sit.
  var temple: CanvasPoint
  /// Where wings and arms begin.
  var shoulder: CanvasPoint
  /// Where the body stands.
  var hip: CanvasPoint
  /// Which faces look well on it.
  var hasBeak = false
  var hasCompoundEyes = false
}
