internal import Wayland

/// A monitor, and the objects that clients bound to it.
final class ServerOutput {
  var description: OutputDescription
  private unowned let core: CompositorCore
  private var global: ServerGlobal?
  private(set) var resources: [WlOutputResource] = []

  init(_ description: OutputDescription, core: CompositorCore) {
    self.description = description
    self.core = core
  }

  func offer(version: UInt32) throws {
    global = try core.display.addGlobal(WlOutputResource.self, version: version) { [weak self] output in
      guard let self else { return }
      resources.append(output)
      output.onDestroyed = { [weak self, weak output] in self?.resources.removeAll { $0 === output } }
      tell(output)
      core.outputWasBound(self)
    }
  }

  /// Takes the monitor away.
  func withdraw() { global?.withdraw() }

  /// Tells everybody what it is like now.
  func tellAll() {
    for resource in resources { tell(resource) }
  }

  private func tell(_ output: WlOutputResource) {
    output.sendGeometry(
      x: 0, y: 0, physicalWidth: 600, physicalHeight: 340, subpixel: .unknown, make: "Test",
      model: description.name,
      transform: .normal)
    output.sendMode(
      flags: [.current], width: description.width, height: description.height, refresh: description.refresh)
    output.sendScale(Int32((core.scale120 + 119) / 120))
    output.sendName(description.name)
    output.sendDescription("A monitor of the tests")
    output.sendDone()
  }
}
