import Testing

@testable import dexdb

@Suite struct `What the shell writes into files` {
  @Test(arguments: [("TERM", "143"), ("HUP", "129")])
  func `is there once a line has run, and stays whole where a signal ends the shell`(
    signal: String, code: String
  ) {
    let dexdb = Dexdb()
    // The shell waits for a third line when the signal comes.
    let script = """
      mkfifo lines; exec 3<>lines; echo 'an old file' >list.txt
      '\(Dexdb.program)' -f test.dex shell <lines >said 2>&1 & child=$!
      echo '.output list.txt' >&3; echo '.count t:fire' >&3
      for i in {1..400}; do grep -q 81 list.txt && break; sleep 0.02; done
      cp list.txt first.txt; echo '#25 show:name' >&3
      for i in {1..400}; do grep -q Pika list.txt && break; sleep 0.02; done
      kill -\(signal) $child; wait $child; echo $?
      """
    _ = dexdb.folder.write(script, to: "script")
    let terminal = PseudoTerminal(["script"], folder: dexdb.folder.path, program: "/bin/bash")
    #expect(terminal.waitForEnd() == 0)
    #expect(terminal.screen.lines.contains(code), "\(terminal.screen.lines)")
    let text = { (name: String) in
      String(decoding: ProgramFolder.bytes(dexdb.folder.path + "/" + name), as: UTF8.self)
    }
    #expect(text("first.txt") == "81\n")
    #expect(text("list.txt") == "81\nname\nPikachu\n")
    // The lock file of who was ended goes with the next one who has the database open.
    #expect(dexdb("count", "t:fire").text == "81\n")
    #expect(
      ProgramFolder.names(in: dexdb.folder.path)
        == ["first.txt", "lines", "list.txt", "said", "script", "test.dex"])
  }

  @Test func `is only what a line shows: a file that no line was for is named, and as it was`() {
    let dexdb = Dexdb()
    let first = dexdb.folder.write("as it was", to: "first.txt")
    let second = dexdb.folder.path + "/second.txt"
    let script = ".once \(first)\n.once \(second)\n.count t:fire\n.once \(first)\n"
    let run = dexdb("shell", input: script)
    #expect(run.code == 0 && run.text.isEmpty)
    #expect(
      run.errors == """
        \(first) is not written: .once \(second) came first
        \(first) is not written: no line came

        """)
    #expect(String(decoding: ProgramFolder.bytes(first), as: UTF8.self) == "as it was")
    #expect(String(decoding: ProgramFolder.bytes(second), as: UTF8.self) == "81\n")
    #expect(
      ProgramFolder.names(in: dexdb.folder.path) == ["first.txt", "second.txt", "test.dex"])
  }
}
