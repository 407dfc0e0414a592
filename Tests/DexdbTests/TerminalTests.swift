import Entities
import Terminal
import Testing

@Suite struct `Text on a terminal` {
  static let escapes: [(String, String)] = [
    ("plain", "plain"), ("ピカチュウ é 👍🏽", "ピカチュウ é 👍🏽"),
    ("\u{1B}[2J", "\\x1b[2J"), ("a\nb\tc\r", "a\\nb\\tc\\r"),
    ("\u{0}\u{7F}\u{9B}", "\\x00\\x7f\\x9b"),
    ("a\u{202E}b\u{2066}c\u{200F}", "a\\u{202e}b\\u{2066}c\\u{200f}"),
    ("\u{2028}\u{2029}\u{85}", "\\u{2028}\\u{2029}\\x85"),
  ]

  @Test(arguments: escapes)
  func `appears there and does nothing else`(text: String, shown: String) {
    #expect(TerminalText.escaped(text) == shown)
    #expect(TerminalText.escaped(bytes: Array(text.utf8)) == shown)
  }

  @Test func `shows what is no text as numbers`() {
    #expect(TerminalText.escaped(bytes: [0x61, 0xFF, 0xC3, 0x28]) == "a\\xff\\xc3(")
    #expect(TerminalText.escaped(bytes: [0xE3, 0x83]) == "\\xe3\\x83")
    #expect(TerminalText.escaped(bytes: [0xC0, 0x9B]) == "\\xc0\\x9b")
  }

  @Test func `never carries a control, whatever the bytes`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let shown = TerminalText.escaped(bytes: [first, second, 0x80, 0xA8])
        #expect(!shown.unicodeScalars.contains(where: TerminalText.isDangerous))
      }
    }
  }

  static let widths: [(String, Int)] = [
    ("abc", 3), ("ピカ", 4), ("é", 1), ("e\u{301}", 1), ("♀", 1), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇯🇵", 2),
    ("한글", 4), ("ｱﾞ", 2), ("❤\u{FE0F}", 2), ("…", 1), ("", 0), ("、", 2),
  ]

  @Test(arguments: widths)
  func `takes as many columns as its characters`(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test func `is cut between characters`() {
    #expect(DisplayWidth.truncated("Pikachu", to: 7) == "Pikachu")
    #expect(DisplayWidth.truncated("Pikachu", to: 4) == "Pik…")
    #expect(DisplayWidth.truncated("ピカチュウ", to: 6) == "ピカ…")
    #expect(DisplayWidth.truncated("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
    #expect(DisplayWidth.truncated("👩‍👩‍👧👩‍👩‍👧", to: 3) == "👩‍👩‍👧…")
    #expect(DisplayWidth.truncated("Pikachu", to: 5, ellipsis: "...") == "Pi...")
    #expect(DisplayWidth.truncated("Pikachu", to: 0) == "")
  }

  @Test func `is coloured only where that is wanted`() {
    let styled = { (choice: Styling.Choice, isTerminal: Bool, variables: [String: String]) in
      Styling(choice, isTerminal: isTerminal, isASCII: false) { variables[$0] }.isColored
    }
    #expect(styled(.auto, true, ["TERM": "xterm"]))
    #expect(!styled(.auto, false, ["TERM": "xterm"]))
    #expect(!styled(.auto, true, ["TERM": "dumb"]))
    #expect(!styled(.auto, true, [:]))
    #expect(!styled(.auto, true, ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(styled(.auto, true, ["TERM": "xterm", "NO_COLOR": ""]))
    #expect(styled(.always, false, ["NO_COLOR": "1"]))
    #expect(!styled(.never, true, ["TERM": "xterm"]))
  }

  @Test func `has a caret below the place, by columns`() {
    let error = QueryError("no type 'fier'", line: "ピカ t:fier", range: 5..<9, help: ["a", "b"])
    #expect(
      QueryComplaint.text(of: error, program: "dexdb")
        == """
        dexdb: no type 'fier'
          ピカ t:fier
                 ^~~~
        help: a
              b

        """)
    let long = String(repeating: "x", count: 500)
    let far = QueryError("bad", line: long + "\u{1B}!" + long, range: 501..<502, help: ["a"])
    let lines = QueryComplaint.text(of: far, program: "dexdb").split(separator: "\n")
    #expect(lines[1].count <= 80 && lines[1].contains("\\x1b!"))
    let caret = Array(lines[2]).firstIndex(of: "^")
    #expect(caret == Array(lines[1]).firstIndex(of: "!"))
  }
}

@Suite struct `Rows` {
  private let columns = [
    OutputColumn("id", isNumeric: true), OutputColumn("name"), OutputColumn("types"),
  ]
  private let rows: [[OutputValue]] = [
    [.number("25"), .text("ピカチュウ"), .list(["electric"])],
    [.number("6"), .text("a,\"b\"\n\tc\\"), .list(["fi,re", "flying"])],
    [.absent, .text(""), .absent],
  ]

