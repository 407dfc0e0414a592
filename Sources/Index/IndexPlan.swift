internal import PageStore

/// How a query was or would be answered: a tree of steps.
public struct IndexPlan: Sendable, CustomStringConvertible {
  /// What is done, such as `intersect` or `term 'fire' of pokemon/type`.
  public let operation: String
  /// About how many rows the step yields.
  public let estimate: Int
  /// How many rows it did yield, where the query was run and the step was needed as such.
  public let rowCount: Int?
  /// How many cells of tables were looked at, in this step alone.
  public let cellCount: Int
  /// The steps whose answers this one combines, in the order in which they are taken.
  public let steps: [IndexPlan]

  init(_ step: PlanStep) {
    operation = step.operation
    estimate = step.estimate
    rowCount = step.rowCount
    cellCount = step.cost.cellCount
    steps = step.children.map(IndexPlan.init)
  }

  /// The cells looked at in this step and those below it.
  public var totalCellCount: Int { steps.reduce(cellCount) { $0 + $1.totalCellCount } }

  /// A line for each step, those below it further in.
  public var description: String { lines(depth: 0).joined(separator: "\n") }

  private func lines(depth: Int) -> [String] {
    var line = String(repeating: "  ", count: depth) + operation + ": about \(estimate)"
    if let rowCount { line += ", found \(rowCount)" }
    if cellCount > 0 { line += ", read \(cellCount.counted("cell"))" }
    return [line] + steps.flatMap { $0.lines(depth: depth + 1) }
  }
}
