// A program of its own for what a test process can't show: who runs on the main thread, what a real
// compositor draws.
let usage =
  "toolkit-probe loop | window RRGGBB WxH [fullscreen] [hidden | reshown] [subsurface RRGGBB] [settling MS] …"
let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "loop": LoopProbe.run()
case "window" where words.count >= 3: WindowProbe.run(Array(words.dropFirst()))
default: print(usage)
}
