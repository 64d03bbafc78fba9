internal import CWayland

/// The arguments of a message that arrived, as long as it is being dispatched. For emitted code.
public struct MessageArguments {
  let base: UnsafeMutablePointer<wl_argument>

  init(base: UnsafeMutablePointer<wl_argument>) { self.base = base }

  /// Reads from a `union wl_argument *`, for runtimes of other ends of the wire.
  public init(rawPointer: UnsafeMutableRawPointer) {
    base = rawPointer.assumingMemoryBound(to: wl_argument.self)
  }

  /// A signed number.
  public func int(_ index: Int) -> Int32 { base[index].i }
  /// An unsigned number.
  public func uint(_ index: Int) -> UInt32 { base[index].u }
  /// A fixed-point number.
  public func fixed(_ index: Int) -> WaylandFixed { WaylandFixed(rawValue: base[index].i) }
  /// A string; bytes that are not UTF-8 are replaced.
  public func string(_ index: Int) -> String { optionalString(index) ?? "" }
  /// A string that may be absent.
  public func optionalString(_ index: Int) -> String? { base[index].s.map { String(cString: $0) } }

  /// A copy of an array's bytes.
  public func array(_ index: Int) -> [UInt8] {
    guard let array = base[index].a?.pointee, array.size > 0 else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: array.data, count: array.size))
  }

  /// A descriptor, which this process owns from here on.
  public func descriptor(_ index: Int) -> ReceivedDescriptor { ReceivedDescriptor(owning: base[index].h) }

  /// The object that this process knows under an id; `nil` for none, for one that has ended, and for one that
  /// other code in this process made.
  public func object<Object: WaylandObject>(_ index: Int, _ type: Object.Type) -> Object? {
    Proxy.known(base[index].o) as? Object
  }

  /// libwayland's own object behind an argument.
  public func rawObject(_ index: Int) -> OpaquePointer? { base[index].o }

  /// As `object(_:_:)`, for an interface that is not described.
  public func object(_ index: Int, _ type: Proxy.Type) -> Proxy? { Proxy.known(base[index].o) }
}

extension [UInt8] {
  /// An array argument read as values of a trivial type, such as the states of a window; a rest is left out.
  public func wireValues<Value: BitwiseCopyable>(as type: Value.Type) -> [Value] {
    withUnsafeBytes { bytes in
      (0..<(bytes.count / MemoryLayout<Value>.stride)).map {
        bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.stride, as: type)
      }
    }
  }
}
