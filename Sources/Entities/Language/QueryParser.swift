/// Reads a line of the query language.
///
/// ```
/// query = [ or ] ;                     or    = and , { "OR" , and } ;
/// and   = unary , { [ "AND" ] , unary } ;
/// unary = "-" , unary | "(" , or , ")" | term ;
/// ```
///
/// Directives such as `limit:10` stand beside the expression and are taken out of it first; then
/// `or` and `and` are decided from left to right: operators where an operand has just ended and
/// another begins, else words.
public struct QueryParser {
  /// How deep parentheses and minuses may nest.
  public static let nestingLimit = 32

  let line: QueryLine
  let terms: TermParser
  private var tokens: [QueryToken]
  private var position = 0
  private var depth = 0

  /// The query that `text` asks of the entities of `catalog`.
  ///
  /// - Throws: What is wrong, where, and what to write instead.
  /// - Complexity: O(*n*) in the length of the line.
  public static func query(
    _ text: String, in catalog: FieldCatalog
  ) throws(QueryError) -> Query {
    let line = QueryLine(text)
    let tokens = try QueryLexer.tokens(of: line)
    let directives = try DirectiveScanner.scan(tokens, of: line)
    let entity = try directives.entity(in: catalog, of: line)
    let terms = TermParser(line: line, entity: entity, catalog: catalog)
    var parser = QueryParser(line: line, terms: terms, tokens: directives.rest)
    var query = Query(entity: entity.name, filter: try parser.filter())
    try DirectiveParser(terms: terms).apply(directives.found, to: &query)
    return query
  }

  /// What `text`, which is a query, calls the columns that it shows: of records, or the keys of groups.
  ///
  /// Empty where it names none.
  package static func columnNames(_ text: String) -> [String] {
    let line = QueryLine(text)
    do throws(QueryError) {
      let found = try DirectiveScanner.scan(QueryLexer.tokens(of: line), of: line).found
      let named = found.first { $0.name == .show } ?? found.first { $0.name == .group }
      return named?.value.parts(separatedBy: ",").map { line.text($0.range) } ?? []
    } catch {
      return []
    }
  }

  private init(line: QueryLine, terms: TermParser, tokens: [QueryToken]) {
    self.line = line
    self.terms = terms
    self.tokens = tokens
  }

  private var token: QueryToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func filter() throws(QueryError) -> Filter {
    if tokens.isEmpty { return .everything }
    let filter = try or()
    if let token {
      throw line.error("')' without '('", at: token.range, "leave it out, or open one before")
    }
    return filter
  }

  private mutating func or() throws(QueryError) -> Filter {
    var parts = [try and()]
    while isOperator("or", at: position) {
      position += 1
      parts.append(try and())
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func and() throws(QueryError) -> Filter {
    var parts = [try unary()]
    while let token, token.kind != .close, !isOperator("or", at: position) {
      if isOperator("and", at: position) { position += 1 }
      parts.append(try unary())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// True where the keyword stands after an operand and before another.
  private func isOperator(_ keyword: String, at position: Int) -> Bool {
    guard position < tokens.count, tokens[position].isKeyword(keyword) else { return false }
    return beginsOperand(at: position + 1)
  }

  private func beginsOperand(at position: Int) -> Bool {
    position < tokens.count && tokens[position].kind != .close
  }

  private mutating func unary() throws(QueryError) -> Filter {
    guard let token else {
      // Only after a minus or an opening parenthesis that ends the line.
      let last = tokens[position - 1]
      throw last.kind == .open
        ? unclosed(last)
        : line.error(
          "nothing after '-'", at: last.range, "'-' stands before what is not wanted")
    }
    position += 1
    switch token.kind {
    case .word:
      try checkNegation(token)
      return try terms.filter(of: token, next: self.token)
    case .minus:
      try enter(token)
      let operand = try unary()
      depth -= 1
      return .not(operand)
    case .open: return try group(token)
    case .close:
      throw line.error("')' without '('", at: token.range, "leave it out, or open one before")
    }
  }

  private mutating func group(_ open: QueryToken) throws(QueryError) -> Filter {
    try enter(open)
    if let token, token.kind == .close {
      throw line.error(
        "nothing between '(' and ')'", at: open.range.lowerBound..<token.range.upperBound,
        "leave them out")
    }
    let inner = try or()
    guard let token, token.kind == .close else { throw unclosed(open) }
    position += 1
    depth -= 1
    return inner
  }

  private func unclosed(_ open: QueryToken) -> QueryError {
    line.error("'(' is not closed", at: open.range, "add ')' where the group ends")
  }

  private mutating func enter(_ token: QueryToken) throws(QueryError) {
    depth += 1
    if depth > Self.nestingLimit {
      throw line.error(
        "nested deeper than \(Self.nestingLimit)", at: token.range,
        "take out parentheses and minuses that are not needed")
    }
  }

  /// `not` and `!` are not how this language negates.
  private func checkNegation(_ token: QueryToken) throws(QueryError) {
    if token.isKeyword("not"), beginsOperand(at: position), !isOperator("or", at: position),
      !isOperator("and", at: position)
    {
      let next = tokens[position]
      let operand = next.kind == .word ? line.text(next.range) : "(…)"
      throw line.error(
        "'\(line.text(token.range))' does not negate", at: token.range,
        next.kind == .minus ? "write - alone" : "write -\(operand)",
        "to search for the word, write \"not\"")
    }
    guard token.head.first == "!", token.head.count == 1 || !token.head[1].isOperator else {
      return
    }
    let rest = line.text(token.range.lowerBound + 1..<token.range.upperBound)
    let isAlone = rest.isEmpty && !beginsOperand(at: position)
    throw line.error(
      "'!' does not negate", at: token.range.lowerBound..<token.range.lowerBound + 1,
      isAlone ? "'-' stands before what is not wanted" : "write -\(rest.isEmpty ? "…" : rest)")
  }
}
