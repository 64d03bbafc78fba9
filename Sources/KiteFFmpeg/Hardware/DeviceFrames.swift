import CFFmpeg
import Glibc
import KiteCore

/// Reads the descriptions of pictures that a device holds.
enum DeviceFrames {
  /// The picture of `frame` as dmabufs; nil when it can't be described as one.
  ///
  /// VAAPI's exporter describes each plane as a layer of its own (R8 and GR88): they are put together again, as planes of
  /// `format`, since compositors want one picture and not its parts.
  ///
  /// - Parameter frame: of `AV_PIX_FMT_DRM_PRIME`; it owns the descriptors.
  static func description(
    of frame: UnsafeMutablePointer<AVFrame>, format: PixelFormat, device: UInt64?
  ) -> DmabufDescriptor? {
    guard let drm = kite_frame_drm(frame), drm.pointee.nb_objects > 0, drm.pointee.nb_layers > 0,
      let first = kite_drm_object(drm, 0)
    else { return nil }
    let modifier = first.pointee.format_modifier
    var planes: [DmabufDescriptor.Plane] = []
    for index in 0..<drm.pointee.nb_layers {
      guard let layer = kite_drm_layer(drm, index) else { return nil }
      for number in 0..<layer.pointee.nb_planes {
        guard let plane = kite_drm_plane(layer, number)?.pointee,
          let object = kite_drm_object(drm, plane.object_index)?.pointee,
          object.format_modifier == modifier, plane.offset >= 0, plane.pitch > 0
        else { return nil }
        planes.append(.init(descriptor: object.fd, offset: Int(plane.offset), stride: Int(plane.pitch)))
      }
    }
    let fourcc: UInt32
    if drm.pointee.nb_layers == 1, let layer = kite_drm_layer(drm, 0) {
      fourcc = layer.pointee.format
    } else {
      // The parts are planes of the format only if there is one for each.
      guard planes.count == format.planes.count else { return nil }
      fourcc = format.fourcc
    }
    guard fourcc != 0, (1...4).contains(planes.count) else { return nil }
    return DmabufDescriptor(fourcc: fourcc, modifier: modifier, planes: planes, device: device)
  }
}
