import KiteSystem
import TestCompositor
import Testing
import Wayland

/// What is done with buffers, callbacks and feedback, and what clients must not do.
@Suite struct BufferTests {
  @Test func aBufferGoesBackOnceAfterItWasReplaced() throws {
    let client = try RawClient()
    let window = try client.window()
    var released = 0
    let first = try client.buffer(8, 8).buffer
    first.onEvent = { _ in released += 1 }
    window.surface.attach(first, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    client.compositor.vblank()
    try client.settle()
    #expect(released == 0)
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    client.compositor.vblank()
    client.compositor.vblank()
    try client.settle()
    #expect(released == 1)
    #expect(client.compositor.violations == [])
  }

  @Test func aCopyingCompositorReleasesWithTheCommitAndShowsTheCopy() throws {
    let client = try RawClient(.standard.with { $0.releases = .atOnce })
    let window = try client.window()
    var released = 0
    let (buffer, memory) = try client.buffer(8, 8, rgb: 0xFF0000)
    buffer.onEvent = { _ in released += 1 }
    window.surface.attach(buffer, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    #expect(released == 1)
    memory.baseAddress.storeBytes(of: 0, as: UInt32.self)
    client.compositor.vblank()
    #expect(client.compositor.screenshot()?[0, 0] == Picture.Pixel(rgb: 0xFF0000))
    #expect(client.compositor.violations == [])
  }

  @Test func writingToWhatIsShownIsSeen() throws {
    let client = try RawClient()
    let window = try client.window()
    let (buffer, memory) = try client.buffer(8, 8)
    window.surface.attach(buffer, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    client.compositor.vblank()
    #expect(client.compositor.violations == [])
    memory.baseAddress.storeBytes(of: 1, toByteOffset: 8 * 8 * 4 - 1, as: UInt8.self)
    client.compositor.vblank()
    #expect(client.compositor.violations.map(\.kind) == [.writtenWhileHeld])
  }

  @Test func attachingAgainBeforeTheReleaseIsSeen() throws {
    let client = try RawClient()
    let window = try client.window()
    let buffer = try client.buffer(8, 8).buffer
    for _ in 0..<2 {
      window.surface.attach(buffer, x: 0, y: 0)
      window.surface.commit()
    }
    try client.settle()
    #expect(client.compositor.violations.map(\.kind) == [.attachedWhileHeld])
  }

  @Test func destroyingWhatIsShownIsSeen() throws {
    let client = try RawClient()
    let window = try client.window()
    let buffer = try client.buffer(8, 8).buffer
    window.surface.attach(buffer, x: 0, y: 0)
    window.surface.commit()
    buffer.destroy()
    try client.settle()
    client.compositor.vblank()
    #expect(client.compositor.violations.map(\.kind) == [.destroyedWhileShown])
  }

  @Test func callbacksComeWithTheVblankAndNotForHiddenSurfaces() throws {
    let client = try RawClient()
    let window = try client.window()
    var done = 0
    window.surface.frame().onEvent = { _ in done += 1 }
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    #expect(done == 0)
    client.compositor.setSuspended(true)
    client.compositor.vblank()
    try client.settle()
    #expect(done == 0)
    client.compositor.setSuspended(false)
    client.compositor.vblank()
    try client.settle()
    #expect(done == 1)
  }

  @Test func feedbackIsPresentedOrDiscardedInAnyOrder() throws {
    let client = try RawClient(.standard.with { $0.feedback = .withheld })
    let presentation = try client.bind(WpPresentation.self)
    let window = try client.window()
    var answers: [String] = []
    func commit(_ name: String) throws {
      presentation.feedback(window.surface).onEvent = { event in
        switch event {
        case .presented: answers.append("\(name) presented")
        case .discarded: answers.append("\(name) discarded")
        case .syncOutput: break
        }
      }
      window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
      window.surface.commit()
    }
    try commit("first")
    try commit("second")
    try client.settle()
    client.compositor.vblank()
    try client.settle()
    #expect(answers.isEmpty && client.compositor.unansweredFeedback == 2)
    client.compositor.answerFeedback(reversed: true)
    try client.settle()
    #expect(answers == ["second presented", "first discarded"])
  }

  @Test func theWireIsWrittenDownWithItsArguments() throws {
    let client = try RawClient(.standard.with { $0.namesOnly = ["weston_desktop_shell"] })
    #expect(client.registry.globals.contains { $0.interface == "weston_desktop_shell" })
    let window = try client.window()
    window.toplevel.setTitle("Film")
    try client.settle()
    #expect(client.compositor.requests("xdg_toplevel", "set_title").first?.arguments == [.string("Film")])
    #expect(client.compositor.window?.title == "Film")
    #expect(client.compositor.messages.contains { "\($0)".hasPrefix("← xdg_toplevel#") })
  }

  @Test func aStalledCompositorReadsNothing() throws {
    let client = try RawClient()
    client.compositor.isStalled = true
    _ = client.wlCompositor.createSurface()
    try client.settle()
    #expect(client.compositor.counts.surfacesMade == 0)
    client.compositor.isStalled = false
    try client.settle()
    #expect(client.compositor.counts.surfacesMade == 1)
  }
}
