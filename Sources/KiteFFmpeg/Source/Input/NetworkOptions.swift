import CFFmpeg
import KiteCore

/// What FFmpeg's protocols are told about networks.
enum NetworkOptions {
  /// One connection may be silent for a part of the time in which bytes have to come: then another one is tried.
  private static let connections: Int64 = 3
  /// What a web page's media may lead to: nothing on this machine.
  static let protocols = "http,https,tls,rtp,tcp,udp,crypto,httpproxy,data"

  static func set(
    _ dictionary: inout OpaquePointer?, _ options: FFmpegBackend.Options, isFirst: Bool = false
  ) {
    let microseconds = max(1, options.networkTimeout.nanoseconds / 1000 / (isFirst ? 1 : connections))
    av_dict_set_int(&dictionary, "rw_timeout", microseconds, 0)
    av_dict_set_int(&dictionary, "tls_verify", options.verifiesCertificates ? 1 : 0, 0)
    if let file = options.certificateFile { av_dict_set(&dictionary, "ca_file", file, 0) }
  }

  /// Whether `address` is one of a web server.
  static func isWeb(_ address: String) -> Bool {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    return scheme == "http" || scheme == "https"
  }
}

/// What a demuxer opens by itself, as the segments of a playlist, with the same options as the rest.
final class NestedOpener {
  typealias Open =
    @convention(c) (
      UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
      UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  private let options: FFmpegBackend.Options
  private let open: Open

  /// Nil where FFmpeg has no way of its own.
  init?(_ context: UnsafeMutablePointer<AVFormatContext>, _ options: FFmpegBackend.Options) {
    guard let open = context.pointee.io_open else { return nil }
    self.open = open
    self.options = options
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.io_open = { @Sendable context, reader, address, flags, dictionary in
      guard let opaque = context?.pointee.opaque else { return kite_error_invalid }
      let opener = Unmanaged<NestedOpener>.fromOpaque(opaque).takeUnretainedValue()
      var own: OpaquePointer?
      defer { av_dict_free(&own) }
      if let dictionary {
        NetworkOptions.set(&dictionary.pointee, opener.options)
        return opener.open(context, reader, address, flags, dictionary)
      }
      NetworkOptions.set(&own, opener.options)
      return opener.open(context, reader, address, flags, &own)
    }
  }
}
