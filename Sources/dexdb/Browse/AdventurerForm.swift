import Entities
import Terminal

/// The form by which an adventurer is recruited or changed.
struct AdventurerForm: Equatable {
  enum Purpose: Equatable {
    /// The number that the adventurer will have, which decides with the seed what is rolled.
    case recruit(EntityID)
    case change(EntityID, Adventurer)
  }

  enum Field: Equatable {
    case name, profession, level, hitPoints, seed, portrait, done
  }

  let purpose: Purpose
  var focus = Field.name
  var name = TypedLine()
  var profession = TypedLine()
  /// A profession that somebody means as it is, though a known one is near.
  private var keptProfession: String?
  var level = TypedLine()
  var hitPoints = TypedLine()
  var seed = TypedLine()
  /// The portrait that somebody chose; nil for one that suits the profession, or for the old one.
  var portrait: String?
  /// What is wrong with a field.
  private(set) var complaint: Complaint?

  struct Complaint: Equatable {
    var field: Field
    var text: String
  }

  init(recruitIn source: BrowseSource) throws {
    var query = Query(entity: Adventurer.schema.name)
    query.offset = max(0, try source.population(.adventurers) - 1)
    query.limit = 1
    let last = try source.snapshot.findIDs(query)
    purpose = .recruit(EntityID((last.first?.rawValue ?? 0) + 1))
    seed = TypedLine("\(source.newSeed())")
  }

  init(changing adventurer: Adventurer, id: EntityID) {
    purpose = .change(id, adventurer)
    name = TypedLine(adventurer.name)
    profession = TypedLine(adventurer.profession)
    level = TypedLine("\(adventurer.level)")
    hitPoints = TypedLine("\(adventurer.currentHitPoints)")
  }

  var isRecruit: Bool {
    if case .recruit = purpose { return true }
    return false
  }

  var fields: [Field] {
    isRecruit
      ? [.name, .profession, .seed, .portrait, .done]
      : [.name, .profession, .level, .hitPoints, .portrait, .done]
  }

  // MARK: Professions

  /// A profession near to the one that was typed, unless that is kept as it is.
  private var doubtful: String? {
    let typed = Self.trimmed(profession)
    if typed == keptProfession { return nil }
    if case .change(_, let old) = purpose, old.profession == typed { return nil }
    return Profession.near(typed)?.rawValue
  }

  /// The professions with rules of their own that begin as what was typed.
  var professions: [String] {
    let typed = profession.text.lowercased()
    return Profession.allCases.map(\.rawValue).filter { $0.lowercased().hasPrefix(typed) }
  }

  /// What would complete the profession.
  var completion: String? {
    guard !profession.isEmpty, let first = professions.first else { return nil }
    let rest = first.dropFirst(profession.text.count)
    return rest.isEmpty ? nil : String(rest)
  }

  private mutating func chooseProfession(_ step: Int) {
    if let doubtful {
      profession = TypedLine(doubtful)
      complaint = nil
      return
    }
    let all = Profession.allCases.map(\.rawValue)
    let typed = profession.text.lowercased()
    let present = all.firstIndex { $0.lowercased() == typed }
    let start = all.firstIndex { !typed.isEmpty && $0.lowercased().hasPrefix(typed) }
    let next =
      present.map { ($0 + step + all.count) % all.count } ?? start ?? (step > 0 ? 0 : all.count - 1)
    profession = TypedLine(all[next])
  }

  // MARK: Portraits

  /// The portraits to choose from: those for the profession first.
  var gallery: [String] {
    let suiting = PortraitGallery.names(ofProfession: profession.text)
    return suiting + PortraitGallery.names.filter { !suiting.contains($0) }
  }

  /// The chosen portrait; nil where a changed adventurer keeps the old one.
  var portraitName: String? {
    if let portrait { return portrait }
    guard case .recruit(let id) = purpose else { return nil }
    let suiting = PortraitGallery.names(ofProfession: profession.text)
    return suiting.isEmpty ? nil : suiting[Int(id.rawValue % UInt64(suiting.count))]
  }

  private mutating func choosePortrait(_ step: Int) {
    let gallery = gallery
    if gallery.isEmpty { return }
    let place = portraitName.flatMap { gallery.firstIndex(of: $0) } ?? (step > 0 ? -1 : 0)
    portrait = gallery[(place + step + gallery.count) % gallery.count]
  }

  // MARK: The adventurer

