import Entities
import Terminal

/// Pictures of a database, and where it has none of an enemy, those that are drawn by rule.
final class StoredWatchPictures: WatchPictures {
  private let quests: [Quest]
  private let snapshot: DatabaseSnapshot
  private var portraits: [Key: Portrait?] = [:]
  private var pictures: [Size: ScreenPicture] = [:]

  private enum Key: Hashable {
    case adventurer(UInt64)
    case species(Int)
  }

  private struct Size: Hashable {
    var key: Key
    var columns: Int
    var rows: Int
  }

  /// More are forgotten and made again.
  private static let most = 500

  init(_ quests: [Quest], _ snapshot: DatabaseSnapshot) {
    self.quests = quests
    self.snapshot = snapshot
  }

  func adventurer(_ place: Int, columns: Int, rows: Int) -> ScreenPicture? {
    let id = quests[place].fighter.id
    return picture(.adventurer(id), columns: columns, rows: rows) {
      try stored(try snapshot.get(Adventurer.self, EntityID(id))?.portrait)
    }
  }

  func enemy(_ species: EnemySpecies, columns: Int, rows: Int) -> ScreenPicture? {
    picture(.species(species.number), columns: columns, rows: rows) {
      let number = EntityID(UInt64(clamping: species.number))
      // Another name is one of a bestiary, of which nobody knows how it looks.
      guard let pokemon = try snapshot.get(Pokemon.self, number), pokemon.name == species.name
      else { return nil }
      if let picture = try stored(pokemon.portrait) { return picture }
      return PokemonPortrait.draw(
        PokemonLikeness(
          number: pokemon.number, slug: pokemon.slug, types: pokemon.types.map(\.name),
          shape: pokemon.shape.name, color: pokemon.color.name, height: pokemon.height))
    }
  }

  private func stored(_ id: EntityID?) throws -> Portrait? {
    guard let id else { return nil }
    return try snapshot.get(StoredPortrait.self, id)?.portrait()
  }

  private func picture(
    _ key: Key, columns: Int, rows: Int, _ load: () throws -> Portrait?
  ) -> ScreenPicture? {
    let size = Size(key: key, columns: columns, rows: rows)
    if let known = pictures[size] { return known }
    if pictures.count > Self.most { pictures = [:] }
    if portraits.count > Self.most { portraits = [:] }
    if portraits[key] == nil {
      do {
        portraits[key] = .some(try load())
      } catch {
        // A picture that cannot be read is no reason not to show the quest.
        portraits[key] = .some(nil)
      }
    }
    guard let portrait = portraits[key] ?? nil else { return nil }
    let picture = ScreenPicture(portrait, columns: columns, rows: rows)
    pictures[size] = picture
    return picture
  }
}
