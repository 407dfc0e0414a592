/// Text and bytes on their way to standard output or standard error, collected and written at once.
///
/// Where the output is a terminal and does not fit, it can go through a pager.
package struct OutputStream: ~Copyable {
  private let descriptor: Int32
  /// What is written in the place of the descriptor.
  private let file: OutputFile?
  private var pending: [UInt8] = []
  /// Collects everything until the end, so that the length is known.
  private let isCollecting: Bool
  /// False once the other end is gone.
  package private(set) var isOpen = true
  /// Why the output did not take everything; nil where it did, or where nobody reads it any more.
  private var failure: String?

  package init(_ descriptor: Int32, isCollecting: Bool = false) {
    self.descriptor = descriptor
    self.isCollecting = isCollecting
    file = nil
  }

  /// Text and bytes on their way into `file`, which stays open.
  package init(_ file: OutputFile) {
    descriptor = -1
    isCollecting = false
    self.file = file
  }

  package mutating func write(_ text: String) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= 1 << 16, !isCollecting { flush() }
  }

  package mutating func write(bytes: [UInt8]) {
    pending += bytes
    if pending.count >= 1 << 16, !isCollecting { flush() }
  }

  package mutating func flush() {
    if pending.isEmpty || !isOpen { return }
    if let file { return flush(into: file) }
    isOpen = SystemCalls.write(pending, to: descriptor)
    if !isOpen, !SystemCalls.isLastErrorBrokenPipe {
      failure = SystemCalls.text(ofError: SystemCalls.lastError)
    }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func flush(into file: OutputFile) {
    do throws(FileFailure) {
      try file.write(pending)
    } catch {
      isOpen = false
      failure = error.reason
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Throws where the output did not take everything, and somebody was to read it.
  package func checkWritten() throws {
    if let failure { throw CommandFailure("\(file?.path ?? "standard output"): \(failure)") }
  }

  /// Writes `text` to standard output at once.
  package static func say(_ text: String) throws {
    var output = OutputStream(1)
    output.write(text)
    output.flush()
    try output.checkWritten()
  }

  /// Writes what is left; through the pager where it has more lines than `rows`.
  package mutating func finish(rows: Int?, pager: String?) {
    if let rows, let pager, !pager.isEmpty, pending.count(where: { $0 == 10 }) >= rows,
      SystemCalls.page(pending, with: pager)
    {
      pending = []
      return
    }
    flush()
  }
}
