import Entities
import Terminal

/// Finds the one record that somebody names by a name, a slug or a number.
struct RecordLookup {
  let snapshot: DatabaseSnapshot
  let reading: QueryReading

  struct Found: Equatable {
    var entity: String
    var id: EntityID
    /// What else has that name or number, in words.
    var others: [String] = []
  }

  private static let places = ["pokemon", "forms", "adventurers"]

  /// The record called `name`, in `entity` alone where that is given.
  func find(_ name: String, in entity: String?) throws -> Found {
    let present = try snapshot.entityNames()
    let places = entity.map { [$0] } ?? Self.places.filter(present.contains)
    let digits = name.hasPrefix("#") ? name.dropFirst() : name[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) {
      return try numbered(String(digits), places)
    }
    var exact: [Found] = []
    for place in places { exact += try matches(name, place, isWhole: true) }
    if let chosen = try choose(exact, name) { return chosen }
    var starting: [Found] = []
    for place in places { starting += try matches(name, place, isWhole: false) }
    // Forms are called like their species with a word before it, so they count only by themselves.
    let pokemon = starting.filter { $0.entity != "forms" }
    if let chosen = try choose(pokemon.isEmpty ? starting : pokemon, name) { return chosen }
    throw CommandFailure(
      "nothing is called '\(name)'",
      help: [
        try nearest(name, places).map { "did you mean '\($0)'?" }
          ?? "\(Program.name) find lists names that begin so; looked in "
          + places.joined(separator: ", ")
      ])
  }

  private func numbered(_ digits: String, _ places: [String]) throws -> Found {
    guard let number = UInt64(digits), number <= EntityID.limit.rawValue else {
      throw CommandFailure("nothing has the number \(digits)")
    }
    let id = EntityID(number)
    var found: [Found] = []
    for place in places where try snapshot.contains(place, id) {
      found.append(Found(entity: place, id: id))
    }
    guard var first = found.first else {
      throw CommandFailure(
        "nothing has the number \(digits)", help: ["looked in " + places.joined(separator: ", ")])
    }
    first.others = found.dropFirst().map { "\($0.entity) \($0.id)" }
    return first
  }

  /// The records of an entity whose own name or slug is `name`, or begins so.
  private func matches(_ name: String, _ entity: String, isWhole: Bool) throws -> [Found] {
    guard let known = reading.catalog.entities.first(where: { $0.name == entity }),
      let field = known.searchedField
    else { return [] }
    let path = FieldPath(field.name)
    let words = RecordName.words(of: name)
    if words.isEmpty { return [] }
    var query = Query(entity: entity)
    query.limit = 200
    query.filter =
      isWhole ? .text(path, words.joined(separator: " ")) : .words(path, words, isPhrase: false)
    var ids = try snapshot.findIDs(query)
    if isWhole, ids.count > 1 {
      // All forms are found by their species' name; those that bear it themselves come first.
      let own = try ids.filter { try bears(words, path, entity, $0) }
      if !own.isEmpty { ids = own }
    }
    return ids.map { Found(entity: entity, id: $0) }
  }

  private func bears(
    _ words: [String], _ path: FieldPath, _ entity: String, _ id: EntityID
  ) throws -> Bool {
    for path in [path, FieldPath("slug")] {
      guard try snapshot.schema(of: entity).field(named: path.name) != nil,
        case .text(let text)? = try snapshot.value(path, of: entity, id)
      else { continue }
      if RecordName.words(of: text) == words { return true }
    }
    return false
  }

  /// The one record, or the Pokémon among several; nil where there is none.
  private func choose(_ found: [Found], _ name: String) throws -> Found? {
    let first = found.filter { $0.entity == found.first?.entity }
    if first.isEmpty { return nil }
    let isOne = first.count == 1
    let isClear = isOne && (first.count == found.count || first[0].entity == "pokemon")
    guard isClear else {
      var lines: [String] = []
      for other in found.prefix(8) { lines.append(try described(other)) }
      if found.count > 8 { lines.append("and \(found.count - 8) more") }
      throw CommandFailure("'\(name)' could be one of \(found.count)", help: lines)
    }
    var chosen = first[0]
    chosen.others = try found.filter { $0.entity == "adventurers" && $0 != chosen }.prefix(3)
      .map(described)
    return chosen
  }

  private func described(_ found: Found) throws -> String {
    var text = "\(found.entity) \(found.id)"
    for field in ["name", "slug"] {
      guard try snapshot.schema(of: found.entity).field(named: field) != nil,
        case .text(let value)? = try snapshot.value(FieldPath(field), of: found.entity, found.id)
      else { continue }
      text += field == "name" ? " \(value)" : " (\(value))"
    }
    return text
  }

  /// More names are not looked through for one that is only near.
  private static let mostNames = 100_000

  /// The name of a record of `places` that is nearest to `name`; nil where none is near.
  func nearest(_ name: String, _ places: [String]) throws -> String? {
    var names: [String] = []
    for place in places where try snapshot.count(place) <= Self.mostNames {
      var query = Query(entity: place)
      query.columns = [.field(FieldPath("name"))]
      guard try snapshot.schema(of: place).field(named: "name") != nil else { continue }
      for row in try snapshot.find(query).rows {
        if case .text(let text)?? = row.values.first { names.append(text) }
      }
    }
    return NearestName.of(name, among: names)
  }
}

/// The words of a name as searches see them.
enum RecordName {
  static func words(of name: String) -> [String] { NearestName.foldedWords(of: name) }
}
