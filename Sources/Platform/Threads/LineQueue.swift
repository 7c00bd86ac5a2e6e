internal import Glibc

/// Writes lines to a file on its own thread, so that no caller waits for the file.
///
/// Lines are gathered for a short time and written together, in their order. `flush` and `close`
/// write all of them at once. A file that accepts nothing, such as a pipe without a reader, fills
/// the queue. Further lines are dropped and counted. The next written line reports the number.
public final class LineQueue: Sendable {
  /// The maximum number of waiting bytes.
  ///
  /// A line that does not fit is dropped.
  public static let byteLimit = 1 << 20

  private struct Queue {
    var batch = LineBatch()
    /// The number of lines dropped since the queue was created.
    var droppedCount: Int64 = 0
    /// The number of lines dropped since the last report.
    var unreportedCount: Int64 = 0
    var isWriting = false
    /// Whether the waiting lines are written without a wait for others.
    var isHurried = false
    var isClosed = false
  }

  private let file: Int32
  private let queue = Monitor(Queue())
  private let reportDropped: @Sendable (Int64) -> String

  /// Creates an empty queue.
  ///
  /// `reportDropped` makes the line that reports dropped lines.
  public init(file: Int32, reportDropped: @escaping @Sendable (Int64) -> String) {
    self.file = file
    self.reportDropped = reportDropped
    let (file, queue) = (file, queue)
    _ = WorkerThread { Self.serve(queue, file) }
  }

  deinit { end() }

  /// The number of lines dropped since the queue was created.
  public var droppedCount: Int64 { queue.withLock { $0.droppedCount } }

  /// Adds one line without a line break.
  public func write(_ line: String) {
    let line = Self.bytes(line)
    let wakes = queue.withLock { queue in
      let dropped = queue.unreportedCount
      let bytes = dropped > 0 ? Self.bytes(reportDropped(dropped)) + line : line
      guard !queue.isClosed, queue.batch.byteCount + bytes.count <= Self.byteLimit else {
        queue.droppedCount += 1
        queue.unreportedCount += 1
        return false
      }
      queue.unreportedCount = 0
      return queue.batch.add(bytes, at: Self.milliseconds())
    }
    if wakes { queue.wakeAll() }
  }

  /// Writes the waiting lines at once, and waits until all are written or the time has passed.
  ///
  /// - Returns: Whether everything was written.
  @discardableResult
  public func flush(withinMilliseconds milliseconds: Int64) -> Bool {
    queue.withLock { $0.isHurried = !$0.batch.isEmpty }
    queue.wakeAll()
    return isWritten(withinMilliseconds: milliseconds)
  }

  /// Ends the thread, and waits until everything is written or the time has passed.
  ///
  /// - Returns: Whether everything was written.
  @discardableResult
  public func close(withinMilliseconds milliseconds: Int64) -> Bool {
    end()
    return isWritten(withinMilliseconds: milliseconds)
  }

  private func isWritten(withinMilliseconds milliseconds: Int64) -> Bool {
    queue.wait(milliseconds: milliseconds) { queue in
      queue.batch.isEmpty && !queue.isWriting ? () : nil
    } != nil
  }

  private func end() {
    queue.withLock { $0.isClosed = true }
    queue.wakeAll()
  }

  private static func bytes(_ line: String) -> [UInt8] {
    var bytes = Array(line.utf8)
    bytes.append(0x0A)
    return bytes
  }

  /// The time of a clock that cannot be set.
  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func serve(_ queue: Monitor<Queue>, _ file: Int32) {
    while let lines = next(queue) {
      let isWritten = write(lines, to: file)
      queue.withLock { queue in
        queue.isWriting = false
        guard !isWritten else { return }
        let count = Int64(lines.count { $0 == 0x0A })
        queue.droppedCount += count
        queue.unreportedCount += count
      }
      queue.wakeAll()
    }
  }

  /// All waiting bytes when they are due, or `nil` after the end.
  ///
  /// Only this thread takes lines, so they do not disappear between the steps.
  private static func next(_ queue: Monitor<Queue>) -> [UInt8]? {
    let pause = queue.wait { queue -> Int64? in
      queue.isClosed ? 0 : queue.batch.pause(at: milliseconds())
    }
    _ = queue.wait(milliseconds: pause) { queue -> Void? in
      queue.isClosed || queue.isHurried || queue.batch.isFull ? () : nil
    }
    return queue.withLock { queue -> [UInt8]? in
      guard !queue.batch.isEmpty else { return nil }
      queue.isWriting = true
      queue.isHurried = false
      return queue.batch.take()
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }
}
