import Glibc
import KiteSystem
import Testing

@testable import WaylandToolkit

@Suite struct DmabufFormatTableTests {
  /// A file of as many pages as `rows` take, whose first rows are numbered.
  private static func table(rows: Int) throws -> SharedMemory {
    let memory = try SharedMemory(byteCount: rows * 16, name: "test-formats")
    for row in 0..<rows {
      memory.baseAddress.storeBytes(of: UInt32(row), toByteOffset: row * 16, as: UInt32.self)
      memory.baseAddress.storeBytes(of: UInt64(row) << 32, toByteOffset: row * 16 + 8, as: UInt64.self)
    }
    return memory
  }

  private static func read(_ memory: SharedMemory, byteCount: Int) -> [DmabufFormat] {
    DmabufFormatTable.read(
      FileDescriptor(owning: dup(memory.descriptor)), byteCount: byteCount)
  }

  @Test func aRowIsAFormatAndAModifier() throws {
    let memory = try Self.table(rows: 3)
    #expect(
      Self.read(memory, byteCount: 48)
        == (0..<3).map { DmabufFormat(fourcc: UInt32($0), modifier: UInt64($0) << 32) })
    // A row that isn't whole is none.
    #expect(Self.read(memory, byteCount: 47).count == 2)
    #expect(Self.read(memory, byteCount: 0).isEmpty && Self.read(memory, byteCount: 15).isEmpty)
  }

  /// Reading beyond the end of a mapped file ends the process.
  @Test func aFileThatIsShorterThanItIsSaidToBeIsNotRead() throws {
    let memory = try Self.table(rows: 256)
    #expect(memory.byteCount == 4096)
    #expect(Self.read(memory, byteCount: 4096).count == 256)
    #expect(Self.read(memory, byteCount: 4112).isEmpty)
    #expect(Self.read(memory, byteCount: 1 << 20).isEmpty)
  }
}
