public import Foundation

/// A server of one H.264 stream over RTSP, its packets in the control connection (RFC 2326, 10.12): a camera that is told
/// how to misbehave.
///
/// A thread accepts, and one serves each connection; they end with the server.
public final class StreamServer: Sendable {
  /// What it answers with.
  public struct Stream: Sendable {
    /// The bare stream, as of a `.h264` file; its pictures are shown in the order in which they are coded.
    public var bytes: Data
    /// Pictures a second.
    public var rate = 25
    /// The pictures from this one on are sent when the gate is open.
    public var stall: (picture: Int, gate: ServerGate)?
    /// What it says to `DESCRIBE`; 200 is the only one that leads anywhere.
    public var status = 200

    /// All of `bytes`.
    public init(_ bytes: Data) { self.bytes = bytes }
  }

  struct State: ServerState {
    var isStopping = false
    var connections = 0
    var requests: [String] = []
  }

  private let state = ServerBox(State())
  private let port: UInt16

  /// A server of `stream` at a free port.
  public init(_ stream: Stream) throws {
    let listener: Int32
    (listener, port) = try WebServer.listen()
    let state = state
    Thread.detachNewThread { state.accept(listener) { StreamConnection($0, stream, state).serve() } }
  }

  deinit { state.withLock { $0.isStopping = true } }

  /// Where the stream is.
  public var address: String { "rtsp://127.0.0.1:\(port)/film" }
  /// Connections that are open.
  public var connections: Int { state.withLock { $0.connections } }
  /// The methods that were called so far.
  public var requests: [String] { state.withLock { $0.requests } }
}

/// One client of a `StreamServer`.
private struct StreamConnection {
  private let socket: Int32
  private let stream: StreamServer.Stream
  private let state: ServerBox<StreamServer.State>

  /// Bytes of a packet: less than those of a network.
  private static let packetLimit = 1400

  init(_ socket: Int32, _ stream: StreamServer.Stream, _ state: ServerBox<StreamServer.State>) {
    self.socket = socket
    self.stream = stream
    self.state = state
  }

  func serve() {
    while let request = readRequest() {
      let lines = request.split(separator: "\r\n").map(String.init)
      let words = lines.first.map { $0.split(separator: " ").map(String.init) } ?? []
      guard words.count >= 2 else { return }
      state.withLock { $0.requests.append(words[0]) }
      let number = lines.first { $0.lowercased().hasPrefix("cseq:") } ?? "CSeq: 0"
      switch words[0] {
      case "DESCRIBE":
        let description = """
          v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=film\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r
          a=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\na=control:track0\r\n
          """
        answer(
          number, status: stream.status,
          ["Content-Base: \(words[1])/", "Content-Type: application/sdp"], body: description)
      case "SETUP":
        // Clients ask for UDP first.
        guard lines.contains(where: { $0.contains("RTP/AVP/TCP") }) else {
          answer(number, status: 461)
          continue
        }
        answer(number, ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1", "Session: 1"])
      case "PLAY":
        answer(number, ["Session: 1"])
        sendPictures()
        return
      default: answer(number, ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"])
      }
    }
  }

  private func readRequest() -> String? {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      var byte: UInt8 = 0
      var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      while poll(&request, 1, 20) == 0 { if state.withLock({ $0.isStopping }) { return nil } }
      guard recv(socket, &byte, 1, 0) == 1, bytes.count < 65_536 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func answer(_ number: String, status: Int = 200, _ headers: [String] = [], body: String = "") {
    let lines =
      ["RTSP/1.0 \(status) Said", number] + headers
      + (body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"])
    _ = send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
  }

  /// Sends all of the bytes; false when the client is gone, or the server is to end.
  private func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      var request = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      while poll(&request, 1, 20) == 0 { if state.withLock({ $0.isStopping }) { return false } }
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  // MARK: Pictures

  private func sendPictures() {
    var sequence: UInt16 = 0
    for (index, units) in Self.pictures(of: Array(stream.bytes)).enumerated() {
      if let stall = stream.stall, index == stall.picture {
        while !stall.gate.isOpen, !isClientGone, !state.withLock({ $0.isStopping }) { usleep(5000) }
      }
      let time = UInt32(index * 90_000 / stream.rate)
      for (number, unit) in units.enumerated() {
        let parts = Self.payloads(of: unit)
        for (part, payload) in parts.enumerated() {
          let isLast = number == units.count - 1 && part == parts.count - 1
          let head = [0x80, isLast ? 0xE0 : 0x60] + Self.big(sequence) + Self.big(time) + [0, 0, 0, 1]
          sequence &+= 1
          guard send(Self.interleaved(head + payload, channel: 0)) else { return }
        }
      }
    }
    // An empty report, and goodbye (RFC 3550, 6.6).
    _ = send(Self.interleaved([0x80, 201, 0, 1, 0, 0, 0, 1, 0x81, 203, 0, 1, 0, 0, 0, 1], channel: 1))
    while !isClientGone, !state.withLock({ $0.isStopping }) { usleep(5000) }
  }

  /// Whether the client has closed the connection; what it says is not listened to.
  private var isClientGone: Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN
  }

  private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func interleaved(_ packet: [UInt8], channel: UInt8) -> [UInt8] {
    [0x24, channel] + big(UInt16(packet.count)) + packet
  }

  /// A unit as it is, or in fragments (FU-A of RFC 6184).
  private static func payloads(of unit: ArraySlice<UInt8>) -> [[UInt8]] {
    guard unit.count > packetLimit, let head = unit.first else { return [Array(unit)] }
    let rest = unit.dropFirst()
    return stride(from: rest.startIndex, to: rest.endIndex, by: packetLimit).map { start in
      let end = min(start + packetLimit, rest.endIndex)
      let marks: UInt8 = (start == rest.startIndex ? 0x80 : 0) | (end == rest.endIndex ? 0x40 : 0)
      return [head & 0xE0 | 28, marks | head & 0x1F] + rest[start..<end]
    }
  }

  /// The units of each picture: its slices, and what comes before them.
  private static func pictures(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    var pictures: [[ArraySlice<UInt8>]] = []
    var units: [ArraySlice<UInt8>] = []
    var hasSlice = false
    for unit in split(bytes) {
      guard unit.count > 1, let head = unit.first else { continue }
      let isSlice = head & 0x1F == 1 || head & 0x1F == 5
      // Its first macroblock is the picture's first.
      let begins = !isSlice || unit[unit.startIndex + 1] & 0x80 != 0
      if hasSlice, begins {
        pictures.append(units)
        (units, hasSlice) = ([], false)
      }
      units.append(unit)
      hasSlice = hasSlice || isSlice
    }
    return pictures + (units.isEmpty ? [] : [units])
  }

  /// What lies between start codes.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    var (start, index): (Int?, Int) = (nil, 0)
    while index + 2 < bytes.count {
      guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
        index += 1
        continue
      }
      if let start { units.append(trimmed(bytes[start..<index])) }
      start = index + 3
      index += 3
    }
    return units + (start.map { [trimmed(bytes[$0...])] } ?? [])
  }

  /// Without the zero that a longer start code begins with.
  private static func trimmed(_ unit: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var unit = unit
    while unit.last == 0 { unit.removeLast() }
    return unit
  }
}
