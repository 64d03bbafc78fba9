import Foundation
import TestDisplay
import TestMedia
import Testing

/// The programs that embed a view, with what is around their videos.
private enum Embedding {
  /// What all of them paint around the views.
  static let hostColor = (red: UInt8(0x30), green: UInt8(0x50), blue: UInt8(0x30))

  static func path(_ name: String) -> String {
    URL(filePath: PlayerProcess.path).deletingLastPathComponent().appending(path: name).path
  }

  static func isBuilt(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: path(name)) }

  static let left = StillClip()
  static let right: StillClip = {
    var still = StillClip()
    still.matrix = .bt601
    still.hasDetail = false
    return still
  }()

  /// Starts a program, waits for its picture, and expects the videos where they ought to be: each is 320×180, they stand
  /// 20 pixels apart, and as much of the host's own drawing is around them.
  static func show(_ name: String, _ stills: [StillClip], variables: [String] = []) async throws {
    let session = try #require(CompositorSession.current)
    let words = try ["env"] + variables + [path(name)] + stills.map { try $0.clip.path() }
    let program = PlayerProcess(process: try session.launch(words))
    let shown = try await ShownPicture.settled(of: program, in: session)
    let area = shown.area
    let width = stills.count * 340 - 20
    let whole = ReferencePicture.Area(x: area.x, y: area.y, width: width, height: 180)
    #expect(area.edgeDistance(to: whole) <= 1, "\(name): \(area) \(program.process.errors)")
    for (index, still) in stills.enumerated() {
      let part = ReferencePicture.Area(x: area.x + index * 340, y: area.y, width: 320, height: 180)
      let reference = try ReferencePicture.frame(0, of: still.clip.url())
      let error = shown.screen.cropped(to: part).meanError(against: reference)
      #expect(error <= 2, "\(name): video \(index) is \(error) levels off in the mean")
    }
    // Beside, above, below, and between two.
    var points = [(-10, 90), (width + 10, 90), (100, -10), (100, 190)]
    if stills.count > 1 { points.append((330, 90)) }
    for (x, y) in points {
      let color = shown.screen.rgb(x: area.x + x, y: area.y + y)
      let distance = max(
        abs(Int(color.red) - Int(hostColor.red)), abs(Int(color.green) - Int(hostColor.green)),
        abs(Int(color.blue) - Int(hostColor.blue)))
      #expect(distance <= 4, "\(name): \(color) at \(x), \(y) of the video")
    }
    await program.process.kill()
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test of a program that is only built where its toolkit is installed.
  fileprivate static func needs(program: String, of package: String) -> Self {
    .enabled(if: Embedding.isBuilt(program), "\(program) is not built: apt install \(package)")
  }
}

extension EndToEnd {
  /// Videos inside of windows that draw themselves.
  @Suite(.needs(.weston), .compositor(.weston, 900, 520)) struct WestonEmbedding {
    @Test func theFirstViewOfTheDocumentation() async throws {
      try await Embedding.show("first-view", [Embedding.left])
    }

    @Test func twoViewsSideBySide() async throws {
      try await Embedding.show("embed-two-views", [Embedding.left, Embedding.right])
    }

    @Test(.needs(program: "embed-gtk4", of: "libgtk-4-dev")) func aViewInAWindowOfGTK() async throws {
      let variables = ["GDK_BACKEND=wayland", "GSK_RENDERER=cairo"]
      try await Embedding.show("embed-gtk4", [Embedding.left], variables: variables)
    }
  }

  /// In a compositor of its own: sway 1.7 ends with a fault when a client with two views is killed, as it is here in the
  /// end. One that closes its window is no trouble.
  @Suite(.needs(.sway), .compositor(.sway, 900, 520, sway: ["for_window [app_id=\".*\"] floating enable"]))
  struct SwayTwoViews {
    @Test func twoViewsSideBySide() async throws {
      try await Embedding.show("embed-two-views", [Embedding.left, Embedding.right])
    }
  }

  /// SDL 2.26 ends with a fault in Weston without a seat: it is seen here alone.
  @Suite(.needs(.sway), .compositor(.sway, 900, 520, sway: ["for_window [app_id=\".*\"] floating enable"]))
  struct SwayEmbedding {
    @Test(.needs(program: "embed-gtk4", of: "libgtk-4-dev")) func aViewInAWindowOfGTK() async throws {
      let variables = ["GDK_BACKEND=wayland", "GSK_RENDERER=cairo"]
      try await Embedding.show("embed-gtk4", [Embedding.left], variables: variables)
    }

    @Test(.needs(program: "embed-sdl2", of: "libsdl2-dev")) func aViewInAWindowOfSDL() async throws {
      let variables = ["SDL_VIDEODRIVER=wayland", "LIBGL_ALWAYS_SOFTWARE=1"]
      try await Embedding.show("embed-sdl2", [Embedding.left], variables: variables)
    }
  }
}
