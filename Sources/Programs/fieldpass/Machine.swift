import Glibc

/// What this machine has.
enum Machine {
  /// Processors this process may run on, at least one.
  static var coreCount: Int {
    var set = cpu_set_t()
    guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 else { return 1 }
    return withUnsafeBytes(of: set) { bytes in
      max(1, bytes.reduce(0) { $0 + $1.nonzeroBitCount })
    }
  }
}

/// Runs asynchronous work from the main thread, which only starts and stops the server.
enum Blocking {
  static func run(_ work: @escaping @Sendable () async -> Void) {
    let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(done, 0, 0)
    nonisolated(unsafe) let semaphore = done
    Task.detached {
      await work()
      sem_post(semaphore)
    }
    while sem_wait(done) != 0 {}
    sem_destroy(done)
    done.deallocate()
  }
}

/// Writes whole lines to an open file.
struct LineWriter: Sendable {
  let file: Int32

  static let standardError = LineWriter(file: STDERR_FILENO)

  /// One write for one line, so that lines of several threads never mix.
  func write(_ line: String) {
    let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
