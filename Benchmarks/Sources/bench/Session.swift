import Glibc

/// Writes `text` and a line end to the descriptor, all of it, at once.
func write(line text: String, to descriptor: Int32) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written < 0 { exit(1) }
    bytes = bytes.dropFirst(written)
  }
}

/// One call of the program: results that are measured or read, and how they are shown.
struct Session {
  private let options: Options
  private var lines: [ResultLine] = []
  private var circumstances = Circumstances.here
  /// The number of rows that failed.
  private(set) var failureCount = 0

  init(_ options: Options) { self.options = options }

  mutating func run() throws {
    for source in options.sources { try read(source) }
    if options.sources.isEmpty {
      write(line: circumstances.json, to: STDOUT_FILENO)
      write(line: try heading(), to: STDERR_FILENO)
      if let sizes = options.sizes {
        try measureGrowth(sizes)
      } else {
        try measure(try options.chosen(of: Row.all), options.scale)
      }
    }
    write(line: ResultTable.text(lines), to: STDERR_FILENO)
    if let page = options.page {
      let text = ResultPage(lines: lines, circumstances: circumstances).text
      try FileBytes.write(Array(text.utf8), to: page)
    }
    if let document = options.document {
      try ResultTable.replace(in: document, with: ResultTable.markdown(lines, circumstances))
    }
  }

  private mutating func read(_ path: String) throws {
    let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    for line in text.split(separator: "\n") {
      if let result = ResultLine(json: String(line)) {
        lines.append(result)
      } else if let found = Circumstances(json: String(line)) {
        circumstances = found
      } else {
        throw BenchError("\(path) has a line that is no result: \(line)")
      }
    }
  }

  private func heading() throws -> String {
    var heading =
      "\(options.scale.rowCount) rows; medians, ± half the distance of best and worst round\n"
    heading += "A ratio above 1 says that ours is better, in all units.\n"
    heading +=
      "What is read is compared between the engines, every byte of it in a round of its own "
    heading += "and every cache line in the timed ones. What they check of their own:"
    for engine in try options.allEngines() { heading += "\n  \(engine.name): \(engine.checks)" }
    return heading
  }

  private mutating func measureGrowth(_ sizes: [Int]) throws {
    let growing = Set(Row.growth.map(\.name))
    let rows = try options.chosen(of: Row.growth + Row.limited)
    for size in sizes {
      let isLast = size == sizes.last
      let scale = options.scale.growing(to: size)
      try measure(rows.filter { isLast || growing.contains($0.name) }, scale) { line in
        line.isOfGrowth = growing.contains(line.row)
        if line.isOfGrowth { line.target = nil }
      }
    }
  }

  private mutating func measure(
    _ rows: [Row], _ scale: Scale, change: (inout ResultLine) -> Void = { _ in }
  ) throws {
    let folder = try Folder.temporary(in: options.parent)
    defer { try? folder.remove() }
    let stage = Stage(workload: Workload(scale), folder: folder)
    for row in rows {
      let engines = options.engines(of: row.field)
      if engines.isEmpty { continue }
      do {
        let result = try measured(row, engines: engines, on: stage)
        for var line in result.lines(rowCount: row.rowCount(in: scale)) {
          change(&line)
          write(line: line.json, to: STDOUT_FILENO)
          lines.append(line)
        }
        write(line: result.text, to: STDERR_FILENO)
      } catch {
        write(line: "\(row.name) FAILED: \(error)", to: STDERR_FILENO)
        failureCount += 1
      }
    }
    try stage.close()
  }
}
