import Glibc

/// True for the long suites.
let isLongQueryTest = getenv("DEX_LONG").map { String(cString: $0) } == "1"
