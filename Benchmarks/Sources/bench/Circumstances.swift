import Glibc

/// Where and with what results were measured: the first line of their file.
struct Circumstances {
  var machine: String
  var software: String
  var date: String

  /// Those of this process.
  static let here = Circumstances(
    machine: machine, software: ([kernel] + compiler + packages).joined(separator: ", "), date: date
  )

  init(machine: String, software: String, date: String) {
    self.machine = machine
    self.software = software
    self.date = date
  }

  /// What `json` wrote, or nil where the text is something else.
  init?(json text: String) {
    guard let object = JSONObject(text), let machine = object.text("machine"),
      let software = object.text("software"), let date = object.text("date")
    else { return nil }
    self.init(machine: machine, software: software, date: date)
  }

  var json: String {
    #"{"machine":"\#(machine)","software":"\#(software)","date":"\#(date)"}"#
  }

  private static var machine: String {
    let gigabytes =
      Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e9
    return "\(processor), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \(Int(gigabytes)) GB"
  }

  private static var processor: String {
    let text = (try? FileBytes.read("/proc/cpuinfo")).map { String(decoding: $0, as: UTF8.self) }
    for line in (text ?? "").split(separator: "\n") where line.hasPrefix("model name") {
      return line.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? ""
    }
    return "unknown processor"
  }

  private static var kernel: String {
    var names = utsname()
    uname(&names)
    let release = withUnsafeBytes(of: &names.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "Linux \(release)"
  }

  /// The version of the compiler, which the script that builds all of it tells.
  private static var compiler: [String] {
    getenv("BENCH_COMPILER").map { [String(cString: $0)] } ?? []
  }

  /// The versions of the peers, by the system's list of packages.
  private static var packages: [String] {
    let names = [
      "liblmdb0", "libsqlite3-0", "librocksdb7.8", "libleveldb1d", "libroaring0", "liblz4-1",
      "libpng16-16",
    ]
    let output = "/tmp/bench-versions-\(getpid())"
    defer {
      unlink(output)
      unlink(output + ".complaints")
    }
    let format = "${Package} ${Version}\\n"
    guard (try? Programs.run("dpkg-query", ["-W", "-f", format] + names, output: output)) != nil,
      let bytes = try? FileBytes.read(output)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static var date: String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)) UTC"
  }
}
