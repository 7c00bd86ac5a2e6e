internal import Glibc

/// Writes lines to a file on its own thread, so that no caller waits for the file.
///
/// Lines are gathered for a short time and written together, in their order. `flush` and `close`
/// write all of them at once. A file that accepts nothing, such as a pipe without a reader, fills
/// the queue. Further lines are dropped and counted, as are those that the file refuses. A line
/// after the next ones that are written reports the number.
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

    mutating func drop(_ count: Int64) {
      droppedCount += count
      unreportedCount += count
    }
  }

  private let queue = Monitor(Queue())

  /// Creates an empty queue.
  ///
  /// `reportDropped` makes the line that reports dropped lines.
  public init(file: Int32, reportDropped: @escaping @Sendable (Int64) -> String) {
    let queue = queue
    _ = WorkerThread { Self.serve(queue, file, reportDropped) }
  }

  deinit { end() }

  /// The number of lines dropped since the queue was created.
  public var droppedCount: Int64 { queue.withLock { $0.droppedCount } }

  /// Adds one line without a line break.
  public func write(_ line: String) {
    let line = Self.bytes(line)
    let wakes = queue.withLock { queue in
      guard !queue.isClosed, queue.batch.byteCount + line.count <= Self.byteLimit else {
        queue.drop(1)
        return false
      }
      return queue.batch.add(line, at: Self.milliseconds())
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

  private static func serve(
    _ queue: Monitor<Queue>, _ file: Int32, _ reportDropped: @Sendable (Int64) -> String
  ) {
    // Whether the file has the beginning of a line, whose rest it refused.
    var isCut = false
    while let (lines, dropped) = next(queue) {
      let start: [UInt8] = isCut ? [0x0A] : []
      let report = dropped > 0 ? bytes(reportDropped(dropped)) : []
      let whole = start + lines + report
      let written = write(whole, to: file)
      if written > 0 { isCut = whole[written - 1] != 0x0A }
      let refused = whole.dropLast(report.count).dropFirst(max(written, start.count))
      queue.withLock { queue in
        queue.isWriting = false
        if written == whole.count { queue.unreportedCount -= dropped }
        queue.drop(Int64(refused.count { $0 == 0x0A }))
      }
      queue.wakeAll()
    }
  }

  /// All waiting bytes when they are due, and the number of dropped lines to report after them, or
  /// `nil` after the end.
  ///
  /// Only this thread takes lines, so they do not disappear between the steps.
  private static func next(_ queue: Monitor<Queue>) -> (lines: [UInt8], dropped: Int64)? {
    let pause = queue.wait { queue -> Int64? in
      queue.isClosed ? 0 : queue.batch.pause(at: milliseconds())
    }
    _ = queue.wait(milliseconds: pause) { queue -> Void? in
      queue.isClosed || queue.isHurried || queue.batch.isFull ? () : nil
    }
    return queue.withLock { queue in
      guard !queue.batch.isEmpty else { return nil }
      queue.isWriting = true
      queue.isHurried = false
      return (queue.batch.take(), queue.unreportedCount)
    }
  }

  /// The number of bytes that the file has accepted.
  private static func write(_ bytes: [UInt8], to file: Int32) -> Int {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else { break }
      written += count
    }
    return written
  }
}
