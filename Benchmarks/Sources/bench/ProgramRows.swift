extension Row {
  /// What users wait for, as whole processes.
  ///
  /// Where only an empty process stands beside, its ratio says how much of the time is not the work.
  static let programs: [Row] = [
    task("command-init", .initialize, .ownPrograms, .reads, "dexdb init: the whole Pokédex"),
    task(
      "command-find", .find, .allPrograms, .reads, "dexdb find 't:fire t:flying'; sqlite3: a join"),
    task(
      "command-import", .importing, .filePrograms, .slow,
      "adventurers from tab-separated values, with their indexes"),
    task(
      "command-export", .exporting, .filePrograms, .slow,
      "all adventurers as tab-separated values"),
    task("command-check", .check, .filePrograms, .slow, "dexdb check; PRAGMA integrity_check"),
    task("command-backup", .backup, .filePrograms, .slow, "dexdb backup; .backup"),
    task(
      "command-compact", .compact, .filePrograms, .slow,
      "dexdb compact; VACUUM; after half of the adventurers were deleted"),
    task(
      "command-quests", .quests, .ownPrograms, .few, "questrunner run, two jobs, one adventurer"),
    task(
      "browse-keystroke", .keystrokes, .screens, .slow,
      "dexdb browse: the slowest of many keys, until the screen begins to change"),
  ]

  private static func task(
    _ name: String, _ task: ProgramTask, _ field: Field, _ rounds: Rounds, _ note: String
  ) -> Row {
    Row(name, field, "ms", better: .lower, rounds, note) { (stage, contestant, _) in
      let program = try stage.program(contestant)
      try program.prepare(task)
      let time = try program.run(task)
      return Sample(figure: time * 1e3, digest: try program.answer(task))
    }
  }
}
