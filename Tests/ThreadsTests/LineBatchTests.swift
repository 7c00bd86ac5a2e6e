import Testing

@testable import Threads

@Suite("Line batch")
struct LineBatchTests {
  private let start: Int64 = 1_000_000

  private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x78, count: count) }

  @Test(
    "lines wait until twenty milliseconds after the first one",
    arguments: [(0, 20), (1, 19), (19, 1), (20, 0), (21, 0), (60_000, 0)] as [(Int64, Int64)]
  )
  func gathers(_ later: Int64, _ pause: Int64) {
    var batch = LineBatch()
    #expect(batch.pause(at: start) == nil)

    let wakes = [batch.add(bytes(10), at: start), batch.add(bytes(10), at: start + later)]

    #expect(wakes == [true, false])
    #expect(batch.pause(at: start + later) == pause)
    #expect(LineBatch.gatheringMilliseconds == 20)
  }

  @Test("a full batch wakes the writer once more and waits no longer", arguments: [-1, 0, 1])
  func full(_ more: Int) {
    let isFull = more >= 0
    var batch = LineBatch()

    var wakes = [batch.add(bytes(1), at: start)]
    wakes.append(batch.add(bytes(LineBatch.fullBytes - 1 + more), at: start))

    #expect(wakes == [true, isFull])
    #expect(batch.isFull == isFull)
    #expect(batch.pause(at: start) == (isFull ? 0 : LineBatch.gatheringMilliseconds))
    wakes.append(batch.add(bytes(1), at: start))
    wakes.append(batch.add(bytes(1), at: start))
    #expect(wakes == [true, isFull, !isFull, false])
  }

  @Test("lines are taken in their order, and the next line begins a new wait")
  func taken() {
    var batch = LineBatch()
    _ = batch.add(Array("one\n".utf8), at: start)
    _ = batch.add(Array("two\n".utf8), at: start + 5)

    let taken = batch.take()

    #expect(taken == Array("one\ntwo\n".utf8))
    #expect(batch.isEmpty)
    #expect(batch.pause(at: start + 30) == nil)
    let wakes = batch.add(Array("three\n".utf8), at: start + 30)
    #expect(wakes)
    #expect(batch.pause(at: start + 30) == LineBatch.gatheringMilliseconds)
  }
}
