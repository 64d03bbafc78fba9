import CLinux
import KiteSystem
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct ShmPoolTests {
  @Test func aBufferIsFreeAgainWhenItIsReleased() throws {
    let stage = try Stage()
    let pool = try ShmPool(stage.connection, width: 4, height: 2, count: 2)
    stage.settle()
    #expect(
      stage.actors.log == [
        "pool 64", "buffer 4x2 at 0 stride 16 format 1", "buffer 4x2 at 32 stride 16 format 1",
      ])
    #expect(kite_is_sealed_against_shrinking(pool.memory.descriptor) != 0)
    pool.buffers[0].markBusy()
    #expect(pool.next() === pool.buffers[1])
    pool.buffers[1].markBusy()
    #expect(pool.next() == nil)
    stage.actors.buffers[0].sendRelease()
    stage.settle()
    #expect(pool.next() === pool.buffers[0])
    pool.close()
    #expect(pool.next() == nil)
  }

  @Test func fillWritesEveryPixel() throws {
    let stage = try Stage()
    let pool = try ShmPool(stage.connection, width: 3, height: 3, count: 1)
    pool.buffers[0].fill(0xff11_2233)
    #expect(
      Array(pool.buffers[0].bytes.bindMemory(to: UInt32.self)) == Array(repeating: 0xff11_2233, count: 9))
  }

  @Test func aPoolThatTheWireCantNameIsCutOrRefused() throws {
    let stage = try Stage()
    #expect(throws: ToolkitError.self) {
      _ = try ShmPool(stage.connection, width: 60_000, height: 60_000, count: 1)
    }
  }

  @Test func aColourIsOnePixelOfTheCompositorsOrOfOurs() throws {
    var stage = try Stage(Offer(singlePixel: 1))
    _ = try stage.connection.makeBuffer(of: SolidColor(red: 255, green: 128, blue: 0))
    stage.settle()
    #expect(stage.actors.log == ["color 4294967295 2155905152 0 4294967295"])
    stage = try Stage()
    _ = try stage.connection.makeBuffer(of: SolidColor(red: 255, green: 128, blue: 0))
    stage.settle()
    #expect(stage.actors.log == ["pool 4", "buffer 1x1 at 0 stride 4 format 0"])
  }
}
