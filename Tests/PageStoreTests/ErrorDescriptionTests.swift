import Glibc
import PageStore
import Testing

@Suite struct `A store's error` {
  private static let nasty = "a\u{1B}[2J\"b\n\u{202E}c\\\0\u{9B}"

  private static let problems: [Damage.Problem] = [
    .checksum(stored: 1, computed: 2), .staleVersion(expected: 1, found: 2),
    .misplaced(number: PageID(3)), .wrongKind(2, level: 1),
    .outOfBounds(PageID(9), pageCount: 4), .field("count", 7), .order(slot: 3), .range,
    .usedTwice(PageID(4)), .notMapped(PageID(5)), .leaked(PageID(6)),
    .count("rows", stored: 1, found: 2), .truncated(byteCount: 1), .noMetaPage,
    .unreadable(errno: EIO),
  ]

  private static var errors: [StoreError] {
    let reader = ReaderDescription(
      processID: 7, transaction: TransactionNumber(8), ageMilliseconds: 9, pinnedByteCount: 10)
    let holder = ProcessDescription(processID: 11, isResponding: false)
    var errors: [StoreError] = [
      .system(.read, path: nasty, errno: ENOSPC), .system(.directorySync, path: nasty, errno: 9999),
      .diskFull(path: nasty, byteCount: 1, oldestReader: reader),
      .diskFull(path: nasty, byteCount: 2, oldestReader: nil),
      .fileTooLarge(path: nasty, maximum: 3), .poisoned(path: nasty),
      .unsupportedVersion(path: nasty, found: 2, supported: 1), .logMissing(path: nasty),
      .foreignLog(path: nasty),
      .lostTransactions(path: nasty, first: TransactionNumber(4), last: TransactionNumber(4)),
      .lostTransactions(path: nasty, first: TransactionNumber(4), last: TransactionNumber(5)),
      .lockFileMissing(path: nasty), .alreadyExists(path: nasty),
      .busy(path: nasty, holder: holder, milliseconds: 5),
      .busy(path: nasty, holder: nil, milliseconds: 5), .forked(path: nasty),
      .tooManyReaders(path: nasty, maximum: 6), .closed(path: nasty), .readOnly(path: nasty),
      .nestedWrite(path: nasty), .cancelled, .keyTooLong(byteCount: 2000, maximum: 1024),
      .valueTooLong(byteCount: 1 << 33, maximum: 1 << 32),
      .invalidTableName(byteCount: 0, maximum: 255),
      .tooManyTables(maximum: 65_536), .noSuchTable(nasty), .tableExists(nasty),
      .invalidOption("busyTimeout -1"),
    ]
    for kind: FileKind in [.file, .folder, .pipe, .socket, .device, .link] {
      errors.append(.notADatabase(path: nasty, kind))
    }
    for problem in problems {
      errors.append(.corrupt(Damage(path: nasty, page: PageID(17), table: nasty, problem)))
      errors.append(.corrupt(Damage(path: nasty, problem)))
    }
    return errors
  }

  @Test func `is a sentence of its own, and has nothing in it that acts on a terminal`() {
    var seen: Set<String> = []
    for error in Self.errors {
      let text = "\(error)"
      #expect(text.hasSuffix(".") && text.split(separator: " ").count >= 3, "\(text)")
      #expect(!text.contains("(path:"), "\(text)")
      #expect(seen.insert(text).inserted, "\(text) is said twice")
      let isClean = text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
      }
      #expect(isClean, "\(text)")
    }
  }

  @Test func `says what and where`() {
    let damage = Damage(
      path: "towns.db", page: PageID(17), table: "towns", .misplaced(number: PageID(3)))
    #expect(
      "\(StoreError.corrupt(damage))"
        == "\"towns.db\" is damaged at page 17 of table \"towns\": it says that it is page 3.")
    #expect(
      "\(StoreError.system(.write, path: "towns.db", errno: ENOSPC))"
        == "\"towns.db\": write failed with ENOSPC: No space left on device.")
    #expect(
      "\(StoreError.notADatabase(path: "/tmp", .folder))"
        == "\"/tmp\" is no database: it is a folder.")
    #expect("\(StoreError.noSuchTable("a\nb"))" == "There is no table \"a\\u{A}b\".")
    #expect("\(StoreError.noSuchTable("Größe 山"))" == "There is no table \"Größe 山\".")
  }
}
