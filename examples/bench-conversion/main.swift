// bench-conversion [--brief] [unscaled] [scaled] [turned]: what each library needs to turn decoded frames into what a
// screen takes, in CPU time and in error. docs/conversion.md says what was made of it.

let arguments = CommandLine.arguments.dropFirst()
let sections = arguments.filter { $0 != "--brief" }

if sections.isEmpty || sections.contains("unscaled") {
  Bench().unscaled(isBrief: arguments.contains("--brief"))
}
if sections.isEmpty || sections.contains("scaled") { Bench().scaled() }
if sections.isEmpty || sections.contains("turned") { Bench().turned() }
