import Terminal
import Testing

@testable import dexdb

@Suite struct `Import` {
  private static let header =
    "name,profession,level,experience,current_hit_points,total_hit_points,multiplier,defense,evasion,speed,wins,losses"
  private static let numbers = "1,0,30,30,1,10,5,50,0,0"

  private static func csv(_ names: [String], separator: String = ",", end: String = "\n") -> String
  {
    let comma = { (line: String) in
      line.split(separator: ",").map { String($0) }.joined(separator: separator)
    }
    let rows = names.map { $0 + separator + "Wizard" + separator + comma(numbers) }
    return ([comma(header)] + rows).map { $0 + end }.joined()
  }

  private static func imported(_ text: String, format: String = "csv") -> (Dexdb, ProgramRun) {
    let dexdb = Dexdb()
    return (dexdb, dexdb("import", "--into", "adv", "--format", format, "-", input: text))
  }

  private static func names(_ dexdb: Dexdb) -> [String] {
    dexdb("find", "--no-header", "from:adv show:name sort:id").lines
  }

  @Test(arguments: [",", ";", "\t"], ["\n", "\r\n"])
  func `tells the separators and line ends of CSV apart`(separator: String, end: String) {
    let quoted = "\"Bo\(separator)\"\"B\"\"\(end)x\""
    let text = Self.csv(["Ana", quoted, "5\" Cy"], separator: separator, end: end)
    for start in ["", "\u{FEFF}", "sep=\(separator)\(end)", "\u{FEFF}sep=\(separator)\(end)"] {
      let (dexdb, run) = Self.imported(start + text)
      #expect(run.code == 0, "\(run.errors)")
      let json = dexdb("find", "--json", "from:adv show:name sort:id").text
      #expect(json.contains("\"Ana\"") && json.contains("\"5\\\" Cy\""))
      let tab = separator == "\t" ? "\\t" : separator
      let line = end == "\n" ? "\\n" : "\\r\\n"
      #expect(json.contains("\"Bo\(tab)\\\"B\\\"\(line)x\""), "\(json)")
    }
  }

  @Test func `needs no line end at the end, and skips empty lines`() {
    let text = Self.csv(["Ana", "Bo"])
    let (dexdb, run) = Self.imported(String(text.dropLast()))
    #expect(run.code == 0 && Self.names(dexdb) == ["Ana", "Bo"])
    let (other, second) = Self.imported(text + "\n\n")
    #expect(second.code == 0 && Self.names(other) == ["Ana", "Bo"])
  }

  @Test func `refuses JSON of any depth at once`() {
    let deep = String(repeating: "[", count: 300_000)
    for text in [
      "{\"name\": \(deep)", "[{\"name\": [[\"x\"]]}]", deep, "{\"name\": {\"a\": {\"b\": 1}}}",
      String(repeating: "{\"a\":", count: 100_000),
    ] {
      let format = text.hasPrefix("[") ? "json" : "jsonl"
      let (_, run) = Self.imported(text, format: format)
      #expect(run.code == 1, "\(text.prefix(20))")
      #expect(run.errors.hasPrefix("dexdb: -:1:"), "\(run.errors.prefix(80))")
    }
    let (_, nested) = Self.imported("{\"name\": [[\"x\"]]}", format: "jsonl")
    #expect(nested.errors.contains("a list cannot hold lists and objects"))
  }

  @Test func `lists what it leaves out, and keeps the rest`() {
    var rows = (1...60).map { "A\($0)" }
    for index in stride(from: 1, to: 60, by: 2) { rows[index] = "" }
    let text = Self.csv(rows)
    let dexdb = Dexdb()
    let path = dexdb.folder.write(text, to: "adventurers.csv")
    let run = dexdb("import", "--on-error", "skip", path)
    #expect(run.code == 0)
    let listed = run.errors.split(separator: "\n").filter { $0.hasPrefix("left out: ") }
    #expect(listed.count == 30)
    for (place, line) in listed.enumerated() {
      #expect(line.contains("\(path):\(3 + 2 * place):1: "), "\(line)")
      #expect(line.contains("name"))
    }
    #expect(run.errors.contains("added 30 to adventurers, left out 30 with errors"))
    let abort = Dexdb()
    #expect(abort("import", path).code == 1)
    #expect(abort("count", "from:adv").text == "0\n")
  }

