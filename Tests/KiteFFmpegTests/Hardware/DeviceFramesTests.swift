import CFFmpeg
import KiteCore
import Testing

@testable import KiteFFmpeg

/// Descriptions as devices' decoders give them, made by hand.
@Suite struct DeviceFramesTests {
  private static let tiling: UInt64 = 0x0100_0000_0000_0002

  private func describe(
    _ format: PixelFormat = .nv12, _ change: (inout AVDRMFrameDescriptor) -> Void
  ) throws -> DmabufDescriptor? {
    var drm = AVDRMFrameDescriptor()
    drm.nb_objects = 1
    drm.objects.0.fd = 40
    drm.objects.0.format_modifier = Self.tiling
    change(&drm)
    let owner = try #require(FrameOwner())
    owner.raw.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
    return withUnsafeMutablePointer(to: &drm) { drm in
      UnsafeMutableRawPointer(drm).withMemoryRebound(to: UInt8.self, capacity: 1) {
        owner.raw.pointee.data.0 = $0
        defer { owner.raw.pointee.data.0 = nil }
        return DeviceFrames.description(of: owner.raw, format: format, device: 7)
      }
    }
  }

  @Test func oneLayerIsTakenAsItIs() throws {
    let description = try #require(
      try describe {
        $0.nb_layers = 1
        $0.layers.0.format = PixelFormat.nv12.fourcc
        $0.layers.0.nb_planes = 2
        $0.layers.0.planes.0.pitch = 2048
        $0.layers.0.planes.1.pitch = 2048
        $0.layers.0.planes.1.offset = 4096
      })
    #expect(description.fourcc == PixelFormat.nv12.fourcc && description.modifier == Self.tiling)
    #expect(
      description.planes.map(\.descriptor) == [40, 40] && description.planes.map(\.offset) == [0, 4096])
    #expect(description.planes.map(\.stride) == [2048, 2048] && description.device == 7)
  }

  private func twoLayers(_ drm: inout AVDRMFrameDescriptor) {
    drm.nb_layers = 2
    drm.layers.0.format = 0x2020_3852
    drm.layers.0.nb_planes = 1
    drm.layers.0.planes.0.pitch = 1024
    drm.layers.1.format = 0x3838_5247
    drm.layers.1.nb_planes = 1
    drm.layers.1.planes.0.pitch = 1024
    drm.layers.1.planes.0.offset = 512
  }

  @Test func planesInLayersOfTheirOwnArePutTogether() throws {
    let description = try #require(try describe { twoLayers(&$0) })
    #expect(description.fourcc == PixelFormat.nv12.fourcc)
    #expect(description.planes.map(\.offset) == [0, 512])
  }

  @Test func planesInMemoriesOfTheirOwnKeepTheirDescriptors() throws {
    let description = try #require(
      try describe {
        twoLayers(&$0)
        $0.nb_objects = 2
        $0.objects.1.fd = 41
        $0.objects.1.format_modifier = Self.tiling
        $0.layers.1.planes.0.object_index = 1
      })
    #expect(description.planes.map(\.descriptor) == [40, 41])
  }

  @Test func whatMakesNoPictureIsRefused() throws {
    #expect(try describe { _ in } == nil)
    #expect(try describe(.yuv420p) { twoLayers(&$0) } == nil)
    let isMixed = try describe {
      twoLayers(&$0)
      $0.nb_objects = 2
      $0.objects.1.format_modifier = 0
      $0.layers.1.planes.0.object_index = 1
    }
    #expect(isMixed == nil)
    let isBeyond = try describe {
      twoLayers(&$0)
      $0.layers.1.planes.0.object_index = 3
    }
    #expect(isBeyond == nil)
    let isNegative = try describe {
      twoLayers(&$0)
      $0.layers.0.planes.0.pitch = -1
    }
    #expect(isNegative == nil)
  }
}
