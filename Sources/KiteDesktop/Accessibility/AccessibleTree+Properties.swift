import KiteCore
import KiteViews

// Properties: what clients read, and what they may set.
extension AccessibleTree {
  func answerProperties(
    _ call: AccessibleCall, _ node: AccessibleNode
  ) -> Result<[BusValue], BusError>? {
    guard let interface = call.body.first?.asString else { return nil }
    let properties = node.interfaces.contains(interface) ? properties(of: node, interface) : [:]
    switch call.member {
    case "GetAll":
      return .success([.options(properties)])
    case "Get":
      guard call.body.count == 2, let name = call.body[1].asString else { return nil }
      return properties[name].map { .success([.variant($0)]) } ?? .failure(.unknownProperty(name))
    case "Set":
      guard call.body.count == 3, let name = call.body[1].asString, let value = call.body[2].asVariant else {
        return nil
      }
      guard properties[name] != nil else { return .failure(.unknownProperty(name)) }
      return set(name, of: interface, of: node, to: value)
    default:
      return nil
    }
  }

  private func properties(of node: AccessibleNode, _ interface: String) -> [String: BusValue] {
    switch interface {
    case AtspiName.accessible:
      [
        "Name": .string(name(of: node)), "Description": .string(description(of: node)),
        "Parent": parentReference(of: node).value, "ChildCount": .int32(Int32(children(of: node).count)),
        "Locale": .string(""), "AccessibleId": .string(""), "HelpText": .string(""),
      ]
    case AtspiName.application:
      [
        "ToolkitName": .string("Kite"), "Version": .string("0.1"), "AtspiVersion": .string("2.1"),
        "Id": .int32(applicationID),
      ]
    case AtspiName.action:
      ["NActions": .int32(1)]
    case AtspiName.value:
      [
        "MinimumValue": .double(0), "MaximumValue": .double(end(of: node)), "MinimumIncrement": .double(0),
        "CurrentValue": .double(position(of: node).seconds),
        "Text": .string(KitePlayerView.accessibilityTimeText(position(of: node))),
      ]
    default: [:]
    }
  }

  private func set(
    _ name: String, of interface: String, of node: AccessibleNode, to value: BusValue
  ) -> Result<[BusValue], BusError> {
    guard interface == AtspiName.value, name == "CurrentValue" else {
      return .failure(.readOnly("\(name) can't be set."))
    }
    guard let seek = entry(node)?.view.controls?.seek else {
      return .failure(.readOnly("The player can't go to another position here."))
    }
    guard let seconds = value.asDouble, seconds.isFinite else {
      return .failure(
        BusError("org.freedesktop.DBus.Error.InvalidArgs", "A position is a number of seconds."))
    }
    seek(MediaTime(seconds: max(0, min(seconds, end(of: node)))))
    return .success([])
  }

  /// Takes the number that the registry gives to the application; false for every other call.
  mutating func takeNumber(_ call: AccessibleCall) -> Bool {
    guard call.path == AccessibleNode.application.path, call.interface == AtspiName.properties,
      call.member == "Set", call.body.count == 3, call.body[0] == .string(AtspiName.application),
      call.body[1] == .string("Id"), let number = call.body[2].asVariant?.asInt32
    else { return false }
    applicationID = number
    return true
  }
}
