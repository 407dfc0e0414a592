import Entities
import Glibc
import PageStore
import Synchronization

/// True for the long suites.
let isLongTest = getenv("DEX_LONG").map { String(cString: $0) } == "1"

/// What a run of a program gave.
struct ProgramRun {
  var text: String
  var errors: String
  /// The exit code, or 128 and the signal.
  var code: Int32
}

/// A folder for one test, with programs to run in it.
final class Programs: Sendable {
  let folder: String
  private let count = Atomic(0)

  init() {
    var template = Array("/tmp/questrunner-tests-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no folder in /tmp")
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names() { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  func names() -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func path(_ name: String) -> String { folder + "/" + name }

  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> String {
    guard let file = fopen(path(name), "w") else { return path(name) }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path(name)
  }

  /// The programs lie beside the tests.
  private static let bin: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, 4095)
    let own = String(
      decoding: buffer[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let beside = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    if access(beside + "/questrunner", X_OK) == 0 { return beside }
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      var folder = argument.split(separator: "/")
      while let last = folder.popLast() {
        if !last.hasSuffix(".xctest") { continue }
        return folder.map { "/" + $0 }.joined()
      }
    }
    return beside
  }()

  /// Runs a program; where `signal` is given, sends that after so many microseconds.
  @discardableResult
  func run(
    _ program: String, _ arguments: [String], signal: (number: Int32, after: UInt32)? = nil,
    environment: [String] = [], output: String? = nil
  ) -> ProgramRun {
    start(
      Self.bin + "/" + program, arguments, signal: signal, environment: environment,
      output: output)
  }

  private func start(
    _ file: String, _ arguments: [String], signal: (number: Int32, after: UInt32)? = nil,
    environment: [String] = [], output: String? = nil
  ) -> ProgramRun {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    let paths = ["out", "err"].map { path(".\($0)-\(number)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, output ?? paths[0], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, paths[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // The threads that tests run on block signals, which a program would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var words = ([file] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    let usual = ["SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "TERM=xterm"]
    let names = Set(environment.compactMap { $0.split(separator: "=").first })
    let all =
      usual.filter { !names.contains($0.prefix { $0 != "=" }) } + environment
    var variables = all.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    defer { for word in words + variables { free(word) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, file, &actions, &attributes, &words, &variables)
    precondition(result == 0, "\(file) cannot be run: \(result)")
    var status: Int32 = 0
    if let signal {
      usleep(signal.after)
      kill(child, signal.number)
    }
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    let run = ProgramRun(
      text: String(decoding: Self.bytes(paths[0]), as: UTF8.self),
      errors: String(decoding: Self.bytes(paths[1]), as: UTF8.self),
      code: status & 127 == 0 ? status >> 8 & 255 : 128 + status & 127)
    for path in paths { unlink(path) }
    return run
  }

  /// Runs a line of the shell.
  func runScript(_ line: String, environment: [String] = []) -> ProgramRun {
    start(
      "/bin/bash", ["-c", line], environment: environment + ["PATH=\(Self.bin):/usr/bin:/bin"])
  }

  /// A database with a few species and three adventurers.
  func makeDatabase(_ name: String) throws {
    var options = StoreOptions()
    options.createsFile = true
    let database = try Database(path: path(name), entities: Pokedex.entities, options: options)
    try database.write { (transaction: inout DatabaseTransaction) throws in
      for pokemon in try BundledSpecies.few() {
        try transaction.insert(pokemon, id: pokemon.id)
      }
      for (index, profession) in ["Wizard", "Knight", "Baker"].enumerated() {
        let id = EntityID(UInt64(index + 1))
        try transaction.insert(
          Adventurer.recruit(
            name: ["Ana", "Bo", "Cy"][index], profession: profession, seed: 7, id: id), id: id)
      }
    }
    try database.close()
  }

  /// Everything that a database has, as text.
  func dump(_ name: String) throws -> [String] {
    var options = StoreOptions()
    options.isReadOnly = true
    options.createsFile = false
    let database = try Database(path: path(name), entities: Pokedex.entities, options: options)
    var lines: [String] = []
    let snapshot = try database.snapshot()
    for name in try snapshot.entityNames() {
      try snapshot.forEach(name) { id, record throws(DatabaseError) in
        let values = record.values.sorted { $0.key < $1.key }
        lines.append(
          "\(name) \(id) " + values.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
        return true
      }
    }
    return lines
  }
}

/// A few species, from the data that the library carries.
enum BundledSpecies {
  /// Thirty of them, of which none evolves from another one.
  static func few() throws -> [Pokemon] { try found.get() }

  private static let found: Result<[Pokemon], any Error> = Result {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { (transaction: inout DatabaseTransaction) throws in
      try Pokedex.fill(&transaction)
    }
    return try database.snapshot().find(Pokemon.self, limit: 30).map { identified in
      var pokemon = identified.value
      pokemon.evolvesFrom = nil
      return pokemon
    }
  }
}
