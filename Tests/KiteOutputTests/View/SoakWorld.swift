import KiteCore
import KiteOutput
import KiteSystem
import TestCompositor
import Testing
import ViewStage
import Wayland
import WaylandToolkit

@testable import KiteViews

/// A factory that works, refuses or fails, as it is told; the renderers that it makes are Kite's own.
final class MoodyFactory: RendererFactory {
  enum Mood: CaseIterable {
    case works, refuses, fails
  }

  struct Refusal: Error {}

  @MainActor var mood = Mood.works
  /// What the latest renderer reports to.
  @MainActor private(set) var report: (@Sendable (RendererReport) -> Void)?
  private let kite = StandardRendererFactory()

  @MainActor func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    switch mood {
    case .works:
      report = target.report
      return try kite.makeRenderer(for: target)
    case .refuses: return nil
    case .fails: throw Refusal()
    }
  }
}

/// An app's own drawing, so that its window is on the screen.
@MainActor
private final class ParentContent: WindowContent {
  private var buffers: [WlBuffer] = []

  func window(_ window: Window, draw geometry: WindowGeometry) {
    guard let buffer = try? window.connection.makeBuffer(of: SolidColor(red: 128, green: 128, blue: 128))
    else {
      return
    }
    window.surface.attach(buffer, x: 0, y: 0)
    buffers.append(buffer)
    while buffers.count > 3 {
      let old = buffers.removeFirst()
      if old.isAlive { old.destroy() }
    }
  }

  func windowWillHide(_ window: Window) {}
}

/// Three views, two players, three windows for views and a fourth that is a parent of subsurfaces: what the soak plays with.
@MainActor
final class SoakWorld {
  static let painter = FramePainter(width: 64, height: 36, limit: 200)

  private(set) var stage: Stage
  let players = [FakePlayer(), FakePlayer()]
  private let parentContent = ParentContent()
  let factories = [MoodyFactory(), MoodyFactory()]
  private(set) var windows: [Window] = []
  private(set) var views: [KitePlayerView] = []
  private var earlier: [ObjectIdentifier: FrameLedger.Counts] = [:]
  /// Views that were closed and have frames whose fate may still be open.
  private var closed: [KitePlayerView] = []
  var stalledFor = 0

  init() async throws {
    stage = try Stage(.standard.with { $0.recordLimit = 300 }, hertz: 240)
    try await openWindows()
    for index in 0..<3 { views.append(try makeView(index)) }
  }

  private func openWindows() async throws {
    windows.removeAll()
    for _ in 0..<4 { windows.append(try await stage.openWindow()) }
    windows[3].content = parentContent
  }

  private func makeView(_ index: Int) throws -> KitePlayerView {
    let view = try KitePlayerView(in: windows[index])
    view.rendererFactory = factories[0]
    view.player = players[index % 2]
    return view
  }

  /// Ends a view and puts a new one in its place.
  func replaceView(_ index: Int) throws {
    views[index].close()
    closed.append(views[index])
    views[index] = try makeView(index)
  }

  /// The place of the view with this number in a parent.
  private func frame(_ index: Int) -> PixelRect {
    PixelRect(x: 4 * index, y: 2 * index, width: 40, height: 24)
  }

  func embed(_ index: Int) throws {
    try views[index].move(to: windows[3].surface, of: stage.connection, frame: frame(index))
    windows[3].setNeedsDraw()
  }

