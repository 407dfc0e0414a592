import Glibc

/// A group of the kernel's that limits the memory of a process together with its page cache.
///
/// Works with the memory controller of either version of control groups, and needs the right to make
/// a group, which root has on most machines.
struct MemoryGroup {
  /// Less than the smallest of the databases that are measured under it.
  static let limit = 48 << 20

  let path: String

  /// A new group with a limit of so many bytes.
  init(limit: Int) throws {
    let places = [
      (root: "/sys/fs/cgroup/memory", file: "memory.limit_in_bytes"),
      (root: "/sys/fs/cgroup", file: "memory.max"),
    ]
    for (root, file) in places {
      let path = "\(root)/bench-\(getpid())"
      guard mkdir(path, 0o755) == 0 else { continue }
      if (try? FileBytes.write(Array("\(limit)".utf8), to: "\(path)/\(file)")) != nil {
        self.path = path
        return
      }
      rmdir(path)
    }
    throw BenchError("can't limit memory: needs root, and control groups with a memory controller")
  }

  /// Puts this process into the group at `path`.
  static func enter(_ path: String) throws {
    try FileBytes.write(Array("\(getpid())".utf8), to: path + "/cgroup.procs")
  }

  /// Removes the group, which nobody is in any more.
  func remove() { rmdir(path) }
}