  @Test(arguments: ["csv", "tsv"])
  func `leaves out rows with too few or too many cells, and goes on with the next line`(
    format: String
  ) {
    let dexdb = Dexdb()
    let rows = ["Ana", "Short", "Bo", "Long", "", "Cy", "End"].map { name in
      let row = "\(name),Wizard,\(Self.numbers)"
      return name == "Short" ? "Short,Wizard,1" : name == "Long" || name == "End" ? row + ",7" : row
    }
    let text = ([Self.header] + rows).joined(separator: "\n")
    let path = dexdb.folder.write(
      format == "tsv" ? text.replacing(",", with: "\t") : text, to: "d.\(format)")
    let abort = dexdb("import", "--into", "adv", path)
    #expect(abort.code == 1 && abort.errors.contains("d.\(format):3:1: 3 cells where 12 should be"))
    #expect(dexdb("count", "from:adv").text == "0\n")
    let run = dexdb("import", "--into", "adv", "--on-error", "skip", path)
    #expect(run.code == 0, "\(run.errors)")
    let listed = run.errors.split(separator: "\n").filter { $0.hasPrefix("left out: ") }
    #expect(listed.count == 4)
    for (line, place) in zip(listed, ["3:1: 3 cells", "5:1: 13 cells", "6:", "8:1: 13 cells"]) {
      #expect(line.contains("d.\(format):\(place)"), "\(line)")
    }
    #expect(run.errors.contains("added 3 to adventurers, left out 4 with errors"))
    #expect(Self.names(dexdb) == ["Ana", "Bo", "Cy"])
  }

