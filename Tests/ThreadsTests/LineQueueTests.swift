import CLinux
import Glibc
import Testing

@testable import Threads

@Suite("Line queue")
struct LineQueueTests {
  /// A pipe with a blocking write end, like standard error.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() {
      var ends: [Int32] = [0, 0]
      precondition(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }

    /// All bytes until the other end is closed.
    func rest() -> String {
      close(writing)
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(reading, &buffer, buffer.count)
        guard count > 0 else { break }
        text += buffer[..<count]
      }
      close(reading)
      return String(decoding: text, as: UTF8.self)
    }

    /// Reads the available bytes, so that the writer can continue.
    func take() -> Int {
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      return read(reading, &buffer, buffer.count)
    }
  }

  private func lineQueue(_ file: Int32) -> LineQueue {
    LineQueue(file: file) { "dropped \($0)" }
  }

  @Test("lines are written complete and in order")
  func order() {
    let pipe = Pipe()
    let queue = lineQueue(pipe.writing)

    for number in 0..<1000 { queue.write("line \(number)") }

    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(queue.droppedCount == 0)
    #expect(pipe.rest() == (0..<1000).map { "line \($0)\n" }.joined())
  }

  @Test("the lines of each of several tasks stay in their order, and the end writes all of them")
  func orderOfTasks() async {
    let pipe = Pipe()
    let queue = lineQueue(pipe.writing)

    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<100 { queue.write("\(task) \(number)") }
        }
      }
    }

    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(queue.droppedCount == 0)
    let lines = pipe.rest().split(separator: "\n")
    #expect(lines.count == 800)
    for task in 0..<8 {
      let own = lines.filter { $0.hasPrefix("\(task) ") }
      #expect(own.map(String.init) == (0..<100).map { "\(task) \($0)" })
    }
  }

  @Test("a flush writes the waiting lines, and the queue accepts more")
  func flush() {
    let pipe = Pipe()
    let queue = lineQueue(pipe.writing)

    #expect(queue.flush(withinMilliseconds: 10_000))
    queue.write("one")
    queue.write("two")
    #expect(queue.flush(withinMilliseconds: 10_000))
    #expect(pipe.take() == "one\ntwo\n".utf8.count)

    queue.write("three")
    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(pipe.rest() == "three\n")
  }

  @Test("a file that accepts nothing blocks no caller: excess lines are dropped and counted")
  func fullPipe() {
    let pipe = Pipe()
    let queue = lineQueue(pipe.writing)
    let line = String(repeating: "x", count: 999)

    // This is more than the queue and any pipe can contain.
    for _ in 0..<4000 { queue.write(line) }
    let dropped = queue.droppedCount
    #expect(dropped > 1500)
    #expect(!queue.close(withinMilliseconds: 50))

    // Reading lets the writer finish the queued lines.
    var left = (4000 - Int(dropped)) * 1000
    while left > 0 { left -= pipe.take() }
    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(pipe.rest() == "")
  }

  @Test("the next written line says how many were dropped before it, once")
  func droppedCountIsWritten() {
    let pipe = Pipe()
    let queue = lineQueue(pipe.writing)
    queue.write(String(repeating: "x", count: LineQueue.byteLimit))
    queue.write(String(repeating: "x", count: LineQueue.byteLimit))
    queue.write("first")
    queue.write("second")

    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(queue.droppedCount == 2)
    #expect(pipe.rest() == "dropped 2\nfirst\nsecond\n")
  }

  @Test(
    "the queue has as many bytes as its limit and not one more",
    arguments: [(-1, 0), (0, 0), (1, 1)] as [(Int, Int64)]
  )
  func limit(_ more: Int, _ dropped: Int64) {
    let file = open("/dev/null", O_WRONLY)
    let queue = lineQueue(file)

    // The newline is one byte of the line.
    queue.write(String(repeating: "x", count: LineQueue.byteLimit - 1 + more))

    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(queue.droppedCount == dropped)
    close(file)
  }

  @Test("lines that a closed file refused are counted as dropped")
  func refused() {
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    close(pipe.reading)
    let queue = lineQueue(pipe.writing)

    queue.write("one")

    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(queue.droppedCount == 1)
    queue.write("after the end")
    #expect(queue.droppedCount == 2)
    close(pipe.writing)
  }
}
