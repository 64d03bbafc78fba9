import Foundation
import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// What needs no compositor, or is told when there is none.
  @Suite struct CommandLineUse {
    /// A session without a compositor; nil leaves a variable out.
    private func run(_ arguments: [String], _ variables: [String: String?] = [:]) async throws
      -> (PlayerProcess, ChildProcess.Ending)
    {
      var environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
      for (name, value) in variables { environment[name] = value }
      let player = try PlayerProcess(arguments, environment: environment)
      return (player, await player.ending())
    }

    @Test func helpNamesEveryOptionAndExitCode() async throws {
      let (player, ending) = try await run(["--help"])
      #expect(ending == .exited(0))
      #expect(player.process.errors == "")
      for word in [
        "Usage: kite-wl", "--fullscreen", "--screenshot-at", "--stats", "--version",
        "--start", "--speed", "--loop", "--audio-track", "--audio-file", "--sub-file", "--volume", "--mute",
        "--no-audio", "--hwdec", "--log LEVEL", "--log-file", "Keys:", "Exit codes",
      ] {
        #expect(player.process.output.contains(word))
      }
    }

    @Test func theVersionIsOneLine() async throws {
      let (player, ending) = try await run(["--version"])
      #expect(ending == .exited(0))
      #expect(player.process.output.wholeMatch(of: /kite-wl \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: [
      [], ["--nonsense"], ["--screenshot-at", "1"], ["--screenshot-at", "soon", "a.png", "b.mp4"],
      ["--start"], ["--start", "-1", "b.mp4"], ["--speed", "5", "b.mp4"], ["--speed", "fast", "b.mp4"],
      ["--log"], ["--log", "much", "b.mp4"], ["--log-file"], ["--log-file", "/dev/null/log", "b.mp4"],
    ])
    func aWrongCommandLineIsOneLineAndExitsWith2(_ arguments: [String]) async throws {
      let (player, ending) = try await run(arguments)
      #expect(ending == .exited(2))
      #expect(player.errorLines.count == 1, "\(player.process.errors)")
      #expect(player.process.output == "")
    }

    @Test func withoutACompositorTheLineNamesTheVariablesThatWereLookedAt() async throws {
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let folder = place.folder.path
      let cases: [(variables: [String: String?], names: String)] = [
        (["XDG_RUNTIME_DIR": folder], "WAYLAND_DISPLAY is not set"),
        (["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "nowhere-7"], "WAYLAND_DISPLAY=nowhere-7"),
        (["WAYLAND_DISPLAY": "/nowhere/socket"], "WAYLAND_DISPLAY=/nowhere/socket"),
        (["WAYLAND_DISPLAY": "wayland-0"], "XDG_RUNTIME_DIR is not set"),
      ]
      for (variables, names) in cases {
        let (player, ending) = try await run(["any.mp4"], variables)
        #expect(ending == .exited(3))
        #expect(player.errorLines.count == 1, "\(player.process.errors)")
        #expect(player.process.errors.contains(names), "\(player.process.errors)")
      }
    }
  }
}
