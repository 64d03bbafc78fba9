import Glibc
import KiteSystem
import Wayland

// When the presenter sleeps, and what it reads when it wakes.
extension Presenter: PollSource {
  var descriptor: Int32 { connection?.display.descriptor ?? -1 }

  func prepare() -> PollEvents {
    do {
      while true {
        guard let connection else { return [] }
        work(at: .now)
        guard self.connection != nil else { return [] }
        if try rests(connection) {
          noteSleep()
          return []
        }
        if let prepared = connection.queue.prepareRead() {
          let wasBlocked = isFlushBlocked
          isFlushBlocked = try connection.display.flush() == .blocked
          // What was held back goes out now: no event may come that would bring it up again.
          if wasBlocked, !isFlushBlocked { continue }
          read = consume prepared
          noteSleep()
          return isFlushBlocked ? [.read, .write] : .read
        }
        try connection.queue.dispatchPending()
      }
    } catch {
      lose(error)
      return []
    }
  }

  /// Whether the socket is left alone until the next wake; what is to be sent goes out.
  private func rests(_ connection: PresenterConnection) throws -> Bool {
    isResting = false
    guard closingDeadline == nil, !waitsForAnswer, let end = rest.end(at: .now) else { return false }
    isFlushBlocked = try connection.display.flush() == .blocked
    guard !isFlushBlocked else { return false }
    isResting = true
    // Nobody may wait for this thread to read meanwhile: nothing is prepared.
    timer?.arm(at: min(timer?.time ?? end, end))
    return true
  }

  /// Frames that are not wanted before this thread wakes by itself need not wake it. What is to be committed ahead is
  /// wanted at once.
  private func noteSleep() {
    guard !queue.isOn else { return }
    link.withShelf { [time = timer?.time] in $0.sleepEnd = time ?? .distantFuture }
  }

  /// Another thread was woken for what has been read: it has something to do, and more of it may come.
  private func noteReading() {
    guard let count = connection?.display.readers.ringCount, count != rings else { return }
    rings = count
    rest.disturb()
  }

  /// What came while the socket was left alone: read if it is there.
  private func catchUp() throws {
    isResting = false
    rest.looked(at: .now)
    while let connection {
      try connection.queue.dispatchPending()
      guard let prepared = connection.queue.prepareRead() else { continue }
      var descriptor = pollfd(fd: connection.display.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 0) > 0 { try prepared.read() }
      noteReading()
      try connection.queue.dispatchPending()
      return
    }
  }

  func process(_ events: PollEvents) {
    if isResting {
      do { try catchUp() } catch { lose(error) }
      return
    }
    guard let prepared = read.take(), let connection else { return }
    do {
      // A closed socket may still hold the compositor's last words: read them.
      if events.contains(.read) || !events.isDisjoint(with: .failure) { try prepared.read() }
      rest.looked(at: .now)
      noteReading()
      try connection.queue.dispatchPending()
    } catch {
      lose(error)
    }
  }

  private func lose(_ error: any Error) {
    // After a close nobody wants to hear of it.
    if closingDeadline == nil { fail("The connection to the compositor is lost: \(error)") }
    end()
  }
}
