internal import Wayland

extension CompositorCore {
  /// Offers what the configuration says, in an order that compositors use: outputs last.
  func offerGlobals() throws {
    try offer(WlCompositorResource.self) { $0.bind($1) }
    try offer(WlSubcompositorResource.self) { $0.bind($1) }
    try offer(WlShmResource.self) { $0.bind($1) }
    try offer(ZwpLinuxDmabufV1Resource.self) { $0.bind($1) }
    try offer(WpLinuxDrmSyncobjManagerV1Resource.self) { $0.bind($1) }
    try offer(WpViewporterResource.self) { $0.bind($1) }
    try offer(WpPresentationResource.self) { $0.bind($1) }
    try offer(WpFractionalScaleManagerV1Resource.self) { $0.bind($1) }
    try offer(WpSinglePixelBufferManagerV1Resource.self) { $0.bind($1) }
    try offer(WpColorRepresentationManagerV1Resource.self) { $0.bind($1) }
    try offer(WpFifoManagerV1Resource.self) { $0.bind($1) }
    try offer(WpCommitTimingManagerV1Resource.self) { $0.bind($1) }
    try offer(WpContentTypeManagerV1Resource.self) { $0.bind($1) }
    try offer(ZwpIdleInhibitManagerV1Resource.self) { $0.bind($1) }
    try offer(ZxdgDecorationManagerV1Resource.self) { $0.bind($1) }
    try offer(XdgWmBaseResource.self) { $0.bind($1) }
    try offer(WlSeatResource.self) { $0.bind($1) }
    for name in configuration.namesOnly { try display.addGlobal(named: name) }
    for output in configuration.outputs { try addOutput(output) }
  }

  func addOutput(_ description: OutputDescription) throws {
    guard let version = configuration.globals[WlOutputResource.interface.name] else { return }
    let output = ServerOutput(description, core: self)
    outputs.append(output)
    try output.offer(version: version)
  }

  private func offer<Object: WaylandResource>(
    _ type: Object.Type, onBind: @escaping (CompositorCore, Object) -> Void
  ) throws {
    guard let version = configuration.globals[type.interface.name] else { return }
    try display.addGlobal(type, version: version) { [weak self] object in
      if let self { onBind(self, object) }
    }
  }
}
