import Glibc

/// What a process of its own did with one engine's database, and what memory it took.
struct ProcessReport: Sendable {
  var getRate: Double
  var scanRate: Double
  var commitRate: Double
  /// The most that was resident, with mapped files.
  var peakMegabytes: Double
  /// What was resident and belonged to the process alone, at the end.
  var privateMegabytes: Double
  /// Pages of files that were mapped and resident, at the end.
  var mappedMegabytes: Double
  var sum: UInt64
  var rowCount: Int

  /// What was read, put together by the process.
  var digest: Digest {
    var digest = Digest()
    withUnsafeBytes(of: (sum, rowCount)) { bytes in
      guard let start = bytes.baseAddress else { return }
      digest.fold(start, bytes.count, start, 0)
    }
    return digest
  }

  private static let argument = "--measure-in-this-process"
  /// How many keys are asked for and rows committed; fewer where memory is short and disks are slow.
  private static let getCount = isMemoryLimited ? 4000 : 20_000
  private static let commitCount = isMemoryLimited ? 200 : 1000

  /// Runs this program again over the database in `place`, under a limit of memory if there is one.
  static func measured(
    _ kind: any Engine.Type, _ place: Folder, rowCount: Int, valueByteCount: Int, limit: Int?
  ) throws -> ProcessReport {
    var words = [argument, kind.name, place.path, "\(rowCount)", "\(valueByteCount)"]
    let output = place.path + ".report"
    if let limit {
      let group = try MemoryGroup(limit: limit)
      defer { group.remove() }
      words.append(group.path)
      setenv("BENCH_CACHE_MB", "\(limit >> 22)", 1)
      defer { unsetenv("BENCH_CACHE_MB") }
      // Pages that lie in the cache already are charged to nobody.
      try place.dropFromPageCache()
      _ = try Programs.run("bench", words, output: output)
    } else {
      _ = try Programs.run("bench", words, output: output)
    }
    let text = String(decoding: try FileBytes.read(output), as: UTF8.self)
    guard let report = ProcessReport(text) else {
      throw BenchError("\(kind.name) in a process of its own said \(text)")
    }
    return report
  }

  /// Does what `measured` asks of a process and prints the report; false where nobody asked.
  static func run(_ arguments: [String], engines: [any Contestant.Type]) throws -> Bool {
    guard arguments.first == argument, arguments.count >= 5 else { return false }
    guard
      let kind = engines.first(where: { $0.name == arguments[1] }) as? any Engine.Type,
      let rowCount = Int(arguments[3]), let valueByteCount = Int(arguments[4])
    else { throw BenchError("there is no engine \(arguments[1])") }
    if arguments.count > 5 { try MemoryGroup.enter(arguments[5]) }
    let report = try ProcessReport(
      kind, path: arguments[2], rowCount: rowCount, valueByteCount: valueByteCount)
    write(line: report.text, to: STDOUT_FILENO)
    return true
  }

  private init(
    _ kind: any Engine.Type, path: String, rowCount: Int, valueByteCount: Int
  ) throws {
    var random = SplitMix64(seed: 70)
    func numbers(_ count: Int) -> [Int] {
      (0..<count).map { _ in .random(in: 0..<rowCount, using: &random) }
    }
    let keys = Keys(numbers(ProcessReport.getCount))
    // The values are those that were there, so that each run finds what the one before it found.
    let rows = Rows(numbers(ProcessReport.commitCount), valueByteCount: valueByteCount)
    let database = try kind.init(path: path, durability: .immediate)
    let gets = try Sample.rate(of: keys.count) { try database.gets(keys, .everyLine) }
    let scan = try Sample.rate(of: rowCount) { try database.scan(.everyLine) }
    let commitTime = try timed { try database.commits(rows) }
    getRate = gets.figure
    scanRate = scan.figure
    commitRate = Double(rows.count) / commitTime
    let status = String(decoding: try FileBytes.read("/proc/self/status"), as: UTF8.self)
    func megabytes(_ name: String) -> Double {
      for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
        let number = line.split(whereSeparator: { !$0.isNumber })
        return number.first.flatMap { Double(String($0)) }.map { $0 * 1024 / 1e6 } ?? 0
      }
      return 0
    }
    peakMegabytes = megabytes("VmHWM")
    privateMegabytes = megabytes("RssAnon")
    mappedMegabytes = megabytes("RssFile")
    let seen = (gets.digest ?? Digest()) + (scan.digest ?? Digest())
    sum = seen.sum
    self.rowCount = seen.rowCount
    try database.close()
  }

  private var text: String {
    #"{"gets":\#(getRate),"scan":\#(scanRate),"commits":\#(commitRate),"#
      + #""peak":\#(peakMegabytes),"private":\#(privateMegabytes),"mapped":\#(mappedMegabytes),"#
      + #""sum":"\#(sum)","read":\#(rowCount)}"#
  }

  private init?(_ text: String) {
    guard let object = JSONObject(String(text.dropLast())), let gets = object.number("gets"),
      let scan = object.number("scan"), let commits = object.number("commits"),
      let peak = object.number("peak"), let own = object.number("private"),
      let mapped = object.number("mapped"), let sum = object.text("sum").flatMap({ UInt64($0) }),
      let read = object.number("read")
    else { return nil }
    getRate = gets
    scanRate = scan
    commitRate = commits
    peakMegabytes = peak
    privateMegabytes = own
    mappedMegabytes = mapped
    self.sum = sum
    rowCount = Int(read)
  }
}
