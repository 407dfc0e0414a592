/// Errors as sentences: what happened, and where.
///
/// Names and paths stand in quotation marks, with control characters escaped.
extension StoreError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .corrupt(let damage): "\(damage)."
    case .system(let call, let path, let errno):
      "\(quoted(path)): \(call) failed with \(systemErrorText(errno))."
    case .diskFull(let path, let byteCount, let reader):
      "\(quoted(path)): the disk has no room for \(byteCount.counted("more byte"))"
        + (reader.map { "; the oldest reader is \($0)." } ?? ".")
    case .fileTooLarge(let path, let maximum):
      "\(quoted(path)): the file may have \(maximum.counted("byte")) at most."
    case .poisoned(let path):
      "\(quoted(path)): a write or a sync failed, so the store must be opened again to write."
    case .notADatabase(let path, let kind): "\(quoted(path)) is no database: it is \(kind)."
    case .unsupportedVersion(let path, let found, let supported):
      "\(quoted(path)) has format version \(found), and this library reads up to \(supported)."
    case .logMissing(let path):
      "\(quoted(path)): the log is missing, and the database was not closed."
    case .foreignLog(let path): "\(quoted(path)) is the log of another database, or of a copy."
    case .lostTransactions(let path, let first, let last):
      first == last
        ? "\(quoted(path)): the acknowledged \(first) cannot be read any more."
        : "\(quoted(path)): the acknowledged transactions \(first.rawValue) to \(last.rawValue) "
          + "cannot be read any more."
    case .lockFileMissing(let path):
      "\(quoted(path)) is not the lock file of the processes that have the database open."
    case .alreadyExists(let path): "\(quoted(path)) exists already."
    default: descriptionOfUse
    }
  }

  /// The sentence of an error between processes, or of a caller's.
  private var descriptionOfUse: String {
    switch self {
    case .busy(let path, let holder, let milliseconds):
      "\(quoted(path)) is busy: "
        + (holder.map { "\($0) has the right to write" } ?? "another one is using it")
        + ", and \(milliseconds) ms were not enough."
    case .forked(let path): "\(quoted(path)) belongs to the process that this one was forked from."
    case .tooManyReaders(let path, let maximum):
      "\(quoted(path)): no room for more than \(maximum) processes or snapshots."
    case .closed(let path): "\(quoted(path)) has been closed."
    case .readOnly(let path): "\(quoted(path)) is open for reading only."
    case .nestedWrite(let path):
      "\(quoted(path)): this thread or task is inside a write of the same store already."
    case .cancelled: "The task was cancelled, and nothing was written."
    case .keyTooLong(let byteCount, let maximum):
      "A key of \(byteCount.counted("byte")) is too long: \(maximum) are allowed."
    case .valueTooLong(let byteCount, let maximum):
      "A value of \(byteCount.counted("byte")) is too long: \(maximum) are allowed."
    case .invalidTableName(let byteCount, let maximum):
      "A table's name has \(byteCount.counted("byte")), and must have 1 to \(maximum)."
    case .tooManyTables(let maximum): "There is no room for more than \(maximum) tables."
    case .noSuchTable(let name): "There is no table \(quoted(name))."
    case .tableExists(let name): "There is a table \(quoted(name)) already."
    case .invalidOption(let text): "An option means nothing: \(text)."
    default: "The store failed."
    }
  }
}

extension Damage: CustomStringConvertible {
  /// What is damaged, where, and how; for example `"a.db" is damaged at page 17: …`.
  public var description: String {
    var text = "\(quoted(path)) is damaged"
    if let page { text += " at \(page)" }
    if let table { text += " of table \(quoted(table))" }
    return text + ": \(problem)"
  }
}

extension Damage.Problem: CustomStringConvertible {
  /// What is wrong, as the rest of a sentence.
  public var description: String {
    switch self {
    case .checksum(let stored, let computed):
      "the checksum is \(hexadecimal(stored)), and the bytes have \(hexadecimal(computed))"
    case .staleVersion(let expected, let found):
      "its version is \(hexadecimal(found)), and the pointer asks for \(hexadecimal(expected))"
    case .misplaced(let number): "it says that it is \(number)"
    case .wrongKind(let kind, let level): "kind \(kind) at level \(level) does not belong here"
    case .outOfBounds(let page, let pageCount):
      "\(page) is not among the \(pageCount.counted("page"))"
    case .field(let name, let value): "the \(name) cannot be \(value)"
    case .order(let slot): "the keys are out of order at slot \(slot)"
    case .range: "keys lie outside of the range that the page above gives"
    case .usedTwice(let page): "\(page) is used twice"
    case .notMapped(let page): "\(page) is in use, and the map of space says that it is not"
    case .leaked(let page): "\(page) is in no use, and the map of space says that it is"
    case .count(let name, let stored, let found): "\(found) \(name) are there, and not \(stored)"
    case .truncated(let byteCount): "it ends after \(byteCount.counted("byte"))"
    case .noMetaPage: "neither meta page can be read"
    case .unreadable(let errno): "it cannot be read: \(systemErrorText(errno))"
    }
  }
}

extension FileKind: CustomStringConvertible {
  /// For example `a folder`.
  public var description: String {
    switch self {
    case .file: "a file of another kind"
    case .folder: "a folder"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    case .link: "a symbolic link"
    }
  }
}

extension SystemCall: CustomStringConvertible {
  /// For example `read`.
  public var description: String {
    switch self {
    case .directorySync: "sync of the folder"
    default: rawValue
    }
  }
}

extension ReaderDescription: CustomStringConvertible {
  /// For example `process 4711, which has read transaction 150 for 2000 ms and keeps 8192 bytes`.
  public var description: String {
    "process \(processID), which has read \(transaction) for \(ageMilliseconds) ms and keeps "
      + pinnedByteCount.counted("byte")
  }
}

private func hexadecimal(_ number: UInt32) -> String {
  let digits = String(number, radix: 16)
  return "0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
}
