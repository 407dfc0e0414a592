import Glibc

/// The program `fuzz`: libFuzzer over the target that the first argument names.
///
///     fuzz list                 the targets, with their limits, a line each
///     fuzz seeds TARGET FOLDER  writes the inputs to begin with
///     fuzz TARGET OPTIONS…      runs libFuzzer
@c(fuzz_main) public func fuzzMain(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  let words = (0..<Int(count)).compactMap { index in
    arguments?[index].map { String(cString: $0) }
  }
  if words.count == 2, words[1] == "list" {
    for target in FuzzTarget.all {
      print(
        target.name, target.longestInput, target.limits.allocation, target.limits.memory,
        target.dictionary ?? "-")
    }
    return 0
  }
  if words.count == 4, words[1] == "seeds" { return Seeding.write(words[2], into: words[3]) }
  // libFuzzer calls the program again for some of what it does, with its own arguments only; the
  // target is in the environment then.
  let isAgain = words.count >= 2 && words[1].hasPrefix("-")
  let name = isAgain ? getenv(variable).map { String(cString: $0) } : words.dropFirst().first
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("usage: fuzz list | fuzz seeds TARGET FOLDER | fuzz TARGET OPTIONS")
    return 2
  }
  setenv(variable, target.name, 1)
  chosen = target
  _ = reports
  var rest = arguments.map { Array(UnsafeBufferPointer(start: $0, count: Int(count))) } ?? []
  if !isAgain { rest.remove(at: 1) }
  var restCount = CInt(rest.count)
  rest.append(nil)
  return rest.withUnsafeMutableBufferPointer { buffer in
    var start = buffer.baseAddress
    return runDriver(&restCount, &start, fuzzOne)
  }
}

/// Where the name of the target stands for the program that libFuzzer calls.
private let variable = "DEX_FUZZ_TARGET"

/// Where findings are told; libFuzzer may close the usual place to what targets say.
private let reports = dup(2)

/// The target that runs, which is chosen before anything else happens.
private nonisolated(unsafe) var chosen: FuzzTarget?

/// What libFuzzer calls with each input; a finding ends the program.
@c(LLVMFuzzerTestOneInput) public func fuzzOne(
  _ start: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(FuzzFinding) {
    try chosen?.run(bytes)
  } catch {
    let text = Array("finding: \(error)\n".utf8)
    _ = write(reports, text, text.count)
    abort()
  }
  return 0
}

private typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _: UnsafeMutablePointer<CInt>, _: UnsafeMutablePointer<Arguments?>, _: Callback
) -> CInt
