import KiteCore
import KiteViews

/// A call of a client's.
struct AccessibleCall {
  var path: String
  var interface: String
  var member: String
  var body: [BusValue] = []
}

// What clients are answered.
extension AccessibleTree {
  /// The answer to a call; nil when there is no such call here.
  func answer(_ call: AccessibleCall) -> Result<[BusValue], BusError>? {
    if call.path == AtspiName.cachePath {
      guard call.interface == AtspiName.cache, call.member == "GetItems" else { return nil }
      return .success([cacheItems])
    }
    guard let node = AccessibleNode(path: call.path), exists(node) else {
      return .failure(.unknownObject(call.path))
    }
    if call.interface == AtspiName.properties { return answerProperties(call, node) }
    guard node.interfaces.contains(call.interface) else { return nil }
    switch call.interface {
    case AtspiName.accessible: return answerAccessible(call, node).map { .success($0) }
    case AtspiName.application: return answerApplication(call).map { .success($0) }
    case AtspiName.component: return answerComponent(call, node).map { .success($0) }
    case AtspiName.action: return answerAction(call, node)
    default: return nil
    }
  }

  private func answerAccessible(_ call: AccessibleCall, _ node: AccessibleNode) -> [BusValue]? {
    switch call.member {
    case "GetChildAtIndex":
      let children = children(of: node)
      guard let index = call.body.first?.asInt32, children.indices.contains(Int(index)) else {
        return [Reference.none.value]
      }
      return [reference(children[Int(index)]).value]
    case "GetChildren": return [.array(of: "(so)", children(of: node).map { reference($0).value })]
    case "GetIndexInParent": return [.int32(Int32(index(of: node)))]
    case "GetRelationSet": return [.array(of: "(ua(so))", [])]
    case "GetRole": return [.uint32(node.role.number)]
    // Clients translate the role by its number.
    case "GetRoleName", "GetLocalizedRoleName": return [.string(node.role.name)]
    case "GetState": return [states(of: node).words]
    case "GetAttributes":
      let entries = attributes(of: node).sorted { $0.key < $1.key }
      return [.array(of: "{ss}", entries.map { .entry(.string($0.key), .string($0.value)) })]
    case "GetApplication": return [reference(.application).value]
    case "GetInterfaces": return [.strings(node.interfaces)]
    default: return nil
    }
  }

  private func answerApplication(_ call: AccessibleCall) -> [BusValue]? {
    switch call.member {
    // The application's texts are in the language of whoever wrote them.
    case "GetLocale": [.string("")]
    // There is no way to it but the bus.
    case "GetApplicationBusAddress": [.string("")]
    default: nil
    }
  }

  private func answerComponent(_ call: AccessibleCall, _ node: AccessibleNode) -> [BusValue]? {
    let extents = extents(of: node)
    func contains(_ extents: PixelRect) -> Bool {
      guard call.body.count >= 2, let x = call.body[0].asInt32, let y = call.body[1].asInt32 else {
        return false
      }
      return Int(x) >= extents.x && Int(x) < extents.x + extents.width && Int(y) >= extents.y
        && Int(y) < extents.y + extents.height
    }
    switch call.member {
    case "Contains": return [.bool(contains(extents))]
    case "GetAccessibleAtPoint":
      guard contains(extents) else { return [Reference.none.value] }
      let child = children(of: node).first { contains(self.extents(of: $0)) }
      // The slider has no place of its own to be pointed at.
      if case .video = child { return [reference(child ?? node).value] }
      return [reference(node).value]
    case "GetExtents": return [Self.value(of: extents)]
    case "GetPosition": return [.int32(Int32(clamping: extents.x)), .int32(Int32(clamping: extents.y))]
    case "GetSize":
      return [.int32(Int32(clamping: extents.width)), .int32(Int32(clamping: extents.height))]
    // AtspiComponentLayer: a window, or what is in one.
    case "GetLayer": return [.uint32({ if case .window = node { 7 } else { 3 } }())]
    case "GetMDIZOrder": return [.int16(-1)]
    case "GetAlpha": return [.double(1)]
    // The compositor places windows, and gives the keyboard away.
    case "GrabFocus", "SetExtents", "SetPosition", "SetSize", "ScrollTo", "ScrollToPoint":
      return [.bool(false)]
    default: return nil
    }
  }

  private func answerAction(_ call: AccessibleCall, _ node: AccessibleNode) -> Result<[BusValue], BusError>? {
    guard let view = entry(node)?.view else { return nil }
    let isFirst = call.body.first?.asInt32 == 0
    switch call.member {
    case "GetActions":
      let action = BusValue.structure([.string(view.actionLabel), .string(""), .string("")])
      return .success([.array(of: "(sss)", [action])])
    case "GetName": return .success([.string(isFirst ? "toggle" : "")])
    case "GetLocalizedName", "GetDescription": return .success([.string(isFirst ? view.actionLabel : "")])
    case "GetKeyBinding": return .success([.string("")])
    case "DoAction":
      guard isFirst, let controls = view.controls else { return .success([.bool(false)]) }
      controls.toggle()
      return .success([.bool(true)])
    default: return nil
    }
  }
}
