import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

/// Tests of the view with its renderer. One at a time: they share the main actor, and a renderer's patience with a
/// compositor is real time.
@Suite(.serialized) enum ViewTests {}

/// A view with Kite's own renderer in a window, and a player that shows what the test gives it.
@MainActor
final class Show {
  let stage: Stage
  let window: Window
  let view: KitePlayerView
  let player = FakePlayer()
  var compositor: ScriptedCompositor { stage.compositor }

  /// Opens the window; the renderer is made with it.
  init(
    _ configuration: CompositorConfiguration = .standard, width: Int = 64, height: Int = 36,
    hertz: Double? = 120, factory: StandardRendererFactory = StandardRendererFactory(),
    prefersDmabuf: Bool = true
  ) async throws {
    stage = try Stage(configuration, hertz: hertz)
    (window, view) = try await stage.openView(width: width, height: height, factory: factory)
    view.prefersDmabuf = prefersDmabuf
    view.player = player
  }

  /// Ends everything, and takes turns until nothing is left of it.
  func end() async throws {
    view.player = nil
    view.close()
    window.close()
    try await stage.play(milliseconds: 5)
    stage.connection.close()
  }

  /// Shows a frame and waits until the compositor has its buffer.
  func show(_ frame: consuming VideoFrame) async throws {
    let before = stage.video?.counters.bufferCommits ?? 0
    player.show(frame)
    try await stage.wait(for: "a commit of the frame", detail: detail()) {
      (self.stage.video?.counters.bufferCommits ?? 0) > before
    }
  }

  /// Waits until a pixel of the screen is `color`, nearly: conversion rounds.
  func wait(forPixel x: Int, _ y: Int, toBe color: Picture.Pixel) async throws {
    let shown = { self.stage.pixel(x, y).map { "\($0)" } ?? "nothing" }
    try await stage.wait(for: "\(color) at \(x), \(y)", detail: "\(shown()) \(self.detail())") {
      self.stage.pixel(x, y).map { $0.distance(to: color) <= 8 } ?? false
    }
  }

  /// Waits until every frame's fate is known.
  func waitUntilSettled() async throws {
    try await stage.wait(for: "the fate of all frames", detail: detail()) { self.view.framesInFlight == 0 }
  }

  /// What to say when something is amiss.
  func detail() -> String {
    "ledger \(view.frameCounts), \(view.diagnostics), errors \(stage.errors)"
  }
}
