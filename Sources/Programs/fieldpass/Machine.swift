import Glibc

/// Properties of this machine.
enum Machine {
  /// The number of processors in use, at least one.
  static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// Writes whole lines to an open file.
struct LineWriter: Sendable {
  let file: Int32

  static let standardError = LineWriter(file: STDERR_FILENO)
  static let standardOutput = LineWriter(file: STDOUT_FILENO)

  /// Each line is one system call, so that lines of different threads do not mix.
  func write(_ line: String) {
    let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
