import Entities
import Glibc

// reading-list FILE add TITLE [PAGES] [KIND…]
// reading-list FILE find [WORD] [KIND…]
// reading-list FILE read NUMBER
// reading-list FILE stats

let usage = """
  usage: reading-list FILE add TITLE [PAGES] [KIND…]
         reading-list FILE find [WORD] [KIND…]     a word of the title, or its beginning
         reading-list FILE read NUMBER
         reading-list FILE stats
  """

/// Runs the command in `words` and returns the exit code.
func run(_ words: [String], on list: ReadingList) throws -> Int32 {
  let operands = words.dropFirst()
  switch words.first {
  case "add":
    guard let title = operands.first else { return complain(usage) }
    var rest = operands.dropFirst()
    let pages = rest.first.flatMap { Int($0) }
    if pages != nil { rest = rest.dropFirst() }
    let id = try list.add(Book(title: title, kinds: Array(rest), pageCount: pages))
    print("\(id) \(title)")
  case "find":
    let found = try list.find(operands.first ?? "", kinds: Array(operands.dropFirst()))
    for book in found { print(line(of: book)) }
  case "read":
    guard let id = operands.first.flatMap({ UInt64($0) }) else { return complain(usage) }
    try list.markAsRead(EntityID(id))
  case "stats":
    for row in try list.statistics().rows { print(row.values.map(text).joined(separator: "\t")) }
    let (read, all) = try list.progress()
    print("read \(read) of \(all)")
  default: return complain(usage)
  }
  return 0
}

func line(of book: Identified<Book>) -> String {
  let pages = book.value.pageCount.map { "\($0) pages" } ?? "?"
  let kinds = book.value.kinds.joined(separator: ", ")
  return "\(book.id)\t\(book.value.title)\t\(pages)\t\(kinds)\(book.value.isRead ? "\tread" : "")"
}

func text(_ value: FieldValue?) -> String {
  switch value {
  case .text(let text): text
  case .names(let names): names.joined(separator: ", ")
  case .integer(let number): String(number)
  case .real(let number): String(Int(number.rounded()))
  default: "-"
  }
}

func complain(_ message: String, code: Int32 = 2) -> Int32 {
  let line = message + "\n"
  write(STDERR_FILENO, line, line.utf8.count)
  return code
}

/// What is wrong, in words for somebody who keeps a list of books.
func message(_ error: any Error) -> String {
  switch error {
  case DatabaseError.invalid(_, _, let field, .notUnique(let id)):
    "book \(id) has the same \(field)"
  case DatabaseError.invalid(_, _, let field, .blank): "the \(field) is empty"
  case DatabaseError.invalid(_, _, let field, _): "the \(field) cannot be that"
  case DatabaseError.noSuchRecord(_, let id): "there is no book \(id)"
  default: "\(error)"
  }
}

guard CommandLine.arguments.count > 2 else { exit(complain(usage)) }
do {
  let list = try ReadingList(path: CommandLine.arguments[1])
  let code = try run(Array(CommandLine.arguments.dropFirst(2)), on: list)
  try list.close()
  exit(code)
} catch {
  exit(complain("reading-list: \(message(error))", code: 1))
}
