import CLinux
import Glibc

/// Ways in which this process can have memory that is a dmabuf and that a processor writes.
public enum DmabufExporter: Hashable, Sendable {
  /// `/dev/udmabuf` over sealed memfds: the same pages are `wl_shm` memory too.
  case udmabuf
  /// `/dev/dma_heap/system`.
  case dmaHeap

  /// The device that makes dmabufs of memfds.
  public static let udmabufPath = "/dev/udmabuf"
  /// The device of the kernel's heap of ordinary memory.
  public static let heapPath = "/dev/dma_heap/system"

  /// The kind of memory that frames need for this way.
  public var backing: SharedMemory.Backing { self == .udmabuf ? .memfd : .dmaHeap }

  /// Finds out by trying which way works in this process now: a page of memory is made, exported and let go.
  ///
  /// - Returns: the ways that work, the better first, and for each other one why it does not.
  public static func probe() -> (exporters: [DmabufExporter], problems: [SystemError]) {
    var exporters: [DmabufExporter] = []
    var problems: [SystemError] = []
    do throws(SystemError) {
      _ = try SharedMemory(byteCount: 1, name: "kite-probe").dmabuf()
      exporters.append(.udmabuf)
    } catch {
      problems.append(error)
    }
    do throws(SystemError) {
      _ = try SharedMemory(heapByteCount: 1)
      exporters.append(.dmaHeap)
    } catch {
      problems.append(error)
    }
    return (exporters, problems)
  }

  /// A dmabuf over all of a memfd that is sealed against shrinking. The caller closes it.
  static func udmabuf(memfd: Int32, byteCount: Int) throws(SystemError) -> Int32 {
    let raw = open(udmabufPath, O_RDWR | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(call: "open", subject: "opening \(udmabufPath)") }
    let device = FileDescriptor(owning: raw)
    let dmabuf = kite_udmabuf_create(device.rawValue, memfd, UInt64(byteCount))
    guard dmabuf >= 0 else {
      throw SystemError(call: "UDMABUF_CREATE", subject: "making a dmabuf of \(byteCount) bytes")
    }
    return dmabuf
  }
}
