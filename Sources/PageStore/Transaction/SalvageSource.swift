/// A damaged file to be salvaged: where its pages and states are, as far as one can tell.
///
/// Nothing in the file is believed before its checksum fits, and the file is never written.
struct SalvageSource {
  let path: String
  let file: any StoreFile
  let map: PageMap
  let filePageCount: Int
  /// The newest meta page, if one is left.
  let meta: MetaPage?
  /// The pages that the durable state uses, where its map of space is whole.
  let livePages: PageBitmap?
  /// What is wrong with the meta pages and the map.
  let problems: [StoreError]

  /// A tree page that was found by looking at every page of the file.
  struct Orphan {
    let page: PageID
    let table: UInt32
    let level: Int
    let checksum: UInt32
    let birth: TransactionNumber
  }

  init(_ file: any StoreFile, path: String) throws(StoreError) {
    self.path = path
    self.file = file
    let fileByteCount = try file.byteCount()
    var metas: [Int: MetaPage] = [:]
    for offset in [0] + StoreLimits.pageByteCounts {
      if let meta = try MetaPair.read(file, at: offset),
        offset == 0 || offset == meta.pageByteCount
      {
        metas[offset] = meta
      }
    }
    // Of two with the same transaction, the first: so does everyone who reads the file.
    let newest = metas.sorted { $0.key < $1.key }.map(\.value).max {
      $0.transaction < $1.transaction
    }
    let size: Int
    if let newest {
      size = newest.pageByteCount
    } else {
      size = try Self.guessPageByteCount(file, path: path, fileByteCount: fileByteCount)
    }
    let map = try PageMap(resting: file, pageByteCount: size)
    let filePageCount = min(fileByteCount / size, map.pageLimit)
    var problems: [StoreError] = []
    for page in 0...1 where metas[page * size] == nil {
      problems.append(
        .corrupt(
          Damage(path: path, page: PageID(UInt32(page)), .field("meta page", UInt64(page)))))
    }
    var livePages: PageBitmap?
    if let newest {
      do throws(StoreError) {
        let spaceMap = try map.spaceMap(of: newest, filePageCount: filePageCount)
        var bitmap = spaceMap.bitmap
        for run in spaceMap.pending {
          for index in run.indices { bitmap.markFree(PageID(UInt32(index))) }
        }
        livePages = bitmap
      } catch {
        guard error.isDamage else { throw error }
        problems.append(error)
      }
    }
    self.map = map
    self.filePageCount = filePageCount
    self.livePages = livePages
    self.problems = problems
    meta = newest
  }

  /// The size of page with which the most pages of the file are whole and in their places.
  private static func guessPageByteCount(
    _ file: any StoreFile, path: String, fileByteCount: Int
  ) throws(StoreError) -> Int {
    var best = (count: 0, pageByteCount: 0)
    for size in StoreLimits.pageByteCounts {
      var bytes = [UInt8](repeating: 0, count: size)
      var count = 0
      for index in 2..<max(2, min(fileByteCount / size, 4096)) {
        if try !readWhole(file, into: &bytes, at: index * size) { continue }
        let isWhole = bytes.withBytes { view in
          // Safe: the view holds a whole page.
          let page = unsafe PageBytes(view.start)
          return page.number.index == index
            && page.checksum == Checksum.ofPage(page, pageByteCount: size)
        }
        if isWhole { count += 1 }
      }
      if count > best.count { best = (count, size) }
    }
    if best.count == 0 { throw .notADatabase(path: path, .file) }
    return best.pageByteCount
  }

