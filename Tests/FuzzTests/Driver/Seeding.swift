import Glibc

/// Writes the inputs that a target begins with.
enum Seeding {
  /// Writes the seeds of `target` into `folder`, and returns the exit code.
  static func write(_ target: String, into folder: String) -> CInt {
    guard let target = FuzzTarget.all.first(where: { $0.name == target }) else { return 2 }
    do {
      for (index, seed) in try target.seeds().enumerated() {
        let path = "\(folder)/seed-\(target.name)-\(index)"
        guard let file = fopen(path, "w") else { return 1 }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
      }
      return 0
    } catch {
      print("\(target.name): \(error)")
      return 1
    }
  }
}
