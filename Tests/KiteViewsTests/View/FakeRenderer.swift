import KiteCore
import KiteSystem
import KiteViews
import Synchronization

/// A renderer that shows nothing and remembers what it was told.
final class FakeRenderer: ViewRenderer {
  enum Call: Hashable {
    case present
    case update(SurfaceGeometry)
    case setActive(Bool)
    case discardPending
    case close
    case surfaceWillEnd
  }

  let target: RendererTarget
  /// Its place in the order of its factory's renderers, from 1.
  let number: Int
  private let log: EventLog
  private let state = Mutex((calls: [Call](), reason: ""))

  init(_ target: RendererTarget, number: Int, log: EventLog) {
    self.target = target
    self.number = number
    self.log = log
  }

  var calls: [Call] { state.withLock { $0.calls } }
  var updates: [SurfaceGeometry] {
    calls.compactMap { if case .update(let geometry) = $0 { geometry } else { nil } }
  }

  private func note(_ call: Call) {
    state.withLock { $0.calls.append(call) }
  }

  /// Its number: a player sees no more of a renderer than this.
  var lead: Int64 { Int64(number) }
  func present(_ frame: consuming VideoFrame, at target: MonotonicTime) { note(.present) }
  func discardPending() { note(.discardPending) }
  func setActive(_ isActive: Bool) { note(.setActive(isActive)) }
  func update(_ geometry: SurfaceGeometry) { note(.update(geometry)) }

  func close() {
    note(.close)
    log.add("close \(number)")
  }

  func surfaceWillEnd() {
    note(.surfaceWillEnd)
    log.add("surfaceWillEnd \(number)")
  }

  let isFinished = false
  var diagnostics: RendererDiagnostics { RendererDiagnostics(reason: "renderer \(number)") }
}

/// Makes fake renderers.
final class FakeFactory: RendererFactory {
  enum Answer {
    case renderer, nothing, failure
  }

  struct Refusal: Error, CustomStringConvertible {
    let description = "no luck today"
  }

  @MainActor var answer = Answer.renderer
  /// Called while a renderer is being made.
  @MainActor var onRequest: (() -> Void)?
  @MainActor private(set) var renderers: [FakeRenderer] = []
  /// How often it was asked.
  @MainActor private(set) var requests = 0
  let log: EventLog

  init(log: EventLog = EventLog()) { self.log = log }

  @MainActor func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    requests += 1
    switch answer {
    case .nothing: return nil
    case .failure: throw Refusal()
    case .renderer:
      let renderer = FakeRenderer(target, number: renderers.count + 1, log: log)
      renderers.append(renderer)
      log.add("make \(renderer.number)")
      onRequest?()
      return renderer
    }
  }
}

/// What happened, in order, in several objects.
final class EventLog: Sendable {
  private let entries = Mutex<[String]>([])
  var all: [String] { entries.withLock { $0 } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
}

/// A player that takes note of who is attached when.
final class LoggedPlayer: Player {
  private let log: EventLog
  private let name: String

  init(_ name: String, log: EventLog) {
    self.name = name
    self.log = log
  }

  var state: PlayerState { PlayerState() }
  var position: MediaTime { .zero }
  func stateChanges() -> AsyncStream<PlayerState> { AsyncStream { $0.finish() } }
  func play() { log.add("\(name) play") }
  func pause() { log.add("\(name) pause") }

  func attach(_ renderer: any VideoRenderer) { log.add("\(name) attach \(number(renderer))") }
  func detach(_ renderer: any VideoRenderer) { log.add("\(name) detach \(number(renderer))") }

  private func number(_ renderer: any VideoRenderer) -> Int64 { renderer.lead }
}
