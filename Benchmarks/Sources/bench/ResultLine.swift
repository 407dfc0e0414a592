/// What a row gave beside one peer: one line of the results, of which everything else is made.
///
/// As JSON, its fields come in the order below under the names of `json`; spreads are the distance
/// between the best and the worst round as a share of the median, and `rows` says over how many rows
/// it was measured.
struct ResultLine: Sendable {
  var row: String
  /// Medians; nil where no engine of this project took part.
  var ours: Double?
  var peer: String
  var theirs: Double
  /// How many times better ours is: above 1 is better in every unit.
  var ratio: Double?
  var unit: String
  var target: Double?
  var oursSpread: Double?
  var theirsSpread: Double?
  var rowCount: Int
  /// Whether it is one of those that show how cost grows.
  var isOfGrowth = false

  /// Whether the ratio reaches the target; nil where there is none.
  var isReached: Bool? {
    guard let ratio, let target else { return nil }
    return ratio >= target
  }

  /// The line as a JSON object.
  var json: String {
    #"{"row":"\#(row)","ours":\#(number(ours)),"peer":"\#(peer)","theirs":\#(number(theirs)),"#
      + #""ratio":\#(number(ratio)),"unit":"\#(unit)","target":\#(number(target)),"#
      + #""ours_spread":\#(number(oursSpread)),"theirs_spread":\#(number(theirsSpread)),"#
      + #""rows":\#(rowCount)\#(isOfGrowth ? #","of":"growth""# : "")}"#
  }

  /// The line that `json` wrote, or nil where the text is something else.
  init?(json text: String) {
    guard let object = JSONObject(text), let row = object.text("row"),
      let peer = object.text("peer"), let theirs = object.number("theirs"),
      let unit = object.text("unit")
    else { return nil }
    self.row = row
    self.peer = peer
    self.theirs = theirs
    self.unit = unit
    ours = object.number("ours")
    ratio = object.number("ratio")
    target = object.number("target")
    oursSpread = object.number("ours_spread")
    theirsSpread = object.number("theirs_spread")
    rowCount = object.number("rows").map { Int($0) } ?? 0
    isOfGrowth = object.text("of") == "growth"
  }

  init(
    row: String, ours: Double?, peer: String, theirs: Double, ratio: Double?, unit: String,
    target: Double? = nil, oursSpread: Double? = nil, theirsSpread: Double? = nil, rowCount: Int
  ) {
    self.row = row
    self.ours = ours
    self.peer = peer
    self.theirs = theirs
    self.ratio = ratio
    self.unit = unit
    self.target = target
    self.oursSpread = oursSpread
    self.theirsSpread = theirsSpread
    self.rowCount = rowCount
  }
}

/// The number with three decimals at most; small ones keep three digits.
private func number(_ figure: Double?) -> String {
  guard let figure, figure.isFinite else { return "null" }
  let scale: Double = abs(figure) < 0.1 ? 1e6 : 1e3
  return "\((figure * scale).rounded() / scale)"
}

/// A flat JSON object of texts without escapes, numbers and nulls, which is all that results hold.
struct JSONObject {
  private var texts: [String: String] = [:]
  private var numbers: [String: Double] = [:]

  init?(_ line: String) {
    guard line.first == "{", line.last == "}" else { return nil }
    var rest = Substring(line.dropFirst().dropLast())
    while !rest.isEmpty {
      guard let name = Self.text(&rest), rest.first == ":" else { return nil }
      rest.removeFirst()
      if rest.first == "\"" {
        guard let text = Self.text(&rest) else { return nil }
        texts[name] = text
      } else {
        let word = rest.prefix { $0 != "," }
        rest = rest.dropFirst(word.count)
        if let number = Double(String(word)) { numbers[name] = number }
      }
      if rest.first == "," { rest.removeFirst() }
    }
  }

  func text(_ name: String) -> String? { texts[name] }

  func number(_ name: String) -> Double? { numbers[name] }

  /// Takes the text in quotation marks off the front.
  private static func text(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else { return nil }
    rest.removeFirst()
    let text = rest.prefix { $0 != "\"" }
    guard text.endIndex < rest.endIndex else { return nil }
    rest = rest[rest.index(after: text.endIndex)...]
    return String(text)
  }
}
