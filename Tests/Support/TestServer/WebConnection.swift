import Foundation

/// One connection of a server: one request, one answer.
struct WebConnection {
  private let socket: Int32
  private let state: ServerBox<WebServer.State>

  /// Bytes sent at once, so that a slow answer comes evenly.
  private static let pieceSize = 4096

  init(_ socket: Int32, _ state: ServerBox<WebServer.State>) {
    self.socket = socket
    self.state = state
    // So that a client that doesn't read is no reason to stay.
    var limit = timeval(tv_sec: 0, tv_usec: 20_000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  func serve() {
    guard let request = readRequest() else { return }
    let answer = state.withLock { state -> Answer? in
      state.requests.append(request)
      guard var answer = state.answers[request.path] else { return nil }
      if let breaks = answer.breaks {
        // The last of those that end early.
        if breaks.times <= 0 { answer.breaks = nil }
        state.answers[request.path]?.breaks?.times -= 1
      }
      return answer
    }
    send(answer ?? .status(404), request)
  }

  private func readRequest() -> WebServer.Request? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 2048)
    while !bytes.ends(with: "\r\n\r\n") {
      let count = recv(socket, &piece, piece.count, 0)
      if count > 0 {
        bytes += piece[..<count]
      } else if count == 0 || isStopping || errno != EAGAIN && errno != EINTR {
        return nil
      }
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2 else { return nil }
    let range = lines.lazy.map { $0.lowercased() }.first { $0.hasPrefix("range: bytes=") }
    let start = range?.dropFirst("range: bytes=".count).prefix { $0.isNumber } ?? "0"
    return WebServer.Request(path: String(words[1]), start: Int(start) ?? 0)
  }

  private func send(_ answer: Answer, _ request: WebServer.Request) {
    guard wait(for: answer.headerGate) else { return }
    let start = answer.givesRanges ? min(request.start, answer.body.count) : 0
    let status = answer.status ?? (answer.givesRanges ? 206 : 200)
    var lines = ["HTTP/1.1 \(status) Answer", "Connection: close"]
    lines.append("Content-Length: \(answer.body.count - start)")
    if answer.givesRanges, answer.status == nil {
      lines.append("Accept-Ranges: bytes")
      lines.append("Content-Range: bytes \(start)-\(answer.body.count - 1)/\(answer.body.count)")
    }
    lines += answer.headers
    guard send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)) else { return }
    var end = answer.body.count
    if let breaks = answer.breaks { end = min(end, start + breaks.byteCount) }
    var offset = start
    let beginning = Date()
    while offset < end {
      if let stall = answer.stall, offset >= stall.offset, !wait(for: stall.gate) { return }
      var next = min(end, offset + Self.pieceSize)
      if let stall = answer.stall, offset < stall.offset { next = min(next, stall.offset) }
      guard send(answer.body.subdata(in: offset..<next)) else { return }
      offset = next
      guard let speed = answer.speed else { continue }
      let due = beginning.addingTimeInterval(Double(offset - start) / Double(speed))
      Thread.sleep(until: due)
    }
    // A close with bytes unread would take back what was sent.
    shutdown(socket, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: 512)
    while true {
      let count = recv(socket, &rest, rest.count, 0)
      if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR || isStopping { return }
    }
  }

  private func send(_ data: Data) -> Bool {
    var sent = 0
    while sent < data.count {
      let count = data.withUnsafeBytes { bytes in
        Foundation.send(
          socket, bytes.baseAddress?.advanced(by: sent), data.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if isStopping || errno != EAGAIN && errno != EINTR {
        return false
      }
    }
    return true
  }

  /// False when the server ends first.
  private func wait(for gate: ServerGate?) -> Bool {
    guard let gate else { return true }
    while !gate.isOpen {
      if isStopping { return false }
      usleep(1000)
    }
    return true
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
