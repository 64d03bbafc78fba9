internal import CWaylandServer
public import Wayland

/// Marks the resources whose user data is one of our objects, beside those that libwayland made by itself.
struct ResourceTag: @unchecked Sendable {
  // @unchecked: only the address counts; nothing is ever read or written there.
  let pointer: UnsafeRawPointer

  static let shared = ResourceTag(
    pointer: UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)))
}

/// libwayland calls this for each request to our resources.
func dispatchRequest(
  _ tag: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
  _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  guard let target, let arguments, let data = wl_resource_get_user_data(OpaquePointer(target)) else {
    return 0
  }
  // The reference held here keeps the object while its handler ends it.
  let resource = Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue()
  withExtendedLifetime(resource) { resource.receive(opcode, MessageArguments(rawPointer: arguments)) }
  return 0
}

extension Resource {
  /// Whether an event may go out. For emitted code.
  public final func admits(
    _ opcode: UInt32, since: UInt32, _ first: Resource? = nil, _ second: Resource? = nil,
    _ third: Resource? = nil
  ) -> Bool {
    guard isAlive, version >= since else { return false }
    return [first, second, third].allSatisfy { $0?.isAlive ?? true }
  }

  /// Sends an event without arguments. For emitted code.
  public final func send(_ opcode: UInt32, ending: Bool = false) {
    // libwayland reads no argument of a message that has none, but wants the array.
    var nothing: InlineArray<1, WireArgument> = [.int(0)]
    send(opcode, &nothing, ending: ending)
  }

  /// Sends an event. For emitted code.
  public final func send<let count: Int>(
    _ opcode: UInt32, _ arguments: inout InlineArray<count, WireArgument>, ending: Bool = false
  ) {
    guard let pointer else { return }
    withUnsafeMutablePointer(to: &arguments) {
      // WireArgument holds a wl_argument and nothing else.
      let arguments = UnsafeMutableRawPointer($0).assumingMemoryBound(to: wl_argument.self)
      wl_resource_post_event_array(pointer, opcode, arguments)
    }
    if ending { destroy() }
  }

  /// The resource that a request brings into being, with the version of this one. For emitted code.
  public final func adopt<Object: WaylandResource>(
    _ arguments: MessageArguments, _ index: Int, _ type: Object.Type
  ) -> Object {
    client.makeResource(type, version: version, id: arguments.uint(index))
  }

  /// The resource that a request names; `nil` for none, and for one that libwayland made by itself. For
  /// emitted code.
  public final func resource<Object: WaylandResource>(
    _ arguments: MessageArguments, _ index: Int, _ type: Object.Type
  ) -> Object? {
    Resource.known(arguments.rawObject(index), type.interface) as? Object
  }

  /// As the other `resource`, for an interface that is not described: there can't be one of ours.
  public final func resource(_ arguments: MessageArguments, _ index: Int, _ type: Resource.Type) -> Resource?
  { nil }

  private static func known(_ pointer: OpaquePointer?, _ interface: WireInterface) -> Resource? {
    let facts = interface.rawPointer.assumingMemoryBound(to: wl_interface.self)
    guard let pointer, wl_resource_instance_of(pointer, facts, ResourceTag.shared.pointer) != 0,
      let data = wl_resource_get_user_data(pointer)
    else { return nil }
    return Unmanaged<Resource>.fromOpaque(data).takeUnretainedValue()
  }
}

extension WireArgument {
  /// A resource that is alive, or none.
  public static func object(_ resource: Resource?) -> WireArgument { .object(raw: resource?.pointer) }
}
