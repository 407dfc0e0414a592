import PageStore
import ProbeModel
import SimulatedDisk
import Testing

extension ProcessTests {
  /// Files whose checksums fit, though somebody has written what he wanted.
  ///
  /// The probe does everything that one can do with each, and goes down with the first that traps,
  /// touches what it must not, or takes more than a minute.
  @Suite struct `A forged file` {
    /// Reads, writes, checks, salvages and compacts forged files in a process of their own.
    private func survives(_ arguments: String...) throws -> Int {
      let words = ["forged", "-"] + arguments
      let process = try ProbeProcess(words)
      let ending = process.wait(milliseconds: 3_600_000)
      #expect(ending == .exited(0), "\(process.lines.suffix(1))")
      let last = process.lines.last?.split(separator: " ") ?? []
      return last.first == "survived" ? Int(last[1]) ?? 0 : 0
    }

    @Test(arguments: 0..<2)
    func `is survived whatever a field of it is set to`(part: Int) throws {
      let by = isLongTest ? 2 : 602
      #expect(try survives("from=\(part)", "by=\(by)") > 10)
    }

    @Test func `is survived whatever several fields of it are set to`() throws {
      #expect(try survives("seeds=\(isLongTest ? 10_000 : 40)") > 10)
    }

    @Test func `is survived whatever its log says`() throws {
      #expect(try survives("log", "by=\(isLongTest ? 1 : 41)") > 10)
    }

    @Test(arguments: [true, false])
    func `is survived whatever length it has`(hasLog: Bool) throws {
      let by = "by=\(isLongTest ? 1 : 23)"
      #expect(try hasLog ? survives("lengths", "log", by) > 10 : survives("lengths", by) > 10)
    }
  }
}
