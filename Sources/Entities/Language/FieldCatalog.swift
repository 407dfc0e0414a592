/// What queries can speak of: the entities of a database, and the fields of each by name.
public struct FieldCatalog: Sendable {
  /// The entities, in the order in which messages name them.
  public var entities: [CatalogEntity]
  /// The entity that a query without `from:` asks; nil where each query must name one.
  public var defaultEntity: String?
  /// The languages of translated names; empty where any may be named.
  public var languages: [String]
  /// Names in the data that look like a field and its value, such as `Type: Null`.
  public var misleadingNames: [String]
  /// Says whether a field that no closed list stands for can have a value: nil where it can, or
  /// else the values that somebody may have meant.
  ///
  /// It is asked about names and about texts that are compared as a whole.
  public var namesInstead:
    (@Sendable (_ entity: String, _ field: String, _ value: String) -> [String]?)?

  /// A catalog of `entities`, the first of which is asked by default.
  public init(
    entities: [CatalogEntity], defaultEntity: String? = nil, languages: [String] = [],
    misleadingNames: [String] = []
  ) {
    self.entities = entities
    self.defaultEntity = defaultEntity ?? entities.first?.name
    self.languages = languages
    self.misleadingNames = misleadingNames
  }

  /// Values of a field that no closed list stands for and that look like `part`.
  func values(_ entity: CatalogEntity, _ path: FieldPath, like part: TermValue) -> [String] {
    let word = TextPattern.words(of: part).joined(separator: "-")
    return namesInstead?(entity.name, path.name, word) ?? []
  }

  /// The entities whose names begin with `start`, in any case; the one alone that is `start`.
  public func entities(startingWith start: String) -> [CatalogEntity] {
    let start = start.lowercased()
    if let exact = entities.first(where: { $0.name.lowercased() == start }) { return [exact] }
    return start.isEmpty ? [] : entities.filter { $0.name.lowercased().hasPrefix(start) }
  }
}

/// An entity as queries see it: stored and derived fields alike.
public struct CatalogEntity: Sendable {
  /// What `from:` calls it.
  public var name: String
  /// Stored and derived fields, in the order in which they are shown.
  public var fields: [CatalogField]

  /// The entity `name` with `fields` in the order in which they are shown.
  public init(name: String, fields: [CatalogField]) {
    self.name = name
    self.fields = fields
  }

  /// The field that bare words search: `name`, or else the first text; nil where there is no text.
  public var searchedField: CatalogField? {
    if let field = field(named: "name"), field.kind == .text { return field }
    return fields.first { $0.kind == .text }
  }

  /// The field of that name, alias or short name, in any case.
  public func field(named name: String) -> CatalogField? {
    let name = name.lowercased()
    if let field = fields.first(where: { $0.name.lowercased() == name }) { return field }
    if let field = fields.first(where: { $0.aliases.contains(name) }) { return field }
    guard let group = ShortNames.group(of: name) else { return nil }
    for other in group {
      if let field = fields.first(where: { $0.name == other || $0.aliases.contains(other) }) {
        return field
      }
    }
    return nil
  }

  /// The names of flags: those after `is:` or `has:`.
  package func flagNames(after prefix: String) -> [String] {
    let own = fields.filter { $0.name.hasPrefix(prefix) }.map {
      String($0.name.dropFirst(prefix.count))
    }
    let others = fields.filter { field in
      !field.name.contains(":")
        && (prefix == "is:" ? field.kind == .flag : field.argumentNames.isEmpty)
    }
    // `is:baby` is there for a flag called `is_baby`.
    return (own + others.map(\.name)).withoutRepeats.filter { name in
      !own.contains { "is_" + $0 == name }
    }
  }

  /// What messages call the fields.
  var displayNames: [String] {
    fields.map(\.displayName).filter { !$0.contains(":") }.withoutRepeats
  }

  /// Every name by which a field can be called, the usual ones first.
  var callableNames: [String] {
    let fields = fields.filter { !$0.name.contains(":") }
    return fields.map(\.displayName) + fields.map(\.name) + fields.flatMap(\.aliases)
      + ShortNames.all.filter { field(named: $0) != nil }
  }
}

