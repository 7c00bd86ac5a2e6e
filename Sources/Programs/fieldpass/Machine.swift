import Glibc

/// What this machine has.
enum Machine {
  /// Processors that are in use, at least one.
  static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
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
  static let standardOutput = LineWriter(file: STDOUT_FILENO)

  /// One write for one line, so that lines of several threads never mix.
  func write(_ line: String) {
    let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
