internal import Wayland

/// `wl_shm` and its pools.
final class ShmGlobal {
  private unowned let core: CompositorCore

  init(_ core: CompositorCore) { self.core = core }

  func bind(_ shm: WlShmResource) {
    for fourcc in core.configuration.shmFormats {
      let wire = ShmFormat.allCases.first { $0.fourcc == fourcc }?.wire ?? fourcc
      shm.sendFormat(WlShm.Format(rawValue: wire))
    }
    shm.onRequest = { [weak self] request in
      guard case .createPool(let pool, let descriptor, let size) = request else { return }
      self?.makePool(pool, descriptor: descriptor.take(), size: size, shm: shm)
    }
  }

  private func makePool(_ pool: WlShmPoolResource, descriptor: Int32, size: Int32, shm: WlShmResource) {
    guard size > 0 else {
      return shm.postError(code: WlShm.Error.invalidStride.rawValue, "invalid size (\(size))")
    }
    guard let memory = PoolMemory(descriptor: descriptor, byteCount: Int(size)) else {
      return shm.postError(code: WlShm.Error.invalidFd.rawValue, "failed mmap fd \(descriptor)")
    }
    if memory.fileSize < Int(size) {
      core.report(.poolTooShort, surface: nil, "a pool of \(size) bytes over a file of \(memory.fileSize)")
    }
    core.counts.poolsMade += 1
    pool.onDestroyed = { [weak core] in core?.counts.poolsDestroyed += 1 }
    pool.onRequest = { [weak self, weak pool] request in
      guard let self, let pool else { return }
      switch request {
      case .createBuffer(let id, let offset, let width, let height, let stride, let format):
        let shape = Shape(offset: offset, width: width, height: height, stride: stride)
        makeBuffer(id, shape, format: format, memory: memory, pool: pool)
      case .resize(let size):
        if !memory.grow(to: Int(size)) {
          pool.postError(code: WlShm.Error.invalidFd.rawValue, "shrinking pool invalid")
        }
      case .destroy: break
      }
    }
  }

  private struct Shape {
    let offset: Int32
    let width: Int32
    let height: Int32
    let stride: Int32
  }

  private func makeBuffer(
    _ resource: WlBufferResource, _ shape: Shape, format: WlShm.Format, memory: PoolMemory,
    pool: WlShmPoolResource
  ) {
    guard let known = ShmFormat(wire: format.rawValue), core.configuration.shmFormats.contains(known.fourcc)
    else {
      let text = "invalid format 0x\(String(format.rawValue, radix: 16))"
      return pool.postError(code: WlShm.Error.invalidFormat.rawValue, text)
    }
    let (offset, stride) = (Int(shape.offset), Int(shape.stride))
    let (width, height) = (Int(shape.width), Int(shape.height))
    guard offset >= 0, width > 0, height > 0, stride >= known.minimumStride(width: width),
      offset + known.layout(stride: stride, height: height).byteCount <= memory.byteCount
    else {
      let text =
        "invalid width, height or stride (\(width)x\(height), \(stride)) at \(offset) of \(memory.byteCount)"
      return pool.postError(code: WlShm.Error.invalidStride.rawValue, text)
    }
    core.addBuffer(
      resource, .memory(memory, offset: offset, stride: stride, format: known), width: width, height: height)
  }
}
