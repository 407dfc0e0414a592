import Index
import Testing

@Suite struct `Folding a name` {
  @Test(
    arguments: [
      ("Pikachu", ["pikachu"]),
      ("タイプ：ヌル", ["タイプ", "ヌル"]),
      ("カプ・コケコ", ["カプ", "コケコ"]),
      ("ピカチュウ", ["ピカチュウ"]),
      ("ﾋﾟｶﾁｭｳ", ["ピカチュウ"]),
      ("Flabébé", ["flabebe"]),
      ("Flabe\u{301}be\u{301}", ["flabebe"]),
      ("Farfetch’d", ["farfetchd"]),
      ("Farfetch'd", ["farfetchd"]),
      ("Sirfetch’d", ["sirfetchd"]),
      ("Ho-Oh", ["ho", "oh"]),
      ("Mr. Mime", ["mr", "mime"]),
      ("Mime Jr.", ["mime", "jr"]),
      ("Type: Null", ["type", "null"]),
      ("Porygon-Z", ["porygon", "z"]),
      ("Straße", ["strasse"]),
      ("ΣΊΣΥΦΟΣ", ["σισυφοσ"]),
      ("Ｐｏｒｙｇｏｎ２", ["porygon2"]),
      ("Nidoran♀", ["nidoran♀"]),
      ("냐오하", ["냐오하"]),
      ("Ŏk\u{200B}o", ["oko"]),
      ("ガブリアス", ["ガブリアス"]),
      ("가\u{301}", ["가"]),
      ("a\tb\nc\u{3000}d\u{A0}e", ["a", "b", "c", "d", "e"]),
      ("", []),
      (" -.:! ", []),
      ("ﬁre", ["fire"]),
      ("İstanbul", ["istanbul"]),
    ] as [(String, [String])])
  func `makes its words alike`(name: String, words: [String]) {
    let folded = NameFolding.words(of: name)
    #expect(folded.map { Array($0.unicodeScalars) } == words.map { Array($0.unicodeScalars) })
  }

  @Test func `gives the same for composed and decomposed letters`() {
    // The two ways to write each of these, from the Unicode Character Database.
    for (composed, decomposed) in [
      ("\u{E9}", "e\u{301}"), ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{30D4}", "\u{30D2}\u{309A}"),
      ("\u{1E69}", "s\u{323}\u{307}"), ("\u{1E69}", "s\u{307}\u{323}"),
    ] {
      let (first, second) = (NameFolding.fold(composed), NameFolding.fold(decomposed))
      #expect(Array(first.utf8) == Array(second.utf8))
      #expect(!first.isEmpty)
    }
  }

  @Test func `lets signs be found as letters too`() {
    #expect(NameFolding.alternatives(of: "nidoran♀") == ["nidoran♀", "nidoranf"])
    #expect(NameFolding.alternatives(of: "nidoran♂") == ["nidoran♂", "nidoranm"])
    #expect(NameFolding.alternatives(of: "pikachu") == ["pikachu"])
  }

  @Test func `finds words side by side, the last as a prefix`() {
    let text = NameFolding.words(of: "The great Mr. Mime")
    #expect(NameFolding.matches(["mr", "mi"], in: text))
    #expect(NameFolding.matches(["mime"], in: text))
    #expect(NameFolding.matches(["gre"], in: text))
    #expect(!NameFolding.matches(["mr", "great"], in: text))
    #expect(!NameFolding.matches(["great", "mime"], in: text))
    #expect(!NameFolding.matches(["grea", "mr"], in: text))
    #expect(!NameFolding.matches(["mr", "mi"], in: text, atStart: true))
    #expect(NameFolding.matches(["the", "g"], in: text, atStart: true))
    #expect(NameFolding.matches(["nidoranf"], in: NameFolding.words(of: "Nidoran♀")))
    #expect(!NameFolding.matches(["mime", "jr", "x"], in: ["mime", "jr"]))
  }

  @Test func `is the same when done again`() {
    for name in ["Flabébé", "ΣΊΣΥΦΟΣ", "ﾋﾟｶﾁｭｳ", "Straße", "Ａ・Ｂ", "Farfetch’d"] {
      let once = NameFolding.fold(name)
      #expect(Array(NameFolding.fold(once).utf8) == Array(once.utf8))
    }
  }
}
