internal import Entities

/// An option of the program or of a command.
package struct OptionDefinition: Sendable {
  /// With its hyphens: `--format`.
  package var name: String
  /// Such as `-q`; nil where there is none.
  package var short: String?
  /// What stands for the value in the help; nil where the option takes none.
  package var value: String?
  /// The values that it can have; empty where any will do.
  package var choices: [String]
  package var help: String

  package init(
    _ name: String, short: String? = nil, value: String? = nil, choices: [String] = [],
    _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.choices = choices
    self.help = help
  }

  /// The option as the help shows it.
  package var usage: String {
    let names = (short.map { "\($0), " } ?? "") + name
    return value.map { "\(names) \($0)" } ?? names
  }
}

/// What stood behind a command: its options and its operands.
package struct ParsedArguments: Sendable {
  package private(set) var values: [String: [String]] = [:]
  package var operands: [String] = []

  package init() {}

  package func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value of an option.
  package subscript(name: String) -> String? { values[name]?.last }

  /// The values of an option that may be repeated, in their order.
  package func all(_ name: String) -> [String] { values[name] ?? [] }

  package mutating func set(_ name: String, _ value: String) {
    values[name, default: []].append(value)
  }
}

/// Reads options, which may stand anywhere before `--`.
package struct ArgumentReader {
  package let options: [OptionDefinition]
  /// `dexdb find`, for complaints.
  package let command: String
  /// The options of the program, beside those of the command.
  private let globals: [OptionDefinition]
  /// True where the operands are a search, of which a word can begin with a minus.
  private let searches: Bool
  /// Options that only stand before a shell, and what to write instead in it.
  private let outside: [OptionDefinition]
  package private(set) var parsed = ParsedArguments()
  /// Those of the program, also from before the command.
  package private(set) var parsedGlobals: ParsedArguments

  package init(
    _ options: [OptionDefinition], command: String, globals: [OptionDefinition] = [],
    before: ParsedArguments = ParsedArguments(), searches: Bool = true,
    outside: [OptionDefinition] = []
  ) {
    self.options = options
    self.globals = globals
    self.command = command
    parsedGlobals = before
    self.searches = searches
    self.outside = outside
  }

  /// Takes options from `arguments` until an operand; returns the place of that.
  package mutating func readOptions(_ arguments: [String]) throws -> Int {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if argument == "--" { return index + 1 }
      if argument == "-" || !argument.hasPrefix("-") || Self.isQuery(argument) { return index }
      index += try argument.hasPrefix("--") ? long(arguments, index) : short(arguments, index)
    }
    return index
  }

  /// Takes all of `arguments`; what follows the options are operands.
  package mutating func readAll(_ arguments: [String]) throws {
    let start = try readOptions(arguments)
    parsed.operands = Array(arguments[start...])
    if start > 0, arguments[start - 1] == "--" { return }
    try takeOptionsBehind()
  }

  /// Takes options from among the operands, up to `--`.
  ///
  /// What looks like one and is none would be left out of a search, and `delete` would find the rest.
  private mutating func takeOptionsBehind() throws {
    let words = parsed.operands
    var kept: [String] = []
    var index = 0
    while index < words.count, words[index] != "--" {
      let word = words[index]
      if word.hasPrefix("--") {
        index += try long(words, index)
      } else if word.count == 2, word.hasPrefix("-"), word.last?.isLetter == true {
        index += try short(words, index)
      } else {
        kept.append(word)
        index += 1
      }
    }
    parsed.operands = kept + words[index...]
  }

  /// True for what begins with a minus and is a term of the query language: `-is:final`, `-(a b)`,
  /// `-*saur*`.
  package static func isQuery(_ argument: String) -> Bool {
    let scalars = argument.unicodeScalars.drop { $0 == "-" || $0 == "(" }
    if argument.hasPrefix("-("), !scalars.isEmpty { return true }
    if argument.hasPrefix("-\"") || argument.hasPrefix("-*") { return true }
    guard let first = scalars.first, first.properties.isAlphabetic || first == "#" else {
      return false
    }
    let rest = scalars.drop {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "-_.+#".unicodeScalars.contains($0)
    }
    guard let mark = rest.first else { return false }
    // `--format=csv` is an option, `-format=csv` a comparison.
    if argument.hasPrefix("--"), mark == "=" { return false }
    return ":=!<>".unicodeScalars.contains(mark)
  }

  private mutating func long(_ arguments: [String], _ index: Int) throws -> Int {
    let parts = arguments[index].split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let option = try option(String(parts[0]))
    if parts.count == 2 {
      if option.value == nil {
        throw CommandFailure.usage("\(option.name) takes no value", "write \(option.name) alone")
      }
      try set(option, String(parts[1]))
      return 1
    }
    return try value(of: option, arguments, index)
  }

  private mutating func short(_ arguments: [String], _ index: Int) throws -> Int {
    let name = String(arguments[index].prefix(2))
    let option = try option(name, in: arguments[index])
    let rest = String(arguments[index].dropFirst(2))
    if rest.isEmpty { return try value(of: option, arguments, index) }
    if option.value == nil { throw unknown(arguments[index]) }
    try set(option, rest)
    return 1
  }

  private mutating func value(
    of option: OptionDefinition, _ arguments: [String], _ index: Int
  ) throws -> Int {
    guard let name = option.value else {
      note(option, "")
      return 1
    }
    guard index + 1 < arguments.count else {
      throw CommandFailure.usage("\(option.name) needs a value", "write \(option.name) \(name)")
    }
    try set(option, arguments[index + 1])
    return 2
  }

  private mutating func set(_ option: OptionDefinition, _ value: String) throws {
    if !option.choices.isEmpty, !option.choices.contains(value) {
      throw CommandFailure.usage(
        "\(option.name) cannot be '\(value)'",
        help: NearestName.help(for: value, among: option.choices))
    }
    note(option, value)
  }

  private mutating func note(_ option: OptionDefinition, _ value: String) {
    if options.contains(where: { $0.name == option.name }) {
      parsed.set(option.name, value)
    } else {
      parsedGlobals.set(option.name, value)
    }
  }

  private func option(_ name: String, in argument: String? = nil) throws -> OptionDefinition {
    guard
      let option = (options + globals).first(where: { $0.name == name || $0.short == name })
    else {
      throw unknown(argument ?? name)
    }
    return option
  }

  /// What queries say themselves, and other programs by options.
  private static let directives: Set = [
    "limit", "offset", "sort", "order", "show", "group", "lang",
  ]

  private func unknown(_ name: String) -> CommandFailure {
    let names = (options + globals).map(\.name) + ["--help"]
    var help = ["\(command) --help lists the options"]
    if let option = outside.first(where: { $0.name == name || $0.short == name }) {
      let usage = option.name + (option.value.map { " \($0)" } ?? "")
      return .usage(
        "'\(name)' is an option of the program", "write it before the shell: dexdb \(usage) shell")
    }
    if let near = NearestName.of(name, among: names) {
      help.insert("did you mean '\(near)'?", at: 0)
    }
    if Self.directives.contains(String(name.dropFirst(2))) {
      help.append("in a query, \(name.dropFirst(2)) is a word of it: \(name.dropFirst(2)):…")
    } else if searches, !name.hasPrefix("--") {
      help.append("to leave words out of a search, write -- \(name)")
    }
    return .usage("no option '\(name)'", help: help)
  }
}
