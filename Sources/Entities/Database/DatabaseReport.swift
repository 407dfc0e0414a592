/// What a check of a database's records and indexes found.
public struct DatabaseReport: Equatable, Sendable {
  /// Something that is wrong.
  public struct Problem: Equatable, Sendable {
    /// The entity.
    public var entity: String
    /// The record, where it is known.
    public var id: EntityID?
    /// The field, or the index of a field; `*` is the index of all records.
    public var field: String?
    /// What is wrong, in words.
    public var problem: String

    /// A problem.
    public init(entity: String, id: EntityID? = nil, field: String? = nil, _ problem: String) {
      self.entity = entity
      self.id = id
      self.field = field
      self.problem = problem
    }
  }

  /// How many problems a report keeps.
  public static let problemLimit = 1000

  /// The first problems.
  public private(set) var problems: [Problem] = []
  /// How many problems there were in all.
  public private(set) var problemCount = 0
  /// How many records each entity has.
  public internal(set) var recordCounts: [String: Int] = [:]
  /// How many indexes were compared with the records.
  public internal(set) var indexCount = 0

  /// True where nothing is wrong.
  public var isClean: Bool { problemCount == 0 }

  mutating func note(_ problem: Problem) {
    problemCount += 1
    if problems.count < Self.problemLimit { problems.append(problem) }
  }

  mutating func note(_ count: Int) { problemCount += count }
}
