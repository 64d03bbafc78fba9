import Glibc
import KiteSystem
import Testing

/// Whether `descriptor` is open.
private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

@Suite struct DescriptorTests {
  private struct Pipe: ~Copyable {
    let read: FileDescriptor
    let write: FileDescriptor

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", subject: "making a pipe") }
      read = FileDescriptor(owning: ends[0])
      write = FileDescriptor(owning: ends[1])
    }
  }

  @Test func closesWithItsOwner() throws {
    // Told by the other end: the number may be another file's by the time one looks.
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let reader = FileDescriptor(owning: ends[0])
    do {
      let writer = FileDescriptor(owning: ends[1])
      #expect(isOpen(writer.rawValue))
      #expect(!hasHungUp(reader.rawValue))
    }
    #expect(hasHungUp(reader.rawValue))
  }

  @Test func takingItGivesUpOwnership() throws {
    let ends = try Pipe()
    let copy = try ends.read.duplicate()
    let raw = copy.take()
    #expect(isOpen(raw))
    close(raw)
  }

  @Test func aDuplicateIsTheSameFileAndClosedOnExec() throws {
    let ends = try Pipe()
    let copy = try ends.write.duplicate()
    #expect(copy.rawValue != ends.write.rawValue)
    #expect(fcntl(copy.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    var byte: UInt8 = 7
    #expect(write(copy.rawValue, &byte, 1) == 1)
    var read: UInt8 = 0
    #expect(Glibc.read(ends.read.rawValue, &read, 1) == 1)
    #expect(read == 7)
  }

  @Test func duplicatingWhatIsClosedSaysSo() throws {
    let error = #expect(throws: SystemError.self) {
      let file = FileDescriptor(owning: 1_000_000)
      let copy = try file.duplicate()
      _ = copy.rawValue
    }
    #expect(error?.code == EBADF)
    #expect(error?.call == "fcntl")
    #expect(error?.description == "duplicating descriptor 1000000: Bad file descriptor (fcntl, errno 9)")
  }

  @Test func anEventIsReadableFromSignalToAcknowledge() throws {
    let event = try EventDescriptor()
    #expect(!isReadable(event.descriptor))
    event.acknowledge()
    event.signal()
    event.signal()
    #expect(isReadable(event.descriptor))
    event.acknowledge()
    #expect(!isReadable(event.descriptor))
  }
}

/// Whether nobody can write to the pipe any more whose reading end is `descriptor`.
private func hasHungUp(_ descriptor: Int32) -> Bool {
  var request = pollfd(fd: descriptor, events: 0, revents: 0)
  return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP) != 0
}

/// Whether `descriptor` can be read within `timeout` milliseconds.
func isReadable(_ descriptor: Int32, timeout: Int32 = 0) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&request, 1, timeout) > 0 && request.revents & Int16(POLLIN) != 0
}
