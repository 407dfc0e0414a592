package import Entities

extension NearestName {
  /// What to write instead of `word`: the nearest of `names` first, where one is near, and all.
  package static func help(for word: String, among names: [String]) -> [String] {
    let near = of(word, among: names).map { "did you mean '\($0)'?" }
    return (near.map { [$0] } ?? []) + ["one of " + names.joined(separator: ", ")]
  }
}
