/// A table that the write transaction under way has looked up or made.
final class OpenTable {
  let id: UInt32
  var name: String
  private let state: HeapValue<State>

  /// What changes with every row.
  private struct State {
    var editor: TreeEditor
    var rowCount: UInt64
    var isChanged: Bool
    var isDropped = false
  }

  init(id: UInt32, name: String, editor: TreeEditor, rowCount: UInt64, isChanged: Bool) {
    self.id = id
    self.name = name
    state = HeapValue(State(editor: editor, rowCount: rowCount, isChanged: isChanged))
  }

  var editor: TreeEditor {
    @inline(__always) _read { yield state.value.editor }
    @inline(__always) _modify { yield &state.value.editor }
  }
  var rowCount: UInt64 {
    @inline(__always) get { state.value.rowCount }
    @inline(__always) set { state.value.rowCount = newValue }
  }
  /// True once its record in the catalog must be written anew.
  var isChanged: Bool {
    @inline(__always) get { state.value.isChanged }
    @inline(__always) set { state.value.isChanged = newValue }
  }
  var isDropped: Bool {
    @inline(__always) get { state.value.isDropped }
    @inline(__always) set { state.value.isDropped = newValue }
  }

  /// The record as it stands.
  var record: TableRecord { TableRecord(id: id, root: editor.root, rowCount: rowCount) }

  /// What a savepoint remembers of the table.
  struct Memory {
    let name: String
    let editor: TreeEditor
    let rowCount: UInt64
    let isChanged: Bool
    let isDropped: Bool
  }

  var memory: Memory {
    Memory(
      name: name, editor: editor, rowCount: rowCount, isChanged: isChanged, isDropped: isDropped)
  }

  func restore(_ memory: Memory) {
    name = memory.name
    editor = memory.editor
    rowCount = memory.rowCount
    isChanged = memory.isChanged
    isDropped = memory.isDropped
  }
}
