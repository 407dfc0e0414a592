import Glibc
import Testing

/// Another reader of what reports write.
private enum Python {
  static let path: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    (path: String) in
    access(path, X_OK) == 0
  }

  /// What a script writes, given a file as its argument.
  static func output(_ script: String, _ programs: Programs, _ text: String) -> [String] {
    let source = programs.write(Array(script.utf8), to: "script.py")
    let file = programs.write(Array(text.utf8), to: "input")
    guard let path, let pipe = popen("\(path) '\(source)' '\(file)' 2>&1", "r") else { return [] }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte >= 0 { bytes.append(UInt8(byte)) }
    pclose(pipe)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

@Suite struct `Reports and watching by the program` {
  private let programs = Programs()

  private func quest(_ arguments: [String], in name: String = "a.dex") -> ProgramRun {
    programs.run("questrunner", ["-f", programs.path(name)] + arguments)
  }

  private static let batch = [
    "--seed", "5", "run", "--adventurers", "", "--quests", "60", "--goal", "4", "--foes", "2",
  ]

  /// The counts of each adventurer, as `runs` tells them: quests, wins, losses.
  private func counts() -> [String] {
    quest(["runs", "1"]).text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t")[1...4].joined(separator: " ")
    }
  }

  @Test(.enabled(if: Python.path != nil)) func `are read by other parsers`() throws {
    try programs.makeDatabase("a.dex")
    #expect(quest(Self.batch).code == 0)
    let json = quest(["report", "--json"])
    let read = Python.output(
      """
      import json, sys
      report = json.load(open(sys.argv[1], encoding='utf-8'))
      for part in report['adventurers']:
          results = part['results']
          kills = results['kills']
          assert sum(count for low, high, count in kills['histogram']) == results['quests']
          total = sum(low * count for low, high, count in kills['histogram'])
          assert abs(total / results['quests'] - kills['mean']) < 1e-9
          rate = results['win_rate']
          assert rate['low'] <= rate['rate'] <= rate['high']
          assert part['best']['kills'] >= part['median']['kills'] >= part['worst']['kills']
          print(part['name'], results['quests'], results['wins'], results['falls'])
      """, programs, json.text)
    #expect(read == counts())
    let rows = Python.output(
      """
      import csv, sys
      for row in csv.DictReader(open(sys.argv[1], encoding='utf-8', newline='')):
          if row['measure'] == 'win_rate':
              print(row['name'], row['quests'], round(float(row['mean']) * int(row['quests'])))
      """, programs, quest(["report", "--csv", "1"]).text)
    #expect(rows == counts().map { $0.split(separator: " ").prefix(3).joined(separator: " ") })
  }

  @Test(.enabled(if: Python.path != nil)) func `are a page that needs nothing else`() throws {
    try programs.makeDatabase("a.dex")
    #expect(quest(Self.batch).code == 0)
    let page = quest(["report", "--html", "-"])
    let read = Python.output(
      """
      import html.parser, sys
      class Page(html.parser.HTMLParser):
          open_tags, empty, charts = [], {'meta', 'br'}, 0
          def handle_starttag(self, tag, attributes):
              values = dict(attributes)
              assert not {'src', 'href'} & set(values), values
              if tag == 'svg':
                  self.charts += 1
                  assert values['role'] == 'img' and values['aria-label']
              if tag not in self.empty: self.open_tags.append(tag)
          def handle_startendtag(self, tag, attributes): pass
          def handle_endtag(self, tag): assert self.open_tags.pop() == tag, tag
      page = Page()
      page.feed(open(sys.argv[1], encoding='utf-8').read())
      assert not page.open_tags
      print(page.charts)
      """, programs, page.text)
    // A rate and five histograms for each of three adventurers, and for all of them.
    #expect(read == ["24"])
    #expect(page.text.contains("questrunner replay 1:2:"))
  }

  @Test func `tell of quests that replay shows`() throws {
    try programs.makeDatabase("a.dex")
    #expect(quest(Self.batch).code == 0)
    let text = quest(["report"]).text
    let commands = text.split(separator: "\n").compactMap { line in
      line.split(separator: "questrunner replay ", omittingEmptySubsequences: false).dropFirst()
        .first.map(String.init)
    }
    #expect(commands.count == 9)
    for command in commands { #expect(quest(["replay", command]).code == 0) }
  }

  @Test func `write a line for each event where there is no terminal`() throws {
    try programs.makeDatabase("a.dex")
    let watched = quest([
      "watch", "--no-delay", "--seed", "5", "--goal", "3", "--foes", "2", "ana",
    ])
    #expect(watched.code == 0, "\(watched.errors)")
    #expect(watched.errors.contains("seed 5"))
    let replayed = quest(["replay", "1:1:0"]).text.split(separator: "\n")
    let lines = watched.text.split(separator: "\n")
    #expect(lines.dropLast() == replayed.dropLast())
    #expect(lines.last == replayed.last.map { "Ana: " + $0 })
  }

  @Test func `keep the result once where a signal ends the lines`() throws {
    for name in ["a.dex", "b.dex"] { try programs.makeDatabase(name) }
    let options = ["--goal", "3", "--foes", "2"]
    let watched = programs.run(
      "questrunner",
      ["-f", programs.path("a.dex"), "watch", "--seed", "5", "--speed", "0.001"] + options
        + ["ana"], signal: (SIGTERM, 1_500_000))
    #expect(watched.code == 128 + SIGTERM)
    #expect(watched.text.contains("appears"))
    let run = quest(
      ["--seed", "5", "run", "--mode", "campaign", "--quests", "1", "--adventurers", "ana"]
        + options, in: "b.dex")
    #expect(run.code == 0)
    #expect(try programs.dump("a.dex") == programs.dump("b.dex"))
  }

  @Test func `say what is wrong`() throws {
    try programs.makeDatabase("a.dex")
    let cases: [(arguments: [String], code: Int32, text: String)] = [
      (["report"], 1, "no run yet"), (["report", "x"], 2, "no run"), (["report", "7"], 1, "7"),
      (["report", "--json", "--csv"], 2, "contradict"), (["watch"], 2, "who"),
      (["watch", "--speed", "0", "ana"], 2, "--speed"), (["watch", "nobody"], 1, "no adventurer"),
      (["compare", "ana"], 2, "needs more"), (["compare", "", "ana"], 2, "3 adventurers"),
      (["compare", "--with", "level=201", "ana"], 2, "level 201"),
      (["compare", "--with", "wisdom=3", "ana"], 2, "wisdom"),
    ]
    let before = try programs.dump("a.dex")
    for (arguments, code, text) in cases {
      let run = quest(arguments)
      #expect(run.code == code, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(text), "\(arguments): \(run.errors)")
    }
    #expect(try programs.dump("a.dex") == before)
  }
}
