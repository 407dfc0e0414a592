import Entities
import SimulatedDisk
import Testing

/// Lines made at random from the grammar, or from such lines by damage.
private struct LineMaker {
  var random: SplitMix64

  mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  mutating func pick(_ choices: [String]) -> String { choices[number(choices.count)] }

  mutating func line() -> String {
    var parts = (0..<1 + number(4)).map { _ in unary(depth: 0) }
    if number(3) == 0 { parts.insert(pick(["OR", "and", "or"]), at: number(parts.count)) }
    if number(4) == 0 { parts.insert("limit:\(number(50))", at: number(parts.count + 1)) }
    if number(8) == 0 { parts.append("offset:\(number(50))") }
    if number(8) == 0 { parts.append("lang:ja") }
    if number(4) == 0 {
      parts.append(pick(["sort:-bst,name", "sort:-hp+def,t", "sort:takes.ice"]))
    } else if number(4) == 0 {
      parts.append("group:type show:count,avg.bst,max.takes.ice sort:-count,min.hp")
    }
    if number(8) == 0 { parts.append("show:name,t,takes.fire") }
    return parts.joined(separator: pick([" ", " ", "  ", "\u{3000}"]))
  }

  mutating func unary(depth: Int) -> String {
    if depth < 8, number(6) == 0 { return "-" + unary(depth: depth + 1) }
    if depth < 8, number(5) == 0 {
      let inner = (0..<1 + number(3)).map { _ in unary(depth: depth + 1) }
      return "(" + inner.joined(separator: pick([" ", " OR ", " and "])) + ")"
    }
    return term()
  }

  mutating func term() -> String {
    switch number(10) {
    case 9:
      pick(["", "", "name:", "slug:", "n:"]) + pick(["*", "*", ""])
        + pick(["saur", "or", "25", "r-mi", "\"r mi\"", "ポリ", "♀", "ty\"pe\"", "a/b", "p~i"])
        + pick(["*", "*", ""])
    case 0: pick(["pik", "or", "not", "AND", "ho-oh", "ポリゴン", "25", "#7", "nidoran♀", "é", "a:b"])
    case 1: pick(["\"type: null\"", "\"a \\\" \\\\ b\"", "ty\"pe nu\"ll", "\"or\"", "\"7\""])
    case 2: pick(["is:final", "has:portrait", "is:baby", "has:habitat", "is_baby:no"])
    case 3: pick(["t", "type", "weak"]) + pick([":", "=", "!="]) + pick(["fire", "ice/bug", "x"])
    case 4: pick(["hp", "atk+def", "takes.ice", "gen"]) + comparison() + amount()
    case 5:
      pick(["hp", "weight"]) + pick([":", "=", "!="]) + amount() + ".." + pick(["", amount()])
    case 6: pick(["hp", "hp+atk"]) + comparison() + pick(["def", "spa+spd", "takes.fire"])
    case 7:
      pick(["name", "family", "color"]) + pick([":", "=", "!="])
        + pick(["red", "\"a b\"", "eevee"])
    default:
      pick(["ability", "egg"]) + pick([":", "=", "!="]) + pick(["monster", "\"x y\"/z", "water1"])
    }
  }

  mutating func comparison() -> String { pick([":", "=", "!=", "<", "<=", ">", ">="]) }

  mutating func amount() -> String {
    pick(["0", "7", "100", "-3", "1.5", "0.125", "999999999999", "3.14159", "00.10"])
  }

  mutating func damaged() -> String {
    var scalars = Array(line().unicodeScalars)
    let strange: [Unicode.Scalar] = [
      "\"", "\\", "(", ")", "-", ":", "=", "<", ">", "!", "/", ",", ".", "+", "#", " ", "\u{0}",
      "\u{301}", "\u{202E}", "é", "１", "|", "&", "x", "9", "\n", "*", "*",
      "?", "$",
    ]
    for _ in 0...number(4) {
      let place = number(scalars.count + 1)
      switch number(3) {
      case 0: scalars.insert(strange[number(strange.count)], at: place)
      case 1 where place < scalars.count: scalars.remove(at: place)
      case 2 where place < scalars.count: scalars[place] = strange[number(strange.count)]
      default: scalars.removeLast(min(number(4), scalars.count))
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

@Suite struct `Any line` {
  @Test(
    arguments: [
      "\u{0}t~\u{0}we", "a＜b", "hp＞＝5", "t～fire", "a｜b", "＋", "｀＄＾", "name:a＜b",
      "from:adventurers profession:a~b", "from:adventurers profession:a＝b",
    ])
  func `with symbols that are no operators prints as itself`(line: String) throws {
    let query = try parse(line)
    let printed = QueryPrinter.text(of: query, in: QueryTestCatalog.catalog)
    #expect(try parse(printed) == query, "\(line) prints as \(printed)")
  }

  @Test(arguments: UInt64(0)..<8)
  func `is a query that prints as itself, or gets an answer`(seed: UInt64) throws {
    var maker = LineMaker(random: SplitMix64(seed: seed))
    var queryCount = 0
    // 100,000 lines of all seeds where that takes seconds.
    #if DEBUG
      let count = isLongQueryTest ? 12_500 : 2500
    #else
      let count = 12_500
    #endif
    for round in 0..<count {
      let line = round % 2 == 0 ? maker.line() : maker.damaged()
      do throws(QueryError) {
        let query = try parse(line)
        queryCount += 1
        let printed = QueryPrinter.text(of: query, in: QueryTestCatalog.catalog)
        do throws(QueryError) {
          let again = try parse(printed)
          #expect(again == query, "\(line) prints as \(printed)")
        } catch {
          Issue.record("\(line) prints as \(printed): \(error.message)")
        }
      } catch {
        #expect(error.line == line)
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= line.unicodeScalars.count)
        #expect(!error.message.isEmpty && !error.help.isEmpty, "\(line)")
      }
    }
    #expect(queryCount > count / 5 && queryCount < count)
  }
}
