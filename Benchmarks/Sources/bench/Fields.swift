extension Row.Field {
  /// Who takes part: the engine of this project first, if it is there to be measured, then its peers.
  var engines: [any Contestant.Type] {
    #if HAVE_PAGESTORE
      [ours] + peers
    #else
      peers
    #endif
  }

  private var peers: [any Contestant.Type] {
    switch self {
    case .stores, .processes:
      [LMDB.self, SQLiteStore.self, RocksDB.self, LevelDB.self]
    case .checkpoints: [LMDB.self, SQLiteStore.self, RocksDB.self]
    case .filters: [RoaringFilters.self, SQLiteFilters.self]
    case .names: [SQLiteNames.self]
    case .portraits: portraitPeers
    case .records: recordPeers
    case .quests: questPeers
    case .questRuns: questRunPeers
    case .ownPrograms: [EmptyProgram.self]
    case .filePrograms: [SQLiteProgram.self]
    case .allPrograms: [SQLiteProgram.self, EmptyProgram.self]
    case .screens: [Deadline.self]
    }
  }

  #if HAVE_PAGESTORE
    private var ours: any Contestant.Type {
      switch self {
      case .stores, .checkpoints, .processes: Ours.self
      case .filters: OurFilters.self
      case .names: OurNames.self
      case .portraits: OurPortraits.self
      case .records: OurRecords.self
      case .quests: OurQuests.self
      case .questRuns: OurQuestRuns.self
      case .ownPrograms, .filePrograms, .allPrograms, .screens: OurPrograms.self
      }
    }
  #endif
}
