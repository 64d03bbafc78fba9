import Testing

/// In a program of its own: the thread that runs tests is not the main one.
@Suite struct MainLoopTests {
  @Test func theMainActorStaysOnTheMainThreadAndAnIdleLoopSleeps() throws {
    let lines = try Program.probe(["loop"])
    let expected = [
      "start main", "task main", "after sleep main", "detached other", "hop main", "after detached main",
      "dispatch main", "timer main", "end main",
    ]
    #expect(Array(lines.dropLast()) == expected)
    // The turn that the timer ends, and what the loop does on the way into its sleep.
    let turns = lines.last.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    #expect((1...4).contains(turns ?? 0), "\(lines)")
  }

  @Test func noCompositorIsOneReadableLine() throws {
    let result = try Program.run([
      "env", "-u", "WAYLAND_SOCKET", "WAYLAND_DISPLAY=nowhere-7", "XDG_RUNTIME_DIR=/nonexistent",
      Program.probe, "window", "000000", "64x64",
    ])
    let text = String(decoding: result.output, as: UTF8.self)
    #expect(text.contains("no Wayland compositor at /nonexistent/nowhere-7"))
    #expect(text.contains("WAYLAND_DISPLAY=nowhere-7"))
    #expect(text.split(separator: "\n").count == 1)
  }
}
