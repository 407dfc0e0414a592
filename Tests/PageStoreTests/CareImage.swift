import PageStore
import ProbeModel
import SimulatedDisk

extension DatabaseImage {
  /// A database at rest, with tables that have all kinds of pages.
  static func sample(seed: UInt64, rowCount: Int = 2000) throws -> (
    file: DatabaseImage, rows: [String: CareModel.Rows]
  ) {
    let name = "\(seed), \(rowCount)"
    if let sample = samples.withLock({ $0[name] }) { return sample }
    let disk = SimulatedDisk()
    var model = CareModel(seed: seed)
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    for _ in 0..<4 { try model.change(store, count: rowCount / 4) }
    try store.close()
    let sample = (file: DatabaseImage(disk.contents(of: "a.db") ?? []), rows: model.tables)
    samples.withLock { $0[name] = sample }
    return sample
  }

  private static let samples = Guarded<
    [String: (file: DatabaseImage, rows: [String: CareModel.Rows])]
  >(
    [:])
}

/// A disk with one database on it.
struct CareDisk {
  let disk = SimulatedDisk()

  init(_ file: DatabaseImage) { disk.setContents(of: "a.db", to: file.bytes) }

  func check() throws -> CheckReport {
    let before = disk.contents(of: "a.db")
    let report = try Store.check(path: "a.db", fileSystem: SimulatedSystem(disk))
    if disk.contents(of: "a.db") != before { throw CareFailure.changed }
    if disk.names != ["a.db"] { throw CareFailure.leftFiles(disk.names) }
    return report
  }
}

enum CareFailure: Error {
  case changed
  case leftFiles([String])
}
