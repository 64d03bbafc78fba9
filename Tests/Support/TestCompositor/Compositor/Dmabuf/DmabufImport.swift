internal import Glibc
internal import Wayland

/// What a client says of a dmabuf that is to be imported. Any descriptor that can be mapped will do.
final class DmabufImport {
  private struct Plane {
    let descriptor: Int32
    let offset: Int
    let stride: Int
    let modifier: UInt64
  }

  let parameters: ZwpLinuxBufferParamsV1Resource
  private(set) var width = 0
  private(set) var height = 0
  private(set) var mistake: (code: UInt32, message: String)?
  private var fourcc: UInt32 = 0
  private var planes: [Int: Plane] = [:]

  init(_ parameters: ZwpLinuxBufferParamsV1Resource) { self.parameters = parameters }

  deinit { for plane in planes.values { close(plane.descriptor) } }

  func add(_ descriptor: Int32, index: Int, offset: Int, stride: Int, modifier: UInt64) {
    if planes[index] != nil {
      close(descriptor)
      return fail(.planeSet, "plane \(index) was given before")
    }
    planes[index] = Plane(descriptor: descriptor, offset: offset, stride: stride, modifier: modifier)
  }

  func ask(width: Int, height: Int, fourcc: UInt32) {
    self.width = width
    self.height = height
    self.fourcc = fourcc
    guard width > 0, height > 0 else { return fail(.invalidDimensions, "\(width)x\(height)") }
    guard let format else { return fail(.invalidFormat, "format 0x\(String(fourcc, radix: 16))") }
    guard (0..<format.planes.count).allSatisfy({ planes[$0] != nil }), planes.count == format.planes.count
    else { return fail(.incomplete, "\(planes.count) planes of \(format)") }
    guard Set(planes.values.map(\.modifier)).count == 1 else {
      return fail(.invalidFormat, "planes of several modifiers")
    }
    for (index, layout) in format.planes.enumerated() {
      guard let plane = planes[index] else { continue }
      let rows = (height + (1 << layout.shiftY) - 1) >> layout.shiftY
      let size = Int(lseek(plane.descriptor, 0, SEEK_END))
      let rowEnd = ((width + (1 << layout.shiftX) - 1) >> layout.shiftX) * layout.bytes
      guard plane.stride >= rowEnd, plane.offset + plane.stride * rows <= size else {
        return fail(.outOfBounds, "plane \(index) at \(plane.offset) of \(size)")
      }
    }
  }

  /// What the client wants it taken for.
  var layout: DmabufAdvice.Format {
    var layout = DmabufAdvice.Format(.xrgb8888, modifier: planes[0]?.modifier ?? 0)
    layout.fourcc = fourcc
    return layout
  }

  /// The buffer's content; nil when it can't be read here.
  func content() -> ServerBuffer.Content? {
    guard let format, let first = planes[0] else { return nil }
    let copy = dup(first.descriptor)
    let size = Int(lseek(first.descriptor, 0, SEEK_END))
    guard let memory = PoolMemory(descriptor: copy, byteCount: size) else { return nil }
    let places = (0..<planes.count).compactMap { planes[$0].map { ($0.offset, $0.stride) } }
    return .dmabuf(memory, format: format, modifier: first.modifier, planes: places)
  }

  private var format: ShmFormat? { ShmFormat.allCases.first { $0.fourcc == fourcc } }

  private func fail(_ error: ZwpLinuxBufferParamsV1.Error, _ message: String) {
    if mistake == nil { mistake = (error.rawValue, message) }
  }
}
