import Entities
import Terminal

/// Pictures that were drawn before, at the sizes in which they were wanted.
///
/// A screen full of new pictures takes longer than a key may take to be answered. So each frame has
/// a time for making pictures; what is missing then comes with the next frame.
final class BrowsePictures {
  private struct Key: Hashable {
    var record: BrowseRecord
    var columns: Int
    var rows: Int
  }

  private var portraits: [BrowseRecord: Portrait?] = [:]
  private var pictures: [Key: ScreenPicture] = [:]
  private var deadline: ContinuousClock.Instant?
  /// True where a picture was left out for want of time.
  private(set) var isIncomplete = false

  private static let most = 1000

  /// Begins a frame in which pictures may be made for so long; nil is no limit.
  func beginFrame(_ time: Duration?) {
    isIncomplete = false
    deadline = time.map { ContinuousClock.now + $0 }
  }

  /// Forgets what others may have changed.
  func forgetStored() {
    portraits = [:]
    pictures = [:]
  }

  func picture(
    _ record: BrowseRecord, columns: Int, rows: Int, _ load: () throws -> Portrait?
  ) -> ScreenPicture? {
    if columns < 1 || rows < 1 { return nil }
    let key = Key(record: record, columns: columns, rows: rows)
    if let known = pictures[key] { return known }
    if let known = portraits[record], known == nil { return nil }
    if let deadline, ContinuousClock.now > deadline {
      isIncomplete = true
      return nil
    }
    guard let portrait = portrait(record, load) else { return nil }
    if pictures.count >= Self.most { pictures = [:] }
    let picture = ScreenPicture(portrait, columns: columns, rows: rows)
    pictures[key] = picture
    return picture
  }

  private func portrait(_ record: BrowseRecord, _ load: () throws -> Portrait?) -> Portrait? {
    if let known = portraits[record] { return known }
    if portraits.count >= Self.most { portraits = [:] }
    let portrait: Portrait?
    do {
      portrait = try load()
    } catch {
      // A damaged picture is no reason not to show the record; `check` tells of it.
      portrait = nil
    }
    portraits[record] = .some(portrait)
    return portrait
  }
}
