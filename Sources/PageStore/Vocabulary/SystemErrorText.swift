internal import CDexShim

/// What the system calls the error `number`, and what it says of it: `ENOSPC: No space left on device`.
func systemErrorText(_ number: Int32) -> String {
  // Safe: the answers are constants of the C library, or nil.
  guard let name = unsafe dex_errno_name(number), let text = unsafe dex_errno_text(number) else {
    return "error \(number)"
  }
  // Safe: as above.
  return unsafe String(cString: name) + ": " + String(cString: text)
}
