import Glibc

// Synchronous top-level code: the main actor stays on the main thread, where the loop runs.
let code = Command.run(Array(CommandLine.arguments.dropFirst()))
fflush(nil)
// Not `exit`: a thread that a slow file held up may still be in a library whose destructors that would run.
_exit(code)
