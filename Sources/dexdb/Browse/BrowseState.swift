import Entities
import Terminal

/// All that `browse` knows at one moment: what is shown, and what is chosen in it.
///
/// It changes by keys and by nothing else, and what it asks a `BrowseSource` depends on the
/// source's snapshot alone: the same keys on the same data always show the same.
struct BrowseState: Equatable {
  /// The two lists between which Tab changes.
  enum Realm: String, CaseIterable {
    case pokemon, adventurers

    var entity: String { rawValue }
    var title: String { self == .pokemon ? "Pokémon" : "Adventurers" }
    var other: Realm { self == .pokemon ? .adventurers : .pokemon }
  }

  /// What lies over the list.
  enum Page: Equatable {
    case details(DetailsPage)
    case types(TypeChoice)
    case sort(SortChoice)
    case recruit(AdventurerForm)
    case change(AdventurerForm)
    case question(Question, EntityID, name: String)
    case help(top: Int)

    /// True where text can be typed.
    var takesText: Bool {
      switch self {
      case .recruit, .change: true
      default: false
      }
    }
  }

  /// What is asked before it is done, since a name that is typed or pasted where the list has the keys
  /// may begin with the letter for it.
  enum Question: Equatable {
    case deletion, quest
  }

  /// What the loop is asked to do.
  enum Effect: Equatable {
    /// Gives the key again once the list that it means is there.
    case later
    /// Ends the program, with a line for standard output or without.
    case leave(command: String?)
    case save(AdventurerForm)
    case delete(EntityID)
    case quest(EntityID)
  }

  /// What is said until the next key.
  struct Notice: Equatable {
    var text: String
    var isComplaint: Bool
  }

  var columns: Int
  var rows: Int
  let abilities: ScreenAbilities
  var realm = Realm.pokemon
  var pokemon = BrowseList(realm: .pokemon)
  var adventurers = BrowseList(realm: .adventurers)
  var pages: [Page] = []
  var notice: Notice?
  /// Why records may not be changed; nil where they may.
  var refusal: String?
  /// Why nobody can be sent on a quest, though records may be changed; nil where one can be.
  var questRefusal: String?

  init(
    columns: Int, rows: Int, abilities: ScreenAbilities, query: String = "",
    realm: Realm = .pokemon
  ) {
    self.columns = columns
    self.rows = rows
    self.abilities = abilities
    self.realm = realm
    list.setLine(query)
  }

  /// Asks everything anew, as of another database.
  mutating func forgetAnswers() {
    pokemon.forgetAnswer()
    adventurers.forgetAnswer()
  }

  /// The list of the present realm.
  var list: BrowseList {
    get { realm == .pokemon ? pokemon : adventurers }
    set {
      if realm == .pokemon { pokemon = newValue } else { adventurers = newValue }
    }
  }

  var layout: BrowseLayout {
    BrowseLayout(
      columns: columns, rows: rows, abilities: abilities, realm: realm, isGrid: list.isGrid)
  }

  /// Why a key for adventurers does nothing; nil where it does what it is for.
  func refusal(of letter: Character) -> String? {
    refusal ?? (letter == "Q" ? questRefusal : nil)
  }

  mutating func say(_ text: String) { notice = Notice(text: text, isComplaint: false) }

  mutating func complain(_ text: String) { notice = Notice(text: text, isComplaint: true) }

  // MARK: Keys

  /// Changes by a key; what is more than that is for the loop to do.
  mutating func handle(_ key: ScreenKey, _ source: BrowseSource) throws -> Effect? {
    notice = nil
    if !layout.isLargeEnough {
      return key == .character("q") && quitLeaves ? .leave(command: nil) : nil
    }
    guard let page = pages.last else { return try handleInList(key, source) }
    if case .pasted = key, !page.takesText {
      say("what is pasted goes into a search or a form")
      return nil
    }
    switch page {
    case .details(let details): return try handle(key, details, source)
    case .types(let choice): try handle(key, choice, source)
    case .sort(let choice): handle(key, choice)
    case .recruit(let form), .change(let form): return try handle(key, form, source)
    case .question(let question, let id, _):
      pages.removeLast()
      // A capital, which hardly follows within a name.
      let isMeant = key == .character("Y")
      switch question {
      case .deletion:
        if isMeant { return .delete(id) }
        say("nothing was deleted")
      case .quest:
        if isMeant { return .quest(id) }
        say("nobody went anywhere")
      }
    case .help(let top): handleInHelp(key, top)
    }
    return nil
  }

  /// True where `q` ends the program, and is neither text nor the end of something else.
  var quitLeaves: Bool {
    switch pages.last {
    case .details?: true
    case nil: !list.isTyping
    default: false
    }
  }

  mutating func replacePage(_ page: Page) { pages[pages.count - 1] = page }

  private mutating func handleInHelp(_ key: ScreenKey, _ top: Int) {
    let most = max(0, HelpPage.lineCount(self) - HelpPage.room(in: layout))
    switch key {
    case .up: replacePage(.help(top: max(0, top - 1)))
    case .down: replacePage(.help(top: min(most, top + 1)))
    case .pageUp: replacePage(.help(top: max(0, top - HelpPage.room(in: layout))))
    case .pageDown, .character(" "):
      replacePage(.help(top: min(most, top + HelpPage.room(in: layout))))
    default: pages.removeLast()
    }
  }
}
