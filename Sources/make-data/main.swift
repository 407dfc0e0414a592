internal import Glibc

// make-data FACTS FILE: packs the tables in the folder FACTS into FILE.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: make-data FACTS FILE")
  exit(2)
}
do {
  let bytes = try DexFilePacking.bytes(of: FactFolder(path: arguments[1]).tables())
  try FactFolder.write(bytes, to: arguments[2])
  print("\(arguments[2]): \(bytes.count) bytes")
} catch {
  print("make-data: \(error)")
  exit(1)
}
