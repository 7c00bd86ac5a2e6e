internal import Glibc

/// Writes lines to a file on its own thread, so that no caller waits for the file.
///
/// A file that accepts nothing, such as a pipe without a reader, fills the queue. Further lines are
/// dropped and counted. The next written line reports the number.
public final class LineQueue: Sendable {
  /// The maximum number of waiting bytes.
  ///
  /// A line that does not fit is dropped.
  public static let byteLimit = 1 << 20

  private struct Queue {
    var lines: [UInt8] = []
    /// The number of lines dropped since the queue was created.
    var droppedCount: Int64 = 0
    /// The number of lines dropped since the last report.
    var unreportedCount: Int64 = 0
    var isWriting = false
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
    let isFirst = queue.withLock { queue in
      let isFirst = queue.lines.isEmpty
      var bytes: [UInt8] = []
      if queue.unreportedCount > 0 { bytes += Self.bytes(reportDropped(queue.unreportedCount)) }
      bytes += Self.bytes(line)
      guard !queue.isClosed, queue.lines.count + bytes.count <= Self.byteLimit else {
        queue.droppedCount += 1
        queue.unreportedCount += 1
        return false
      }
      queue.lines += bytes
      queue.unreportedCount = 0
      return isFirst
    }
    if isFirst { queue.wakeAll() }
  }

  /// Ends the thread, and waits until everything is written or the time has passed.
  ///
  /// - Returns: Whether everything was written.
  @discardableResult
  public func close(withinMilliseconds milliseconds: Int64) -> Bool {
    end()
    return queue.wait(milliseconds: milliseconds) { queue in
      queue.lines.isEmpty && !queue.isWriting ? () : nil
    } != nil
  }

  private func end() {
    queue.withLock { $0.isClosed = true }
    queue.wakeAll()
  }

  private static func bytes(_ line: String) -> [UInt8] { Array(line.utf8) + [0x0A] }

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

  /// All waiting bytes, or `nil` after the end.
  private static func next(_ queue: Monitor<Queue>) -> [UInt8]? {
    queue.wait { queue -> [UInt8]?? in
      if queue.lines.isEmpty { return queue.isClosed ? .some(nil) : nil }
      let lines = queue.lines
      queue.lines = []
      queue.isWriting = true
      return lines
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
