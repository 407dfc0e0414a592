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

/// Runs what the command line asks for; the number of rows that failed.
func run(_ options: Options) throws -> Int {
  let rows = try options.rows()
  let engines = try options.allEngines()
  let folder = try Folder.temporary(in: options.parent)
  defer { try? folder.remove() }
  let stage = Stage(workload: Workload(options.scale), folder: folder)
  var heading =
    "\(options.scale.rowCount) rows; medians, ± half the distance of best and worst round\n"
  heading += "Every key and value read is compared between the engines. What else is checked:"
  for engine in engines { heading += "\n  \(engine.name): \(engine.checks)" }
  write(line: heading, to: STDERR_FILENO)
  var failureCount = 0
  for row in rows {
    do {
      let engines = options.engines(of: row.field)
      if engines.isEmpty { continue }
      let result = try measure(row, engines: engines, on: stage)
      for line in result.jsonLines { write(line: line, to: STDOUT_FILENO) }
      write(line: result.text, to: STDERR_FILENO)
    } catch {
      write(line: "\(row.name) FAILED: \(error)", to: STDERR_FILENO)
      failureCount += 1
    }
  }
  try stage.close()
  return failureCount
}

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.wantsHelp {
    write(line: Options.help, to: STDOUT_FILENO)
  } else if options.listsRows {
    for row in Row.all { write(line: "\(row.name) (\(row.unit)): \(row.note)", to: STDOUT_FILENO) }
  } else if try run(options) > 0 {
    exit(1)
  }
} catch {
  write(line: "bench: \(error)", to: STDERR_FILENO)
  exit(1)
}
