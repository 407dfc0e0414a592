import Glibc

/// A group of the kernel's that limits the memory of a process together with its page cache.
///
/// Works with the memory controller of either version of control groups, and needs the right to make
/// a group, which root has on most machines.
struct MemoryGroup {
  /// Less than the smallest of the databases that are measured under it.
  static let limit = 48 << 20

  let path: String

  private static let places = [
    (root: "/sys/fs/cgroup/memory", file: "memory.limit_in_bytes"),
    (root: "/sys/fs/cgroup", file: "memory.max"),
  ]

  /// A new group with a limit of so many bytes.
  init(limit: Int) throws {
    MemoryGroup.removeAbandoned()
    for (root, file) in MemoryGroup.places {
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

  /// Removes the groups of runs that were ended from outside.
  private static func removeAbandoned() {
    for (root, _) in places {
      for name in (try? Folder(path: root).names()) ?? [] where name.hasPrefix("bench-") {
        guard let process = pid_t(name.dropFirst(6)), kill(process, 0) != 0 else { continue }
        rmdir("\(root)/\(name)")
      }
    }
  }

  /// Puts this process into the group at `path`.
  static func enter(_ path: String) throws {
    try FileBytes.write(Array("\(getpid())".utf8), to: path + "/cgroup.procs")
  }

  /// Removes the group, which nobody is in any more.
  func remove() { rmdir(path) }
}
