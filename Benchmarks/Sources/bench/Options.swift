/// What the command line asks for.
struct Options {
  var scale = Scale.full
  var isQuick = false
  var rowNames: [String] = []
  var engineNames: [String] = []
  var parent = "/var/tmp"
  var listsRows = false
  var wantsHelp = false
  /// The sizes at which rows are measured to see how they grow; nil for the usual rows.
  var sizes: [Int]?
  /// Files of results to be shown instead of measuring.
  var sources: [String] = []
  /// Where the results go as a page, and the document whose table they replace.
  var page: String?
  var document: String?

  static let help = """
    usage: bench [--quick] [--row NAME]... [--engine NAME]... [--dir FOLDER] [--html FILE]
           bench --growth [--quick] [--largest ROWS] [--row NAME]...
           bench --from RESULTS... [--html FILE] [--markdown DOCUMENT]
           bench --list

      --quick        smaller sizes and fewer repetitions: within five minutes
      --row NAME     only the rows whose name begins with NAME
      --engine NAME  only this engine
      --dir FOLDER   where the databases go for the time of the run; /var/tmp if not given.
                     Choose a real disk: in memory, durable commits mean nothing
      --rows N       so many rows in the stores instead of a million
      --redb-rows N  so many rows in the workload of redb's benchmark
      --rounds N     so many rounds of everything
      --growth       how cost grows: at 10,000, 100,000 and 1,000,000 rows, and with less memory
                     than the database has (for which it must be root)
      --largest N    the largest size of --growth; 10000000 takes about an hour and 8 GiB
      --html FILE    write a page with charts as well
      --from FILE    show results that were measured before, instead of measuring; may be given
                     more than once, also for lines that another program has written
      --markdown FILE  put the table of the results into the document, between its two marks
      --list         the rows, what each one measures, and what each engine checks in it

    Prints a JSON object for each row and peer to standard output and a table to standard error.
    A ratio above 1 says that ours is better. Fails when two engines do not read the same.

    """

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    var largest: Int?
    var isGrowing = false
    var changes: [(inout Scale) -> Void] = []
    while let argument = rest.next() {
      func value() throws -> String {
        guard let value = rest.next() else { throw BenchError("\(argument) needs a value") }
        return value
      }
      func count() throws -> Int {
        guard let count = Int(try value()), count >= 1 else {
          throw BenchError("\(argument) needs a number")
        }
        return count
      }
      switch argument {
      case "--quick": isQuick = true
      case "--row": rowNames.append(try value())
      case "--engine": engineNames.append(try value())
      case "--dir": parent = try value()
      case "--rows":
        let count = try count()
        changes.append { $0 = $0.resized(to: count) }
      case "--redb-rows":
        let count = try count()
        changes.append { $0.publishedRowCount = count }
      case "--rounds":
        let count = try count()
        changes.append { $0.setRounds(count) }
      case "--growth": isGrowing = true
      case "--largest": largest = try count()
      case "--html": page = try value()
      case "--from": sources.append(try value())
      case "--markdown": document = try value()
      case "--list": listsRows = true
      case "--help", "-h": wantsHelp = true
      default: throw BenchError("unknown argument \(argument)")
      }
    }
    scale = isQuick ? .quick : .full
    for change in changes { change(&scale) }
    if isGrowing {
      let limit = largest ?? (isQuick ? 100_000 : 1_000_000)
      sizes = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].filter { $0 <= limit }
    }
  }

  /// The rows to be measured, of those that there are.
  func chosen(of all: [Row]) throws -> [Row] {
    for name in rowNames where !all.contains(where: { $0.name.hasPrefix(name) }) {
      throw BenchError("no row's name begins with \(name)")
    }
    if rowNames.isEmpty { return all }
    return all.filter { row in rowNames.contains { row.name.hasPrefix($0) } }
  }

  /// The engines that take part in a row.
  func engines(of field: Row.Field) -> [any Contestant.Type] {
    let engines = field.engines
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
