/// Something that reads bytes which anybody may have made, and must answer whatever they are.
struct FuzzTarget: Sendable {
  /// What the scripts call it, and the folder of its inputs.
  let name: String
  /// The longest input that is tried, in bytes.
  var longestInput = 4096
  /// The most memory that one allocation may take, in MiB, and all together.
  var limits = (allocation: 64, memory: 1024)
  /// The file of words in `Dictionaries`, without its ending.
  var dictionary: String?
  /// Inputs to begin with, from the project's own writers.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Reads one input; throws where the answer is wrong, and returns where it is an answer at all.
  let run: @Sendable ([UInt8]) throws(FuzzFinding) -> Void

  /// All of them, in the order in which they are run.
  static let all: [FuzzTarget] =
    queries + logs + pages + records + pictures + indexes + quests + imports + locks
}

/// What an input has shown: something that is promised does not hold.
struct FuzzFinding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws `message` where `condition` is false.
  static func unless(
    _ condition: Bool, _ message: @autoclosure () -> String
  ) throws(FuzzFinding) {
    if !condition { throw FuzzFinding(message()) }
  }
}
