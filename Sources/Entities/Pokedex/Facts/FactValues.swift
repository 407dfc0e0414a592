/// Columns as values of Swift types.
extension FactColumns {
  /// The numbers of a column in which none is absent.
  func numbers(_ name: String) throws(FactsError) -> [Int] {
    var numbers: [Int] = []
    for number in try integers(name) {
      guard let number else { throw failure(column: name, .value("none")) }
      numbers.append(number)
    }
    return numbers
  }

  /// The flags of a column of zeros and ones.
  func flags(_ name: String) throws(FactsError) -> [Bool] {
    var flags: [Bool] = []
    for number in try numbers(name) {
      guard number == 0 || number == 1 else { throw failure(column: name, .value("\(number)")) }
      flags.append(number == 1)
    }
    return flags
  }

  /// The texts of a column, nil where they are absent.
  func textsIfPresent(_ name: String) throws(FactsError) -> [String?] {
    try texts(name).map { $0.isEmpty ? nil : $0 }
  }

  /// The names of a closed list in a column in which none is absent.
  func members<Name: Vocabulary>(
    _ type: Name.Type, of name: String
  ) throws(FactsError) -> [Name] {
    var members: [Name] = []
    for text in try texts(name) { members.append(try member(type, text, name)) }
    return members
  }

  /// The names of a closed list in a column, nil where they are absent.
  func membersIfPresent<Name: Vocabulary>(
    _ type: Name.Type, of name: String
  ) throws(FactsError) -> [Name?] {
    var members: [Name?] = []
    for text in try texts(name) {
      members.append(text.isEmpty ? nil : try member(type, text, name))
    }
    return members
  }

  /// The lists of names of a closed list in a column.
  func memberLists<Name: Vocabulary>(
    _ type: Name.Type, of name: String
  ) throws(FactsError) -> [[Name]] {
    var rows: [[Name]] = []
    for list in try lists(name) {
      var members: [Name] = []
      for text in list { members.append(try member(type, text, name)) }
      rows.append(members)
    }
    return rows
  }

  /// The lists of abilities of the column `abilities`, the hidden ones told apart.
  func abilities() throws(FactsError) -> [Abilities] {
    try lists("abilities").map { Abilities(marked: $0) }
  }

  /// The six base stats.
  func stats() throws(FactsError) -> [BaseStats] {
    let columns = try BaseStats.names.map { name throws(FactsError) in try numbers(name) }
    return (0..<rowCount).map { row in
      BaseStats(
        hp: columns[0][row], attack: columns[1][row], defense: columns[2][row],
        specialAttack: columns[3][row], specialDefense: columns[4][row], speed: columns[5][row])
    }
  }

  func failure(column: String, _ damage: FactsDamage) -> FactsError {
    .damaged(table: table, column: column, damage)
  }

  private func member<Name: Vocabulary>(
    _ type: Name.Type, _ text: String, _ column: String
  ) throws(FactsError) -> Name {
    guard let member = Name(name: text) else { throw failure(column: column, .value(text)) }
    return member
  }
}
