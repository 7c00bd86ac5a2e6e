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

  @Test("a line after the next ones that are written says how many were dropped, once")
  func droppedCountIsWritten() {
    let pipe = Pipe()
    let queue = lineQueue(pipe.writing)
    queue.write(String(repeating: "x", count: LineQueue.byteLimit))
    queue.write(String(repeating: "x", count: LineQueue.byteLimit))
    queue.write("first")
    queue.write("second")

    #expect(queue.close(withinMilliseconds: 10_000))
    #expect(queue.droppedCount == 2)
    #expect(pipe.rest() == "first\nsecond\ndropped 2\n")
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

  @Test("a file that refuses several times is reported with the number of all lost lines")
  func refusedAgain() {
    signal(SIGPIPE, SIG_IGN)
    let closed = Pipe()
    close(closed.reading)
    let queue = lineQueue(closed.writing)
    for line in ["one", "two\ntwo", "three"] {
      queue.write(line)
      #expect(queue.flush(withinMilliseconds: 10_000))
    }
    #expect(queue.droppedCount == 4)

    // The file accepts lines again, as a pipe with a new reader does.
    let pipe = Pipe()
    #expect(dup2(pipe.writing, closed.writing) >= 0)
    queue.write("four")
    #expect(queue.flush(withinMilliseconds: 10_000))
    queue.write("five")
    #expect(queue.close(withinMilliseconds: 10_000))

    close(closed.writing)
    #expect(queue.droppedCount == 4)
    #expect(pipe.rest() == "four\ndropped 4\nfive\n")
  }

  @Test("a line of which a file accepted only the beginning is lost, and the next one is whole")
  func cut() throws {
    var name = Array("/tmp/fieldpass-lines-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    defer {
      close(file)
      unlink(name)
    }
    var bounds = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #expect(getrlimit(resource, &bounds) == 0)
    signal(SIGXFSZ, SIG_IGN)
    let queue = lineQueue(file)
    // A process may write files of this size only, as if the disk were full.
    var small = rlimit(rlim_cur: 6, rlim_max: bounds.rlim_max)
    #expect(setrlimit(resource, &small) == 0)
    queue.write("one")
    queue.write("two")
    queue.write("three")
    #expect(queue.flush(withinMilliseconds: 10_000))
    #expect(setrlimit(resource, &bounds) == 0)
    #expect(queue.droppedCount == 2)

    queue.write("four")
    #expect(queue.close(withinMilliseconds: 10_000))

    var text = [UInt8](repeating: 0, count: 100)
    let count = pread(file, &text, text.count, 0)
    #expect(String(decoding: text[..<count], as: UTF8.self) == "one\ntw\nfour\ndropped 2\n")
  }
}