  /// The adventurer that would be saved now.
  var adventurer: Adventurer {
    switch purpose {
    case .recruit(let id):
      return Adventurer.recruit(
        name: Self.trimmed(name), profession: Self.trimmed(profession),
        seed: UInt64(seed.text) ?? 0, id: id)
    case .change(_, let old):
      var changed = old
      changed.name = Self.trimmed(name)
      changed.profession = Self.trimmed(profession)
      changed.level = Int(level.text) ?? old.level
      changed.currentHitPoints = Int(hitPoints.text) ?? old.currentHitPoints
      return changed
    }
  }

  /// What was typed, without blanks at its ends.
  private static func trimmed(_ line: TypedLine) -> String {
    let rest = line.characters.drop(while: \.isWhitespace)
    let end = rest.lastIndex { !$0.isWhitespace }
    return end.map { String(rest[...$0]) } ?? ""
  }

  /// True where all is well; else says what is wrong, and goes there.
  mutating func check() -> Bool {
    complaint = nil
    for field in fields where complaint == nil {
      complaint = self.complaint(about: field).map { Complaint(field: field, text: $0) }
    }
    if let complaint { focus = complaint.field }
    return complaint == nil
  }

  private func complaint(about field: Field) -> String? {
    if field == .profession, let near = doubtful {
      return "did you mean \(near)? Down takes it, Ctrl-N keeps \(Self.trimmed(profession))"
    }
    return switch field {
    case .name: Self.complaint(about: Self.trimmed(name), "a name")
    case .profession: Self.complaint(about: Self.trimmed(profession), "a profession")
    case .seed: UInt64(seed.text) == nil ? "a seed is a whole number" : nil
    case .level: Self.complaint(about: level.text, 1...200)
    case .hitPoints: Self.complaint(about: hitPoints.text, 0...adventurer.totalHitPoints)
    case .portrait, .done: nil
    }
  }

  private static func complaint(about text: String, _ what: String) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "\(what) is needed" }
    return text.utf8.count > 255 ? "at most 255 bytes, not \(text.utf8.count)" : nil
  }

  private static func complaint(about text: String, _ range: ClosedRange<Int>) -> String? {
    guard let number = Int(text), range.contains(number) else {
      return "a number from \(range.lowerBound) to \(range.upperBound)"
    }
    return nil
  }

  // MARK: Keys

  enum Outcome: Equatable { case goesOn, cancelled, finished }

  mutating func handle(_ key: ScreenKey, newSeed: () -> UInt64) -> Outcome {
    switch key {
    case .escape: return .cancelled
    case .tab: leave(by: 1)
    case .backTab: leave(by: -1)
    case .control("r"):
      if isRecruit { seed = TypedLine("\(newSeed())") }
    case .control("n"):
      if focus == .profession, doubtful != nil {
        keptProfession = Self.trimmed(profession)
        leave(by: 1)
      }
    case .enter:
      if focus == .done { return check() ? .finished : .goesOn }
      leave(by: 1)
    case .up, .down:
      let step = key == .down ? 1 : -1
      if focus == .profession { chooseProfession(step) } else { leave(by: step) }
    default: edit(key)
    }
    return .goesOn
  }

  /// Goes to another field; one that is left blank says so at once.
  private mutating func leave(by step: Int) {
    let place = fields.firstIndex(of: focus) ?? 0
    if step > 0, let text = complaint(about: focus) {
      complaint = Complaint(field: focus, text: text)
      return
    }
    complaint = nil
    focus = fields[(place + step + fields.count) % fields.count]
  }

  private mutating func edit(_ key: ScreenKey) {
    if complaint?.field == focus { complaint = nil }
    switch focus {
    case .name: _ = name.handle(key)
    case .profession:
      if key == .right, profession.position == profession.characters.count, completion != nil {
        profession = TypedLine(professions[0])
      } else {
        _ = profession.handle(key)
      }
    case .level: _ = level.handle(key)
    case .hitPoints: _ = hitPoints.handle(key)
    case .seed: _ = seed.handle(key)
    case .portrait:
      switch key {
      case .left: choosePortrait(-1)
      case .right, .character(" "): choosePortrait(1)
      default: break
      }
    case .done: break
    }
  }
}

extension BrowseState {
  mutating func handle(
    _ key: ScreenKey, _ form: AdventurerForm, _ source: BrowseSource
  ) throws -> Effect? {
    var form = form
    switch form.handle(key, newSeed: source.newSeed) {
    case .cancelled:
      pages.removeLast()
      say("nothing was saved")
      return nil
    case .goesOn:
      replacePage(form.isRecruit ? .recruit(form) : .change(form))
      return nil
    case .finished: return .save(form)
    }
  }
}