  /// The compositor ends; views go on with the next one.
  func restartCompositor() async throws {
    setStalled(false)
    stage.compositor.dropClients()
    try await stage.wait(for: "the loss of the connection") { !self.stage.errors.isEmpty }
    for view in views { #expect(!view.hasPicture) }
    for window in windows { window.close() }
    stage.connection.close()
    stage = try Stage(.standard.with { $0.recordLimit = 300 }, hertz: 240)
    try await openWindows()
    for (index, view) in views.enumerated() { try view.move(to: windows[index]) }
  }

  func setStalled(_ isStalled: Bool) {
    stage.compositor.isStalled = isStalled
    stalledFor = 0
  }

  // MARK: What holds at every instant

  func check(_ context: Comment) {
    for view in views + closed {
      let counts = view.frameCounts
      let before = earlier[ObjectIdentifier(view)] ?? FrameLedger.Counts()
      #expect(
        counts.accepted == counts.presented + counts.superseded + counts.failed + counts.inFlight, context)
      #expect(counts.inFlight >= 0, context)
      #expect(
        counts.accepted >= before.accepted && counts.presented >= before.presented
          && counts.superseded >= before.superseded && counts.failed >= before.failed, context)
      earlier[ObjectIdentifier(view)] = counts
      // A picture is shown only where there is a place for it.
      #expect(!view.hasPicture || view.pairing.isMapped, context)
    }
    for player in players {
      let paired = views.filter { $0.player === player && $0.pairing.lifecycle.attachedGeneration != nil }
      #expect(player.rendererCount == paired.count, context)
    }
    for view in views {
      let paired = view.pairing.generations.values.filter(\.isPaired).count
      #expect(paired == (view.pairing.lifecycle.attachedGeneration == nil ? 0 : 1), context)
    }
    #expect(stage.compositor.sentErrors == [], context)
    #expect(stage.compositor.violations == [], context)
    #expect(stage.errors.isEmpty, context)
  }

  // MARK: What holds when all is quiet

  /// Lets everything happen that is on its way, and looks at what is there.
  func settle(_ context: Comment) async throws {
    setStalled(false)
    stage.compositor.feedback = .answered
    stage.compositor.releases = .whenReplaced
    stage.compositor.withholdsFrameCallbacks = false
    stage.compositor.setSuspended(false)
    stage.compositor.answerFeedback()
    // What is on a surface that nobody sees has no fate.
    for window in windows {
      try window.show()
      window.setNeedsDraw()
    }
    // The pictures may have been let go as after a seek, which another one follows.
    for player in players where player.hasPicture {
      if let frame = try? Self.painter.frame(.white) { player.show(frame) }
    }
    for view in views + closed {
      try await stage.wait(
        for: "the fate of all frames; \(context)", seconds: 20,
        detail: "\(view.frameCounts) \(view.diagnostics)"
      ) {
        view.framesInFlight == 0
      }
    }
    for view in closed { earlier[ObjectIdentifier(view)] = nil }
    closed.removeAll()
    for (index, view) in views.enumerated() {
      try await stage.wait(
        for: "the word of view \(index) on its picture; \(context)", seconds: 20,
        detail:
          "it says \(view.hasPicture), the compositor \(self.showsPicture(view)), \(view.host), \(view.diagnostics)"
      ) { view.hasPicture == self.showsPicture(view) && (view.hasPicture || !self.oughtToShow(view)) }
    }
    check(context)
  }

  /// Whether the compositor has a picture on the view's surface.
  private func showsPicture(_ view: KitePlayerView) -> Bool {
    guard view.pairing.isMapped, let surface = view.host.videoSurface, surface.isAlive else { return false }
    return stage.compositor.surfaces.contains { $0.id == surface.id && $0.buffer != nil }
  }

  /// Whether nothing stands against a picture.
  private func oughtToShow(_ view: KitePlayerView) -> Bool {
    guard let player = view.player as? FakePlayer, player.hasPicture else { return false }
    return view.pairing.lifecycle.attachedGeneration != nil && !view.isDisplaced
      && view.host.geometry.logicalSize.width > 0
  }

  func end() async throws {
    for view in views { view.close() }
    closed += views
    for view in closed {
      try await stage.wait(for: "the fate of all frames") { view.framesInFlight == 0 }
    }
    for window in windows { window.close() }
    try await stage.wait(for: "the end of all windows") { self.stage.compositor.windows.isEmpty }
    try await stage.wait(for: "the end of all surfaces") {
      let counts = self.stage.compositor.counts
      return counts.surfacesMade == counts.surfacesDestroyed
    }
    for player in players { #expect(player.rendererCount == 0) }
    stage.connection.close()
  }
}
