internal import KiteSystem
internal import Wayland

/// Which surfaces are on which monitor, and how large their pixels are.
extension CompositorCore {
  /// A surface came on the screen or left it, and with it what is inside.
  func mappingMayHaveChanged(_ surface: ServerSurface, wasMapped: Bool) {
    guard surface.isMapped != wasMapped else { return }
    let root = surface.root
    for other in surfaces where other.root === root { followScreen(other) }
  }

  /// Tells a surface which monitors it is on: all of them while it is mapped.
  private func followScreen(_ surface: ServerSurface) {
    let shown = surface.isMapped ? outputs : []
    for output in outputs {
      let key = ObjectIdentifier(output)
      let isOn = shown.contains { $0 === output }
      let wasOn = surface.enteredOutputs.contains(key)
      guard isOn != wasOn else { continue }
      let resources = output.resources.filter { $0.client === surface.resource.client }
      if isOn {
        // A client that has not bound the output is told when it does.
        guard !resources.isEmpty else { continue }
        surface.enteredOutputs.append(key)
        for resource in resources { surface.resource.sendEnter(resource) }
      } else {
        surface.enteredOutputs.removeAll { $0 == key }
        for resource in resources { surface.resource.sendLeave(resource) }
      }
    }
  }

  func outputWasBound(_ output: ServerOutput) {
    for surface in surfaces { followScreen(surface) }
  }

  /// Sends what is known of a surface's scale, as far as it listens.
  func sendPreferredScale(to surface: ServerSurface) {
    if surface.resource.version >= 6 {
      surface.resource.sendPreferredBufferScale(Int32((scale120 + 119) / 120))
    }
    surface.fractionalScale?.sendPreferredScale(UInt32(scale120))
  }

  func setScale(_ scale120: Int) {
    guard scale120 != self.scale120 else { return }
    self.scale120 = scale120
    for output in outputs { output.tellAll() }
    for surface in surfaces { sendPreferredScale(to: surface) }
  }

  func removeOutput(named name: String) {
    guard let index = outputs.firstIndex(where: { $0.description.name == name }) else { return }
    let output = outputs.remove(at: index)
    for surface in surfaces where surface.enteredOutputs.contains(ObjectIdentifier(output)) {
      surface.enteredOutputs.removeAll { $0 == ObjectIdentifier(output) }
      for resource in output.resources where resource.client === surface.resource.client {
        surface.resource.sendLeave(resource)
      }
    }
    output.withdraw()
  }
}