  @Test func `leaves out rows whose cells are wrong where their end is certain`() {
    let row = { (name: String) in Array("\(name),Wizard,\(Self.numbers)\n".utf8) }
    let names = ["Ana", "\"Bo\"x", "Cy", "D\u{1}", "\"E\nF\"", "\"G\nH\" ", "Last"]
    var bytes = Array((Self.header + "\n").utf8) + names.flatMap(row)
    bytes[bytes.firstIndex(of: 1) ?? 0] = 0xFF
    let dexdb = Dexdb()
    let path = dexdb.folder.write(bytes, to: "adventurers.csv")
    let abort = dexdb("import", path)
    #expect(abort.code == 1 && abort.errors.contains(".csv:3:5: text after the closing quote"))
    let run = dexdb("import", "--on-error", "skip", path)
    #expect(run.code == 0, "\(run.errors)")
    let listed = run.errors.split(separator: "\n").filter { $0.hasPrefix("left out: ") }
    let places = ["3:5: text after the closing", "5:1: the text is not UTF-8", "9:3: text after"]
    #expect(listed.count == places.count, "\(run.errors)")
    for (line, place) in zip(listed, places) { #expect(line.contains(".csv:\(place)"), "\(line)") }
    #expect(Self.names(dexdb) == ["Ana", "Cy", "E\\nF", "Last"])
    // A quote behind a closed one may open a cell that holds the end of the line.
    let open = dexdb.folder.write(
      Array((Self.header + "\n").utf8) + row("\"Bo\" or \"Cy") + row("Di"), to: "open.csv")
    let unsure = dexdb("import", "--into", "adv", "--on-error", "skip", open)
    #expect(unsure.code == 1 && unsure.errors.contains("open.csv:2:5: text after the closing"))
    #expect(dexdb("count", "from:adv").text == "4\n")
  }

  @Test func `leaves out rows of TSV with marks that mean nothing`() {
    let text = Self.csv(["Ana", "Bo\\x", "Cy"]).replacing(",", with: "\t")
    let dexdb = Dexdb()
    let path = dexdb.folder.write(text, to: "adventurers.tsv")
    let run = dexdb("import", "--on-error", "skip", path)
    #expect(run.code == 0 && run.errors.contains(".tsv:3:3: a backslash before something else"))
    #expect(Self.names(dexdb) == ["Ana", "Cy"])
  }

  @Test func `reads a file in parts that end where its rows do`() throws {
    // More than a part, with line ends in cells, marks within cells, and a row longer than a part.
    let count = 9000
    let filler = String(repeating: "z", count: 120)
    var rows = (0..<count).map { index in
      index % 3 == 0
        ? "\"a\(index)\n\(filler)\"" : index % 3 == 1 ? "b\"\(index) \(filler)" : "c\(index)"
    }
    rows[4000] = "\"" + String(repeating: "y\n", count: 700_000) + "\""
    let text = rows.map { "\($0),1\n" }.joined()
    let folder = ProgramFolder()
    let path = folder.write("name,level\n" + text, to: "rows.csv")
    let expected = ["name,level\n"] + rows.map { "\($0),1\n" }

    let parts = try Self.parts(path, .cells(separator: 0))
    #expect(parts.count > 2)
    #expect(Array(parts.joined()) == Array(expected.joined().utf8))
    var reader = DelimitedReader(isCSV: true, separator: UInt8(ascii: ","))
    var found = 0
    for part in parts {
      try reader.forEachRow(in: part) { row in
        let cell = rows[found]
        let value = cell.hasPrefix("\"") ? String(cell.dropFirst().dropLast()) : cell
        #expect(row.values[0].value == .text(value))
        found += 1
      }
    }
    #expect(found == count)
  }

  private static func parts(_ path: String, _ shape: RecordChunks.Shape) throws -> [[UInt8]] {
    let descriptor = try SystemCalls.openForReading(path)
    defer { SystemCalls.close(descriptor) }
    var chunks = try RecordChunks(descriptor, path: path, shape: shape)
    var parts: [[UInt8]] = []
    while let part = try chunks.next() { parts.append(part) }
    return parts
  }

  @Test func `takes thousands of rows in one transaction`() {
    let count = 1200
    let lines = (0..<count).map { index in
      "{\"name\": \"N\(index)\", \"profession\": \"Knight\", \"level\": 1, \"experience\": 0,"
        + " \"current_hit_points\": 5, \"total_hit_points\": 9, \"multiplier\": 1, \"defense\": 1,"
        + " \"evasion\": 0, \"speed\": 5, \"wins\": 0, \"losses\": 0}\n"
    }
    let dexdb = Dexdb()
    let wrong = dexdb.folder.write(lines.joined() + "{\"name\": 5 5}\n", to: "adv.jsonl")
    let refused = dexdb("import", wrong)
    #expect(refused.code == 1 && refused.errors.contains("adv.jsonl:\(count + 1):"))
    #expect(dexdb("count", "from:adv").text == "0\n")
    let right = dexdb.folder.write(lines.joined(), to: "adv.jsonl")
    #expect(dexdb("import", right).code == 0)
    #expect(dexdb("count", "from:adv").text == "\(count)\n")
    #expect(dexdb("find", "--no-header", "from:adv name:n1199 show:name").lines == ["N1199"])
  }

  /// The fields that an adventurer must have, with values.
  private static let minimal = [
    ("name", "Ana"), ("class", "Knight"), ("level", "1"), ("xp", "0"), ("hp", "5"),
    ("maxhp", "9"), ("multiplier", "1"), ("defense", "1"), ("evasion", "0"), ("speed", "5"),
    ("wins", "0"), ("losses", "0"),
  ]

  @Test func `takes files whose lines end with a carriage return alone`() {
    let dexdb = Dexdb()
    let head = Self.minimal.map(\.0).joined(separator: ",")
    let rest = "," + Self.minimal.map(\.1).dropFirst().joined(separator: ",")
    let text = [head, "\"A\r\na\"\(rest)", "Bo\(rest)", ""].joined(separator: "\r")
    let path = dexdb.folder.write(text, to: "old.csv")
    #expect(dexdb("import", "--into", "adv", path).code == 0)
    #expect(dexdb("find", "--json", "from:adv show:name").text.contains("\"A\\r\\na\""))
    #expect(dexdb("count", "from:adv").text == "2\n")
    let wrong = dexdb.folder.write(text + "Cy,\(rest)\r", to: "wrong.csv")
    let run = dexdb("import", "--into", "adv", wrong)
    #expect(run.errors.contains("wrong.csv:5:1: 13 cells where 12 should be"), "\(run.errors)")
    let tabs = text.split(separator: "\r").filter { !$0.contains("\"") && $0 != "\na\"\(rest)" }
      .joined(separator: "\r").replacing(",", with: "\t")
    let other = dexdb.folder.write(tabs, to: "old.tsv")
    #expect(dexdb("import", "--into", "adv", other).code == 0)
    #expect(dexdb("count", "from:adv").text == "3\n")
  }

  @Test(arguments: [
    ("name,class,foo\n", "h.csv:1:12: no field 'foo' in adventurers"),
    ("name,class,prof\n", "h.csv:1:12: field 'prof': it is given twice"),
    ("sep=;\nname;nam\n", "h.csv:2:6: no field 'nam' in adventurers; did you mean 'name'?"),
    ("name,,class\n", "h.csv:1:6: column 2 has no name"),
  ])
  func `names what is wrong with a first row, whether rows follow or not`(
    _ text: String, _ complaint: String
  ) {
    let dexdb = Dexdb()
    let path = dexdb.folder.write(text, to: "h.csv")
    for arguments in [[], ["--on-error", "skip"]] {
      let run = Dexdb.run(
        ["-f", dexdb.database, "import", "--into", "adv"] + arguments + [path],
        folder: dexdb.folder.path)
      #expect(run.code == 1 && run.errors.contains(complaint), "\(run.errors)")
    }
  }

  @Test func `reads an array of any length part by part`() throws {
    let objects = (0..<30_000).map { "{\"name\": \"a{}[]\\\"\($0)\", \"level\": \($0)}" }
    let folder = ProgramFolder()
    let path = folder.write("[" + objects.joined(separator: " ,\n ") + "\n]\n", to: "a.json")
    let parts = try Self.parts(path, .elements)
    #expect(parts.count > 1)
    var reader = JSONReader([])
    var found: [Int] = []
    for part in parts {
      reader.take(part: part)
      try reader.forEachElement { row in
        #expect(row.values[0].value == .text("a{}[]\"\(found.count)"))
        #expect(row.line == found.count + 1 && row.values[0].column == 3)
        found.append(row.line)
      }
    }
    try reader.finishElements()
    #expect(found.count == objects.count)
  }

  @Test(arguments: [
    ("[{\"name\": \"A\"} {\"name\": \"B\"}]", "1:16: ',' or ']' is missing"),
    ("[{\"name\": \"A\"},\n]", "2:1: an object is missing"),
    ("[{\"name\": \"A\"}", "1:15: ',' or ']' is missing"),
    ("[{\"name\": \"A\"},", "1:16: an object is missing"),
    ("[{\"name\": \"A\"}] 1", "1:17: something after the end of the array"),
    ("[", "1:2: an object is missing"), ("", "1:1: an array of objects is missing"),
    ("{\"name\": \"A\"}", "1:1: an array of objects is missing"),
  ])
  func `says where an array of JSON is none`(_ text: String, _ complaint: String) {
    var reader = JSONReader([])
    let error = #expect(throws: ImportError.self) {
      reader.take(part: Array(text.utf8))
      try reader.forEachElement { _ in }
      try reader.finishElements()
    }
    #expect(error.map { "\($0.line):\($0.column): \($0.message)" } == complaint)
  }

