public import Wayland

/// A monitor. Belongs to its connection; found in `Connection.outputs` as long as it is there.
@MainActor
public final class Output: Identifiable {
  /// Tells outputs of one connection apart; never used again for another.
  public nonisolated let id: UInt32
  /// What it says of itself; complete whenever it isn't nil.
  public var info: OutputInfo? { state.info }
  /// The protocol object, for requests that name an output.
  public let proxy: WlOutput
  private var state: OutputState

  init(id: UInt32, proxy: WlOutput) {
    self.id = id
    self.proxy = proxy
    state = OutputState(version: proxy.version)
  }

  func receive(_ event: WlOutput.Event) -> Bool { state.receive(event) }

  func end() {
    guard proxy.isAlive else { return }
    if proxy.supports(3) { proxy.release() } else { proxy.end() }
  }
}

extension Connection {
  /// Our object for one that an event named; nil for one that is gone.
  func output(of proxy: WlOutput?) -> Output? {
    guard let proxy else { return nil }
    return allOutputs.first { $0.proxy === proxy }
  }

  func addOutput(_ global: Registry.Global) {
    guard let proxy = registry.bind(global, WlOutput.self, versions: 1...4) else { return }
    let output = Output(id: global.name, proxy: proxy)
    allOutputs.append(output)
    proxy.onEvent = { [weak self, weak output] event in
      guard let self, let output, output.receive(event), let info = output.info else { return }
      for scale in scales { scale.outputChanged(output.id, scale: info.scale) }
      onOutputsChange?()
    }
  }

  func removeOutput(_ global: Registry.Global) {
    guard let index = allOutputs.firstIndex(where: { $0.id == global.name }) else { return }
    let output = allOutputs.remove(at: index)
    for scale in scales { scale.outputChanged(output.id, scale: nil) }
    output.end()
    onOutputsChange?()
  }

  func add(_ scale: SurfaceScale) {
    followers.removeAll { $0.scale == nil }
    followers.append(WeakScale(scale: scale))
  }

  func remove(_ scale: SurfaceScale) {
    followers.removeAll { $0.scale == nil || $0.scale === scale }
  }

  private var scales: [SurfaceScale] { followers.compactMap(\.scale) }
}

/// Who wants to know of outputs, without being kept by them.
struct WeakScale {
  weak var scale: SurfaceScale?
}
