/// A profession that gives an adventurer an attack type, and ranges for the first statistics.
public enum Profession: String, CaseIterable, Hashable, Sendable {
  case knight = "Knight"
  case wizard = "Wizard"
  case ranger = "Ranger"
  case rogue = "Rogue"
  case cleric = "Cleric"
  case monk = "Monk"
  case druid = "Druid"
  case alchemist = "Alchemist"

  /// Within which ends the statistics of a new adventurer lie, both included.
  public struct Ranges: Hashable, Sendable {
    /// The total hit points.
    public let hitPoints: ClosedRange<Int>
    /// In parts of 1/256.
    public let multiplier: ClosedRange<Int>
    /// The defense.
    public let defense: ClosedRange<Int>
    /// In parts of 1/256.
    public let evasion: ClosedRange<Int>
    /// The speed.
    public let speed: ClosedRange<Int>
  }

  /// The profession of that name, in any case, or nil.
  public init?(named name: String) {
    let name = name.lowercased()
    guard let found = Self.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
      return nil
    }
    self = found
  }

  /// The profession that may have been meant by a name that is none of them; nil where none is near.
  public static func near(_ name: String) -> Profession? {
    if Profession(named: name) != nil { return nil }
    return NearestName.of(name, among: allCases.map(\.rawValue)).flatMap { Profession(named: $0) }
  }

  /// The type of the attacks.
  public var attackType: PokemonType {
    switch self {
    case .knight: .steel
    case .wizard: .psychic
    case .ranger: .flying
    case .rogue: .dark
    case .cleric: .fairy
    case .monk: .fighting
    case .druid: .grass
    case .alchemist: .poison
    }
  }

  /// The ranges of a new adventurer of the profession.
  public var ranges: Ranges {
    switch self {
    case .knight: Ranges(110...140, 230...307, 80...110, 0...15, 40...60)
    case .wizard: Ranges(70...95, 333...435, 40...60, 10...26, 60...80)
    case .ranger: Ranges(85...110, 282...358, 55...75, 20...36, 80...100)
    case .rogue: Ranges(75...100, 307...384, 45...65, 31...51, 90...110)
    case .cleric: Ranges(90...120, 205...282, 65...90, 10...20, 50...70)
    case .monk: Ranges(95...125, 282...358, 60...80, 15...31, 75...95)
    case .druid: Ranges(85...115, 256...333, 60...80, 10...26, 60...80)
    case .alchemist: Ranges(75...100, 307...384, 50...70, 10...26, 55...75)
    }
  }

  /// The ranges of a new adventurer of any other profession, whose attacks have no type.
  public static let rangesOfOthers = Ranges(80...120, 230...358, 50...80, 10...26, 55...85)
}

extension Profession.Ranges {
  fileprivate init(
    _ hitPoints: ClosedRange<Int>, _ multiplier: ClosedRange<Int>, _ defense: ClosedRange<Int>,
    _ evasion: ClosedRange<Int>, _ speed: ClosedRange<Int>
  ) {
    self.hitPoints = hitPoints
    self.multiplier = multiplier
    self.defense = defense
    self.evasion = evasion
    self.speed = speed
  }
}
