import Foundation

do {
  try Tool(arguments: CommandLine.arguments.dropFirst()).run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
