import Glibc
import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage

@testable import KiteOutput

extension ViewTests {
  /// What presenting a frame costs beside decoding it: the time that the presenter's thread computes, by the kernel's
  /// account. Printed, not judged; measured where KITE_BENCH is set, since a figure wants a machine to itself.
  ///
  /// Plain memfds stand for dmabufs: their import costs nothing in a compositor that only maps them, and the two
  /// `DMA_BUF_IOCTL_SYNC` calls a frame fail at once.
  @MainActor struct PresentationCostTests {
    private struct Way {
      let name: String
      let configuration: CompositorConfiguration
      let color: ColorDescription
      let path: RendererDiagnostics.Path
    }

    private static let ways = [
      Way(name: "dmabuf", configuration: .dmabuf([.yuv420]), color: .sd, path: .dmabuf),
      Way(name: "wl_shm, YUV", configuration: .yuv, color: .sd, path: .shmDirect),
      Way(
        name: "wl_shm, converted", configuration: .yuv,
        color: ColorDescription(matrix: .bt709, range: .limited), path: .shmConverted),
    ]

    @Test func whatAFrameCostsByEachPath() async throws {
      guard getenv("KITE_BENCH") != nil else {
        print("not measured here: KITE_BENCH is not set")
        return
      }
      print("| path | 1080p30, ms of the presenter's thread a frame | 4K30 |\n| --- | --- | --- |")
      for way in Self.ways {
        let costs = [
          try await Self.cost(of: way, width: 1920, height: 1080),
          try await Self.cost(of: way, width: 3840, height: 2160),
        ]
        let cells = costs.map { "\(($0 / 1000).rounded() / 1000)" }
        print("| \(way.name) | \(cells.joined(separator: " | ")) |")
      }
    }

    private static func cost(of way: Way, width: Int, height: Int) async throws -> Double {
      let show = try await Show(
        way.configuration.with { $0.checksMemory = false }, width: width, height: height, hertz: 60,
        factory: StandardRendererFactory(devices: KernelDevices(dmabufs: MemfdDmabufs())))
      let painter = FramePainter(color: way.color, width: width, height: height)
      let (warmUp, count) = (15, 90)
      var start: UInt64 = 0
      for index in 0..<(warmUp + count) {
        if index == warmUp { start = Self.presenterTime }
        try show.player.show(painter.plainFrame(UInt8(40 + index)))
        try await show.stage.play(milliseconds: 33)
      }
      try await show.waitUntilSettled()
      let time = Self.presenterTime - start
      #expect(show.view.diagnostics.path == way.path)
      #expect(show.view.presentedFrames > count / 2)
      try await show.end()
      return Double(time) / Double(count)
    }

    /// Nanoseconds that threads of the presenters' name have computed.
    private static var presenterTime: UInt64 {
      guard let folder = opendir("/proc/self/task") else { return 0 }
      defer { closedir(folder) }
      var total: UInt64 = 0
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard text(of: "/proc/self/task/\(name)/comm").hasPrefix("kite-present") else { continue }
        total +=
          text(of: "/proc/self/task/\(name)/schedstat").split(separator: " ").first.flatMap { UInt64($0) }
          ?? 0
      }
      return total
    }

    private static func text(of path: String) -> String {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return "" }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 128)
      let count = read(file, &bytes, 128)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }
}

private struct NoMemoryIsFree: Error {}

extension FramePainter {
  /// A grey frame of three planes, painted fast: at 4K a closure a pixel takes seconds.
  fileprivate func plainFrame(_ level: UInt8) throws -> VideoFrame {
    let rows = properties.codedSize.height
    let chroma = (stride / 2) * (rows / 2)
    guard let slot = try pool.lend(byteCount: stride * rows + 2 * chroma) else { throw NoMemoryIsFree() }
    let base = slot.memory.baseAddress
    memset(base, Int32(level), stride * rows)
    memset(base + stride * rows, 128, 2 * chroma)
    let planes = [
      VideoPlane(offset: 0, stride: stride, baseAddress: base),
      VideoPlane(offset: stride * rows, stride: stride / 2, baseAddress: base + stride * rows),
      VideoPlane(
        offset: stride * rows + chroma, stride: stride / 2, baseAddress: base + stride * rows + chroma),
    ]
    return VideoFrame(properties: properties, memory: .shared(slot.memory), planes: planes, owner: slot)
  }
}
