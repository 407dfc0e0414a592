import Entities
import Testing

@Suite struct `A bestiary` {
  private func table(_ text: String) throws(QuestError) -> EnemyTable {
    try QuestBestiary.table(Array(text.utf8))
  }

  @Test func `gives enemies of one's own`() throws {
    let table = try table(
      """
      # mine
      name\ttypes\thp\tattack\tdefense\tspeed\tbase_experience\tevasion
      Rat\tnormal\t30\t56\t35\t72\t51\t
      Wyrm\tdragon,Fire\t90\t100\t80\t40\t\t12
      """)
    #expect(
      table.species == [
        EnemySpecies(
          number: 1, name: "Rat", hp: 30, attack: 56, defense: 35, speed: 72, types: [.normal],
          baseExperience: 51, multiplier: 80, evasion: 9),
        EnemySpecies(
          number: 2, name: "Wyrm", hp: 90, attack: 100, defense: 80, speed: 40,
          types: [.dragon, .fire], baseExperience: 0, multiplier: 80, evasion: 12),
      ])
  }

  @Test func `is refused with the line and the column that are wrong`() {
    let head = "name\ttypes\thp\tattack\tdefense\tspeed\n"
    let cases: [(text: String, line: Int, column: String?)] = [
      ("name\ttypes\thp\tattack\tdefense\n", 1, "speed"),
      ("name\ttypes\thp\tattack\tdefense\tspeed\tcolour\n", 1, "colour"),
      ("name\tname\ttypes\thp\tattack\tdefense\tspeed\n", 1, "name"),
      (head + "Rat\tnormal\t1\t1\t1\n", 2, nil), (head + "Rat\tnormal\t0\t1\t1\t1\n", 2, "hp"),
      (head + "Rat\tnormla\t1\t1\t1\t1\n", 2, "types"), (head + "Rat\t\t1\t1\t1\t1\n", 2, "types"),
      (head + "\nRat\tice\t1\tx\t1\t1\n", 3, "attack"),
      (head + "Rat\tice\t1\t1\t1\t10001\n", 2, "speed"), (head + "\tice\t1\t1\t1\t1\n", 2, "name"),
    ]
    for (text, line, column) in cases {
      do throws(QuestError) {
        _ = try table(text)
        Issue.record("taken: \(text)")
      } catch {
        guard case .bestiary(line, column, _) = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    #expect(throws: QuestError.noEnemies) { try table("") }
    #expect(throws: QuestError.noEnemies) { try table(head) }
  }
}
