/// How one row's figures grow with the number of rows, a curve for each engine, both axes logarithmic.
struct GrowthChart {
  private static let width = 420
  private static let height = 260

  let row: String
  let lines: [ResultLine]
  let numbers: EngineNumbers

  private var sizes: [Int] { Set(lines.map(\.rowCount)).sorted() }

  /// The names of those that have a curve, and the figure of each at each size.
  private var curves: [(name: String, points: [(size: Int, figure: Double)])] {
    var curves: [(name: String, points: [(size: Int, figure: Double)])] = []
    func add(_ name: String, _ size: Int, _ figure: Double) {
      if let place = curves.firstIndex(where: { $0.name == name }) {
        if !curves[place].points.contains(where: { $0.size == size }) {
          curves[place].points.append((size, figure))
        }
      } else {
        curves.append((name, [(size, figure)]))
      }
    }
    for line in lines {
      if let ours = line.ours { add("ours", line.rowCount, ours) }
      add(line.peer, line.rowCount, line.theirs)
    }
    return curves
  }

  var picture: String {
    let curves = curves
    let across = LogAxis(
      holding: sizes.map { Double($0) }, from: 60, to: Double(Self.width) - 16)
    let up = LogAxis(
      holding: curves.flatMap { $0.points.map(\.figure) }, from: Double(Self.height) - 30, to: 34)
    var body = SVG.text(6, 18, "title", "\(row), \(lines.first?.unit ?? "")")
    for tick in up.ticks {
      let y = up.position(tick)
      body += SVG.line(across.start, y, across.end, y, "grid")
      body += SVG.text(across.start - 6, y + 4, "tick end", short(tick))
    }
    for size in sizes {
      let x = across.position(Double(size))
      body += SVG.line(x, up.end, x, up.start, "grid")
      body += SVG.text(x, up.start + 16, "tick middle", short(Double(size)))
    }
    for curve in curves {
      let number = numbers.number(of: curve.name)
      let points = curve.points.map { (across.position(Double($0.size)), up.position($0.figure)) }
      let path = points.map { "\($0.0),\($0.1)" }.joined(separator: " ")
      body += #"<polyline class="curve e\#(number)" points="\#(path)"/>"# + "\n"
      for point in points { body += SVG.mark(number, point.0, point.1) }
    }
    return SVG.picture(width: Self.width, height: Self.height, title: "Growth of \(row)", body)
  }
}
