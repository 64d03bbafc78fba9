import KiteCore
import KiteViews

// What is true of each node.
extension AccessibleTree {
  func name(of node: AccessibleNode) -> String {
    switch node {
    case .application: applicationName
    case .window: entry(node)?.view.window?.title ?? applicationName
    case .video: entry(node)?.view.label ?? ""
    case .slider: entry(node)?.view.positionLabel ?? ""
    }
  }

  func description(of node: AccessibleNode) -> String {
    guard case .video = node else { return "" }
    return entry(node)?.view.stateText ?? ""
  }

  func states(of node: AccessibleNode) -> AtspiStates {
    var states: AtspiStates = [.enabled, .visible]
    guard let view = entry(node)?.view else { return node == .application ? [.enabled, .sensitive] : [] }
    if view.isShown { states.insert(.showing) }
    let isActive = view.window?.isActive ?? false
    switch node {
    case .application: break
    case .window:
      states.insert(.sensitive)
      if isActive { states.insert(.active) }
    case .video:
      states.insert(.focusable)
      if view.controls != nil { states.insert(.sensitive) }
      if isActive, isFirst(node) { states.insert(.focused) }
      if view.status == .playing { states.insert(.animated) }
      if view.status == .opening || view.status == .buffering { states.insert(.busy) }
    case .slider:
      states.insert(.horizontal)
      if view.controls?.seek == nil { states.insert(.readOnly) } else { states.insert(.sensitive) }
    }
    return states
  }

  /// Of several videos in a window it is the first one that has the keyboard's attention.
  private func isFirst(_ node: AccessibleNode) -> Bool {
    parent(of: node).flatMap { children(of: $0).first } == node
  }

  func attributes(of node: AccessibleNode) -> [String: String] {
    switch node {
    case .slider: ["toolkit": "Kite", "valuetext": KitePlayerView.accessibilityTimeText(position(of: node))]
    default: ["toolkit": "Kite"]
    }
  }

  /// A place in logical pixels: of the window's content, or of the screen, which is the same, since a program on Wayland
  /// does not know where its windows are.
  func extents(of node: AccessibleNode) -> PixelRect {
    switch node {
    case .application: return PixelRect(x: 0, y: 0, width: 0, height: 0)
    case .window(let number):
      // As much as the views in it are known to take.
      let frames = entries.filter { $0.window == number }.map(\.view.frame)
      return PixelRect(
        x: 0, y: 0, width: frames.map { $0.x + $0.width }.max() ?? 0,
        height: frames.map { $0.y + $0.height }.max() ?? 0)
    case .video, .slider:
      return entry(node)?.view.frame ?? PixelRect(x: 0, y: 0, width: 0, height: 0)
    }
  }

  // MARK: The position

  /// The position now, within the media.
  func position(of node: AccessibleNode) -> MediaTime {
    let position = entry(node)?.view.controls?.position() ?? .zero
    return max(.zero, min(position, entry(node)?.view.duration ?? position))
  }

  /// The largest position, in seconds.
  func end(of node: AccessibleNode) -> Double {
    max(0, (entry(node)?.view.duration ?? position(of: node)).seconds)
  }
}
