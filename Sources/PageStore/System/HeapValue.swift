/// A value in memory of its own, for the state of a class that is touched for every row.
///
/// Properties of a class are checked for overlapping accesses while the program runs, several times
/// for each put, which was a fifth of a sorted load. Here nothing is checked: the owner is used by one
/// thread at a time, and no access to the value calls anything that could touch the same value.
@safe struct HeapValue<Value>: ~Copyable {
  private let pointer: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    // Safe: allocated for one value, and initialised at once.
    unsafe pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    // Safe: initialised in `init`, and the owner is gone.
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }

  var value: Value {
    // Safe: initialised in `init`, and alive as long as this value.
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }
}
