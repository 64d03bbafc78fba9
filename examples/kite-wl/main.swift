import Glibc

// Synchronous top-level code: the main actor stays on the main thread, where the loop runs.
exit(Command.run(Array(CommandLine.arguments.dropFirst())))
