/// What the command line asks for.
struct Options {
  var scale = Scale.full
  var rowNames: [String] = []
  var engineNames: [String] = []
  var parent = "/var/tmp"
  var listsRows = false
  var wantsHelp = false

  static let help = """
    usage: bench [--quick] [--row NAME]... [--engine NAME]... [--dir FOLDER] [--list]

      --quick        200,000 rows instead of a million and fewer repetitions; some minutes
      --row NAME     only the rows whose name begins with NAME
      --engine NAME  only this engine
      --dir FOLDER   where the databases go for the time of the run; /var/tmp if not given.
                     Choose a real disk: in memory, durable commits mean nothing
      --list         the rows, and what each one measures

    Prints a JSON object for each row and peer to standard output and a table to standard error.
    A ratio above 1 says that ours is better. Fails when two engines do not read the same.

    """

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      func value() throws -> String {
        guard let value = rest.next() else { throw BenchError("\(argument) needs a value") }
        return value
      }
      switch argument {
      case "--quick": scale = .quick
      case "--row": rowNames.append(try value())
      case "--engine": engineNames.append(try value())
      case "--dir": parent = try value()
      case "--list": listsRows = true
      case "--help", "-h": wantsHelp = true
      default: throw BenchError("unknown argument \(argument)")
      }
    }
  }

  /// The rows to be measured.
  func rows() throws -> [Row] {
    for name in rowNames where !Row.all.contains(where: { $0.name.hasPrefix(name) }) {
      throw BenchError("no row's name begins with \(name)")
    }
    if rowNames.isEmpty { return Row.all }
    return Row.all.filter { row in rowNames.contains { row.name.hasPrefix($0) } }
  }

  /// The engines that take part in a row.
  func engines(of field: Row.Field) -> [any Contestant.Type] {
    var engines: [any Contestant.Type] =
      switch field {
      case .stores: [LMDB.self, LevelDB.self]
      case .filters: [RoaringFilters.self, SQLiteFilters.self]
      case .names: [SQLiteNames.self]
      case .portraits: portraitPeers
      case .records: recordPeers
      case .quests: questPeers
      case .questRuns: questRunPeers
      }
    #if HAVE_PAGESTORE
      let ours: any Contestant.Type =
        switch field {
        case .stores: Ours.self
        case .filters: OurFilters.self
        case .names: OurNames.self
        case .portraits: OurPortraits.self
        case .records: OurRecords.self
        case .quests: OurQuests.self
        case .questRuns: OurQuestRuns.self
        }
      engines.insert(ours, at: 0)
    #endif
    if engineNames.isEmpty { return engines }
    return engines.filter { engineNames.contains($0.name) }
  }

  /// All engines that were asked for, each once by name.
  func allEngines() throws -> [any Contestant.Type] {
    var engines: [any Contestant.Type] = []
    for engine in Row.Field.allCases.flatMap({ self.engines(of: $0) })
    where !engines.contains(where: { $0.name == engine.name }) {
      engines.append(engine)
    }
    for name in engineNames where !engines.contains(where: { $0.name == name }) {
      throw BenchError("there is no engine \(name)")
    }
    return engines
  }
}
