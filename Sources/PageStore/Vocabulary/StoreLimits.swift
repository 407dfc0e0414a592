/// What a store can hold.
///
/// Exceeding a limit is an error of its own.
public enum StoreLimits {
  /// The longest key, in bytes.
  public static let keyByteCount = 1024
  /// The longest value, in bytes: 4 GiB − 1.
  public static let valueByteCount = Int(UInt32.max)
  /// The longest name of a table, in bytes of UTF-8.
  public static let tableNameByteCount = 255
  /// The most tables that one store holds.
  public static let tableCount = 65_536
  /// The sizes that a page can have, in bytes.
  public static let pageByteCounts = [4096, 8192, 16384]

  /// The longest name of a database's file, in bytes: the files beside it have longer ones.
  public static let fileNameByteCount = 250

  /// The longest prefix that a page stores once for all its keys, in bytes.
  package static let prefixByteCount = 255
  /// The most levels of a tree; a well-formed tree with the largest keys stays far below.
  package static let levelCount = 32
}
