import CDexShim
import Glibc

// Whoever presses Control-\ ends the program, which did not crash.
dex_quit_plainly()
exit(Program.run(CommandLine.arguments))
