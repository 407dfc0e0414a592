import Glibc

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if try ProcessReport.run(arguments, engines: Row.Field.stores.engines) { exit(0) }
  let options = try Options(arguments)
  if options.wantsHelp {
    write(line: Options.help, to: STDOUT_FILENO)
  } else if options.listsRows {
    for row in Row.all + Row.growthOnly {
      write(line: row.description(beside: options.engines(of: row.field)), to: STDOUT_FILENO)
    }
  } else {
    var session = Session(options)
    try session.run()
    if session.failureCount > 0 { exit(1) }
  }
} catch {
  write(line: "bench: \(error)", to: STDERR_FILENO)
  exit(1)
}
