/// Portraits that come with the library, drawn for adventurers.
public enum PortraitGallery {
  /// The width and the height of each, in pixels.
  public static let side = 48

  /// The names of all, grouped by profession; they stay what they are.
  public static let names: [String] = GalleryCast.all.map(\.name)

  /// The portrait of that name, in lower case, or nil where there is none.
  public static func portrait(named name: String) -> Portrait? {
    GalleryCast.all.first { $0.name == name }.map { character in
      var bust = BustPainter(character)
      return bust.draw()
    }
  }

  /// The profession for which the portrait of that name was drawn, such as `Wizard`.
  public static func profession(ofPortraitNamed name: String) -> String? {
    GalleryCast.all.first { $0.name == name }?.profession
  }

  /// The names of the portraits drawn for a profession, upper or lower case.
  ///
  /// Where none was drawn for it, those of travellers, which suit anybody.
  public static func names(ofProfession profession: String) -> [String] {
    let wanted = profession.lowercased()
    let found = GalleryCast.all.filter { $0.profession.lowercased() == wanted }.map(\.name)
    return found.isEmpty
      ? GalleryCast.all.filter { $0.profession == "Traveller" }.map(\.name) : found
  }
}
