import Glibc
import PageStore
import Terminal
import Testing

@testable import dexdb

@Suite struct `Leaves nothing half done` {
  @Test func `keeps the file that was there until the new one is whole`() throws {
    let folder = ProgramFolder()
    let path = folder.write("what was there", to: "kept")
    chmod(path, 0o640)
    let text = { String(decoding: ProgramFolder.bytes(path), as: UTF8.self) }
    let rows = String(repeating: "a row\n", count: 50_000)
    let given = try OutputFile(path)
    try given.write(rows)
    #expect(text() == "what was there")
    given.abandon()
    #expect(text() == "what was there" && ProgramFolder.names(in: folder.path) == ["kept"])
    let done = try OutputFile(path)
    try done.write(rows)
    try done.close()
    let isWhole = text() == rows
    #expect(isWhole && ProgramFolder.names(in: folder.path) == ["kept"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func `writes through links, and to what is no file as it is`() {
    let dexdb = Dexdb()
    _ = dexdb.folder.write("", to: "real")
    #expect(symlink("real", dexdb.folder.path + "/link") == 0)
    let head = "id\tname"
    #expect(dexdb("export", "-o", dexdb.folder.path + "/link", "from:adv").code == 0)
    #expect(
      String(decoding: ProgramFolder.bytes(dexdb.folder.path + "/real"), as: UTF8.self)
        .hasPrefix(head))
    var status = stat()
    #expect(lstat(dexdb.folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(dexdb("export", "-o", "/dev/stdout", "from:adv").text.hasPrefix(head))
    #expect(dexdb("export", "-o", "/dev/full").code == 1)
  }

  @Test func `takes away what it had begun where a signal ends it`() {
    let dexdb = Dexdb()
    _ = dexdb.folder.write(
      dexdb("dump").lines.prefix(500).joined(separator: "\n") + "\n", to: "part")
    // The restore waits for the rest of its dump when the signal comes.
    let script = """
      mkfifo rows; exec 3<>rows; cat part >&3 &
      '\(Dexdb.program)' -f new.dex restore rows 2>said & child=$!
      for i in {1..400}; do ls new.dex.*.new >/dev/null 2>&1 && break; sleep 0.02; done
      sleep 0.1; kill -TERM $child; wait $child; echo $?
      """
    _ = dexdb.folder.write(script, to: "script")
    let terminal = PseudoTerminal(["script"], folder: dexdb.folder.path, program: "/bin/bash")
    #expect(terminal.waitForEnd() == 0)
    #expect(terminal.screen.lines.contains("143"), "\(terminal.screen.lines)")
    #expect(
      ProgramFolder.names(in: dexdb.folder.path) == ["part", "rows", "said", "script", "test.dex"])
  }

  @Test func `gives up saving what is left of a database where it is told to`() {
    let dexdb = Dexdb()
    var counts: [Int] = []
    #expect(throws: StoreError.cancelled) {
      try Store.salvage(from: dexdb.database, to: dexdb.folder.path + "/saved.dex") {
        counts.append($0)
        return counts.count < 3
      }
    }
    #expect(counts == [1024, 2048, 3072])
    #expect(ProgramFolder.names(in: dexdb.folder.path) == ["test.dex"])
  }
}
