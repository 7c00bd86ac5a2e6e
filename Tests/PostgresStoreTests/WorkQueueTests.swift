import Synchronization
import Testing

@testable import SQLStore

@Suite("Queue of the connections")
struct WorkQueueTests {
  @Test("a queue takes work up to its limit, and gives it in its order")
  func limit() {
    let queue = WorkQueue<Int>(limit: 2)

    #expect([queue.add(1), queue.add(2), queue.add(3)] == [.waiting, .waiting, .full])
    #expect(queue.next() == 1)
    #expect([queue.add(4), queue.add(5)] == [.waiting, .full])
    queue.close()

    #expect(queue.add(6) == .closed)
    #expect([queue.next(), queue.next(), queue.next()] == [2, 4, nil])
  }

  @Test("several pieces of work are taken at once, up to a limit", arguments: [1, 2, 3])
  func takesSeveral(_ count: Int) {
    let queue = WorkQueue<Int>(limit: 4)
    for number in 1...count { #expect(queue.add(number) == .waiting) }

    #expect(queue.next(upTo: 2) == Array([1, 2].prefix(count)))
    queue.close()

    #expect(queue.next(upTo: 2) == (count > 2 ? [3] : []))
    #expect(queue.next(upTo: 2).isEmpty)
  }

  private final class Total: Sendable {
    let value = Mutex(0)
  }

  @Test("a queue that closes finishes what waits")
  func close() {
    let queue = WorkQueue<Int>(limit: 100)
    let total = Total()
    for number in 1...100 { #expect(queue.add(number) == .waiting) }

    queue.start(threads: 3) {
      while let number = queue.next() { total.value.withLock { $0 += number } }
    }
    queue.close()

    #expect(total.value.withLock { $0 } == 5050)
  }
}