  private static func readWhole(
    _ file: any StoreFile, into bytes: inout [UInt8], at offset: Int
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      return try file.read(into: &bytes, at: offset) == bytes.count
    } catch {
      guard case .system(.read, _, _) = error else { throw error }
      return false
    }
  }

  // MARK: Looking at every page

  /// All whole tree pages but those in `reached`, and of tables only those that the durable state
  /// uses, where that is known.
  func orphans(
    notIn reached: PageSet, upTo newest: TransactionNumber
  ) throws(StoreError) -> [Orphan] {
    var orphans: [Orphan] = []
    let memory = UnsafeMutableRawPointer.allocate(byteCount: map.pageByteCount, alignment: 64)
    // Safe: nothing keeps a view of the memory, which holds a page.
    defer { unsafe memory.deallocate() }
    let buffer = unsafe MutablePageBytes(memory)
    var next = 2
    while next < filePageCount {
      let id = PageID(UInt32(next))
      next += 1
      if reached.contains(id.index) { continue }
      guard let page = try whole(id, in: buffer) else {
        // A hole may be as long as a file can be.
        let data = try file.nextData(from: next * map.pageByteCount)
        next = data.map { $0 / map.pageByteCount } ?? filePageCount
        continue
      }
      if page.birth > newest { continue }
      if page.table != TableRecord.catalogTable, let livePages, !livePages.isUsed(id) { continue }
      orphans.append(
        Orphan(
          page: id, table: page.table, level: page.level, checksum: page.checksum,
          birth: page.birth))
    }
    return orphans
  }

  /// Page `id`, read into `buffer`, where it is a whole tree page.
  func whole(_ id: PageID, in buffer: MutablePageBytes) throws(StoreError) -> PageBytes? {
    do throws(StoreError) {
      try map.read(id, into: buffer)
    } catch {
      guard case .corrupt = error else { throw error }
      return nil
    }
    let page = buffer.reading
    let problem = page.problem(
      asPage: id, checksum: nil, pageByteCount: map.pageByteCount, pageLimit: Int.max)
    return problem == nil ? page : nil
  }

  // MARK: States

  /// The state to go by: the durable one, or the newest whose catalog can be found.
  func state() throws(StoreError) -> TreeState {
    if let meta {
      var state = TreeState(meta, nextTableID: 1)
      state.pageCount = filePageCount
      return state
    }
    let newest = TransactionNumber(UInt64.max / 2)
    let catalogs = try orphans(notIn: PageSet(), upTo: newest)
      .filter { $0.table == TableRecord.catalogTable }
      .sorted { ($0.birth, $0.level) > ($1.birth, $1.level) }
    func state(_ orphan: Orphan) -> TreeState {
      TreeState(
        transaction: orphan.birth,
        catalog: TreeRoot(page: orphan.page, checksum: orphan.checksum, level: orphan.level),
        pageCount: filePageCount, nextTableID: 1)
    }
    for orphan in catalogs.prefix(64) where try isWhole(state(orphan)) { return state(orphan) }
    if let first = catalogs.first { return state(first) }
    return TreeState(
      transaction: newest, catalog: .empty, pageCount: filePageCount, nextTableID: 1)
  }

  /// True where the catalog of `state`, and the root of each table, can be read.
  private func isWhole(_ state: TreeState) throws(StoreError) -> Bool {
    var isWhole = true
    var visited = PageSet(pageCount: filePageCount)
    var roots: [TableRecord] = []
    let walk = SurvivorWalk(
      map: map, table: TableRecord.catalogTable, pageCount: filePageCount)
    try walk.walk(state.catalog) {
      visited.insert($0.index)
    } leaf: { leaf in
      for index in 0..<leaf.count {
        if !leaf.isOverflow(index),
          let record = TableRecord(untrusted: leaf.inlineValue(index), pageLimit: map.pageLimit)
        {
          roots.append(record)
        } else {
          isWhole = false
        }
      }
    } loss: { _ in
      isWhole = false
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: map.pageByteCount, alignment: 64)
    // Safe: nothing keeps a view of the memory, which holds a page.
    defer { unsafe memory.deallocate() }
    for record in roots where isWhole && !record.root.isEmpty {
      if record.root.page.index >= filePageCount { return false }
      let page = try whole(record.root.page, in: unsafe MutablePageBytes(memory))
      isWhole = page.map { $0.checksum == record.root.checksum } ?? false
    }
    return isWhole
  }
}