  @Test func `says how to go on where a record is there already`() {
    let dexdb = Dexdb()
    let path = dexdb.folder.write(
      dexdb("export", "--format", "csv", "from:portraits").output, to: "portraits.csv")
    let run = dexdb("import", path)
    #expect(run.code == 1 && run.errors.contains("--on-conflict skip"), "\(run.errors)")
  }

  @Test func `cuts what a file holds in its messages, however long that is`() {
    let long = String(repeating: "9", count: 100_000)
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    let number = Self.numbers.dropFirst()
    let rows = [
      "csv": [
        "\(long)\n", "name,\(marks),\(marks)\n", "name,id\nAna,\(marks)\n",
        String(repeating: "\"", count: 150_000), "\u{1B}[31m\(long)\nx\n",
        Self.header + "\nAna,Wizard,\(long)\(number)\n",
        Self.header + "\nAna,\(long),1\(number)\n",
        Self.header + "\nAna,Wizard,1,\(marks),\(Self.numbers.dropFirst(4))\n",
        Self.header + "\n\(long),Wizard,1\(number)\n",
        Self.header + ",is_fallen\nAna,Wizard,1\(number),\(long)\n",
        Self.header + ",\(long)\n",
      ],
      "jsonl": [
        "{\"\(long)\": 1, \"\(long)\": 2}", "{\"\(marks)\": 1}", "{\"name\": [\"\(long)\"]}",
        "{\"level\": \(long)}", "{\"level\": {\"\(long)\": \"\(long)\"}}",
        "{\"profession\": \"\\u001b[31m\(long)\"}", "{\"\(long)\" 1}",
      ],
    ]
    let dexdb = Dexdb()
    for (format, texts) in rows {
      for text in texts {
        let path = dexdb.folder.write(text, to: "long.\(format)")
        for choice in ["abort", "skip"] {
          let run = dexdb("import", "--into", "adv", "--on-error", choice, path)
          #expect(run.errors.contains("long.\(format):"), "\(text.prefix(80))")
          #expect(!run.errors.unicodeScalars.contains("\u{1B}"))
          for line in run.errors.split(separator: "\n") {
            #expect(line.unicodeScalars.count < 500, "\(line.prefix(100))")
          }
        }
      }
    }
    let (_, run) = Self.imported("name,\(String(repeating: "z", count: 100))\n")
    let start = String(repeating: "z", count: 59) + "…"
    #expect(run.errors.hasPrefix("dexdb: -:1:6: no field '\(start)' in adventurers"))
  }
}
