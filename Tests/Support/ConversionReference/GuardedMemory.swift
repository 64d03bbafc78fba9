import Glibc

/// Memory that ends where an unreadable page begins, so that one byte too far ends the test.
package final class GuardedMemory {
  package let bytes: UnsafeMutableRawBufferPointer
  private let mapping: UnsafeMutableRawPointer
  private let mappedCount: Int

  package init(count: Int) {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let usable = (count + page - 1) / page * page
    mappedCount = usable + page
    mapping = mmap(nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    precondition(mapping != MAP_FAILED, "no memory for the test")
    mprotect(mapping + usable, page, PROT_NONE)
    bytes = UnsafeMutableRawBufferPointer(start: mapping + (usable - count), count: count)
  }

  deinit { munmap(mapping, mappedCount) }
}
