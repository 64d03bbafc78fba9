import KiteSystem
import TestCompositor

@testable import KiteOutput

/// Timelines as the scripted compositor knows them, whose failures and whose devices' slowness the test decides on.
final class TestSync: SyncDeviceOpener {
  struct State: ~Copyable {
    /// The call that fails, counted from 1; nil for none.
    var failure: Int?
    var calls = 0
    /// Devices that write to dmabufs haven't finished.
    var areDevicesBusy = false
    var held: [(timeline: TestTimeline, point: UInt64)] = []
    /// What was asked of, by the device's number.
    var asked: [UInt64?] = []
    /// Points that waited for a device's writes.
    var awaitedWrites = 0
  }

  let state = Locked(State())

  /// - Parameter failure: the call that fails, counted from 1; none after it is expected.
  init(failure: Int? = nil) { state.withLock { $0.failure = failure } }

  func open(preferring device: UInt64?) throws(SystemError) -> any SyncDevice {
    state.withLock { $0.asked.append(device) }
    try call("open")
    return Device(sync: self)
  }

  /// The devices have written everything.
  func finishWrites() {
    let held = state.withLock { state in
      state.areDevicesBusy = false
      defer { state.held = [] }
      return state.held
    }
    for (timeline, point) in held { timeline.signal(point) }
  }

  fileprivate func call(_ name: String) throws(SystemError) {
    let fails = state.withLock { state in
      state.calls += 1
      return state.calls == state.failure
    }
    if fails { throw SystemError(call: name, subject: "testing", code: 5) }
  }

  private final class Device: SyncDevice {
    private let sync: TestSync
    init(sync: TestSync) { self.sync = sync }

    func makeTimeline() throws(SystemError) -> any SyncTimeline {
      try sync.call("create")
      return Timeline(sync: sync, timeline: try TestTimeline())
    }
  }

  private final class Timeline: SyncTimeline {
    private let sync: TestSync
    private let timeline: TestTimeline

    init(sync: TestSync, timeline: TestTimeline) {
      self.sync = sync
      self.timeline = timeline
    }

    var descriptor: Int32 { timeline.descriptor }

    func signal(_ point: UInt64) throws(SystemError) {
      try sync.call("signal")
      timeline.signal(point)
    }

    func signal(_ point: UInt64, afterWritesTo dmabuf: Int32) throws(SystemError) {
      try sync.call("import")
      let timeline = timeline
      let isBusy = sync.state.withLock { state in
        state.awaitedWrites += 1
        if state.areDevicesBusy { state.held.append((timeline, point)) }
        return state.areDevicesBusy
      }
      if !isBusy { timeline.signal(point) }
    }

    func notify(_ event: borrowing EventDescriptor, at point: UInt64) throws(SystemError) {
      try sync.call("notify")
      timeline.notify(event.descriptor, at: point)
    }
  }
}
