// A program of its own for what a test process can't show: who runs on the main thread, what a real compositor draws.
// toolkit-probe loop | idle | window RRGGBB WxH [fullscreen] [subsurface RRGGBB]. Says "shown" when a frame is up,
// then waits for its standard input to end.
let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "loop": LoopProbe.run()
case "window": WindowProbe.run(Array(words.dropFirst()))
default: print("toolkit-probe: loop | window RRGGBB WxH [fullscreen] [subsurface RRGGBB]")
}
