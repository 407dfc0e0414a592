import Entities
import PageStore
import Terminal

/// The lines of text that show an adventurer.
struct AdventurerPage {
  let snapshot: DatabaseSnapshot
  let styling: Styling
  let id: EntityID

  func lines() throws -> [String] {
    guard let adventurer = try snapshot.get(Adventurer.self, id) else {
      throw CommandFailure("no record \(id) in adventurers")
    }
    let name = TerminalText.escaped(adventurer.name)
    let profession = TerminalText.escaped(adventurer.profession)
    var lines = [
      styling.bold("\(name)  adventurer \(id)"), "\(profession), level \(adventurer.level)",
    ]
    if let type = Profession(named: adventurer.profession)?.attackType.name {
      lines.append("attacks with " + styling.colored(type, TypeColor.of(type)))
    }
    lines.append("")
    let points = "\(adventurer.currentHitPoints)/\(adventurer.totalHitPoints)"
    let state =
      adventurer.isAlive
      ? adventurer.currentHitPoints < adventurer.totalHitPoints ? "hurt" : "well" : "fallen"
    lines += [
      StatisticLine.text(
        "HP", adventurer.currentHitPoints, of: adventurer.totalHitPoints, styling),
      "\(DisplayWidth.padded("", to: 8))  \(points), \(state)",
      StatisticLine.text("Defense", adventurer.defense, of: 255, styling),
      StatisticLine.text("Speed", adventurer.speed, of: 255, styling),
      "\(DisplayWidth.padded("Attack", to: 8))  ×\(ExactDecimal.rounded(Double(adventurer.multiplier) / 256))",
      "\(DisplayWidth.padded("Evasion", to: 8))  \(ExactDecimal.rounded(Double(adventurer.evasion) * 100 / 256)) %",
      "",
      "\(adventurer.experience) XP, \(adventurer.wins.counted("win")), \(adventurer.losses.counted("loss", "losses"))",
    ]
    if let created = adventurer.created {
      lines.append("recruited \(Timestamp.text(of: Int64(created)).prefix(10))")
    }
    return lines
  }
}