  private func written(_ format: OutputFormat, isTerminal: Bool = false) -> String {
    var writer = RowWriter(format, columns: columns, isTerminal: isTerminal)
    return writer.head() + rows.map { writer.row($0) }.joined() + writer.tail()
  }

  @Test func `go out as JSON`() {
    #expect(
      written(.json)
        == """
        [
          {"id": 25, "name": "ピカチュウ", "types": ["electric"]},
          {"id": 6, "name": "a,\\"b\\"\\n\\tc\\\\", "types": ["fi,re", "flying"]},
          {"id": null, "name": "", "types": null}
        ]

        """)
    #expect(written(.jsonl).split(separator: "\n").count == 3)
    #expect(JSONText.quoted("\u{1B}\u{9B}\u{202E}") == "\"\\u001b\\u009b\\u202e\"")
    var none = RowWriter(.json, columns: columns)
    #expect(none.head() + none.tail() == "[]\n")
    none = RowWriter(.csv, columns: columns, hasHeader: false)
    #expect(none.head() == "")
  }

  @Test func `go out as CSV and TSV, and nothing is lost`() {
    #expect(
      written(.csv)
        == "id,name,types\n25,ピカチュウ,electric\n6,\"a,\"\"b\"\"\n\tc\\\",\"fi\\,re,flying\"\n,\"\",\n"
    )
    #expect(
      written(.tsv)
        == "id\tname\ttypes\n25\tピカチュウ\telectric\n6\ta,\"b\"\\n\\tc\\\\\tfi\\\\,re,flying\n\t\\e\t\n"
    )
    #expect(OutputValue.items(of: "fi\\,re,flying") == ["fi,re", "flying"])
    #expect(OutputValue.items(of: "").isEmpty)
    for texts in [[""], ["", ""], ["\\"], ["", "a"], [",", ""]] {
      #expect(!OutputValue.list(texts).cell.isEmpty)
      #expect(OutputValue.items(of: OutputValue.list(texts).cell) == texts)
    }
    let names = OutputValue.map([.init(key: "e,n", text: "a"), .init(key: "\\", text: "b")])
    #expect(OutputValue.items(of: names.cell) == ["e,n=a", "\\=b"])
  }

  @Test func `do not command a terminal in any format`() {
    let row: [OutputValue] = [.number("1"), .text("\u{1B}[2J\u{202E}"), .list(["\u{9B}x"])]
    for format in OutputFormat.allCases {
      let text: String
      if format.isForMachines {
        var writer = RowWriter(format, columns: columns, isTerminal: true)
        text = writer.head() + writer.row(row) + writer.tail()
      } else {
        let printer = TablePrinter(columns: columns, rows: [row], styling: Styling())
        text =
          printer.table(maximumWidth: 80) + printer.grid(maximumWidth: 80) + printer.lines()
          + printer.markdown()
      }
      let isDangerous = text.unicodeScalars.contains {
        $0 != "\n" && $0 != "\t" && TerminalText.isDangerous($0)
      }
      #expect(!isDangerous, "\(format)")
    }
  }

  @Test func `fit the width of the terminal as a table`() {
    let rows: [[OutputValue]] = [
      [.number("1"), .text(String(repeating: "ab ", count: 30)), .list(["grass", "poison"])],
      [.number("1025"), .text("ピカチュウ"), .absent],
    ]
    let printer = TablePrinter(columns: columns, rows: rows, styling: Styling())
    for width in [24, 40, 60] {
      for text in [printer.table(maximumWidth: width), printer.grid(maximumWidth: width)] {
        for line in text.split(separator: "\n") { #expect(DisplayWidth.of(line) <= width) }
      }
    }
    #expect(
      TablePrinter(columns: columns, rows: Array(rows.suffix(1)), styling: Styling())
        .table(maximumWidth: 80)
        == "  id  name        types\n────  ──────────  ─────\n1025  ピカチュウ  \n")
    let plain = TablePrinter(
      columns: columns, rows: Array(rows.suffix(1)), styling: Styling(isASCII: true))
    #expect(plain.grid(maximumWidth: 80).contains("+------+------------+-------+"))
    #expect(printer.markdown().hasPrefix("| id | name | types |\n| ---: | --- | --- |\n"))
  }

  @Test func `have bars as long as their numbers`() {
    #expect(Bar.text(0, of: 255, columns: 10) == "")
    #expect(Bar.text(255, of: 255, columns: 10) == "██████████")
    #expect(Bar.text(1, of: 255, columns: 10) == "▏")
    #expect(Bar.text(300, of: 255, columns: 2) == "██")
    #expect(Bar.text(128, of: 256, columns: 4, isASCII: true) == "##")
    // Numbers of a damaged file are of any size.
    #expect(Bar.text(.max, of: .max, columns: 3) == "███")
    #expect(Bar.text(.max / 2, of: .max, columns: 4, isASCII: true) == "#")
    #expect(Bar.text(.max, of: 1, columns: 2, isASCII: true) == "##")
    #expect(Bar.text(.min, of: .max, columns: 2) == "")
  }
}