/// A field as queries see it.
public struct CatalogField: Equatable, Sendable {
  /// What a value in a query is taken for.
  public enum Kind: Equatable, Sendable {
    /// A number of any size.
    case number
    /// A number of a closed range that stands for a category, such as a generation.
    case category(ClosedRange<Int64>)
    /// Milliseconds since the beginning of 1970, written as a day.
    case date
    /// Yes or no.
    case flag
    /// A text that is found by the start of its words.
    case text
    /// A text that is compared as a whole and never by its start, such as a family.
    case whole
    /// One name of a closed list.
    case name([String])
    /// Several names, of a closed list where there is one.
    case names([String]?)
    /// Something that only `has:` can ask for.
    case opaque
  }

  /// What filters call it; flags of the language begin with `is:` or `has:`.
  public var name: String
  /// Other names, in lower case.
  public var aliases: [String]
  /// What its values are taken for.
  public var kind: Kind
  /// Of how many parts a whole is kept in, where equality is meant to the nearest part; nil where
  /// numbers are compared as they are written.
  public var denominator: Int64?
  /// What may follow the name and a dot, such as the types after `takes.`; it must, if any may.
  public var argumentNames: [String]

  /// The field `name`.
  public init(
    _ name: String, _ kind: Kind, aliases: [String] = [], argumentNames: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.aliases = aliases
    self.argumentNames = argumentNames
  }

  var isNumeric: Bool {
    switch kind {
    case .number, .category, .date: true
    default: false
    }
  }

  /// What the field is called in messages: the short name of a column, such as `type`.
  public var displayName: String {
    guard let usual = ShortNames.group(of: name)?.first, usual.count <= name.count else {
      return name
    }
    return usual
  }

  /// A comparison with a number that makes sense for the field, called `name`.
  func example(_ name: String) -> String {
    if case .category(let range) = kind { return "\(name)>=\(range.lowerBound + 1)" }
    return "\(name)>=\(argumentNames.isEmpty ? 100 : 2)"
  }
}

extension CatalogField {
  /// A stored field.
  public init(_ field: FieldDefinition) {
    self.init(field.name, Self.kind(of: field), aliases: field.aliases)
    if case .decimal(let parts) = field.kind { denominator = Int64(parts) }
  }

  /// A number of a range this small stands for a category: other values are slips.
  private static let categoryLimit = 64

  private static func kind(of field: FieldDefinition) -> Kind {
    switch field.kind {
    case .integer:
      for case .range(let lower, let upper) in field.rules where lower <= upper {
        let (width, isTooWide) = upper.subtractingReportingOverflow(lower)
        if !isTooWide, width < Self.categoryLimit { return .category(lower...upper) }
      }
      return .number
    case .decimal, .real, .reference: return .number
    case .flag: return .flag
    case .text, .translations: return .text
    case .vocabulary(let names): return .name(names)
    case .names(let names): return .names(names)
    case .date: return .date
    case .bytes: return .opaque
    }
  }
}

extension [String] {
  /// Each once, where it stands first.
  fileprivate var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

/// The short names by which the usual fields can be called in every entity that has them.
public enum ShortNames {
  /// Names of one thing, the one that messages use first.
  static let groups: [[String]] = [
    ["name", "n"], ["type", "t", "types"], ["number", "no", "dex", "#", "id"],
    ["generation", "gen", "g"], ["hp", "hit_points"], ["atk", "attack"], ["def", "defense"],
    ["spa", "special_attack", "spatk"], ["spd", "special_defense", "spdef"], ["spe", "speed"],
    ["bst", "total"], ["ability", "abilities"], ["egg", "egg_groups"], ["height", "height_dm"],
    ["weight", "weight_hg"], ["class", "prof", "profession"], ["xp", "experience"],
  ]

  static let all = groups.flatMap(\.self)

  static func group(of name: String) -> [String]? { groups.first { $0.contains(name) } }
}
