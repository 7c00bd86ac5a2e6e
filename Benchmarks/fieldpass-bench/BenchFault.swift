import Glibc

/// The reason why a measurement failed, and what to do.
struct BenchFault: Error {
  let what: String
  let hint: String

  init(_ what: String, hint: String = "the last lines of the server's log are below") {
    self.what = what
    self.hint = hint
  }

  static func system(_ what: String) -> BenchFault {
    BenchFault("\(what): \(String(cString: strerror(errno)))", hint: "check the system's limits")
  }
}

func complain(_ what: String, hint: String) {
  let text = "fieldpass: error: \(what)\nhint: \(hint)\n"
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Writes progress to standard error, so that standard output has only the figures.
func note(_ text: String) {
  let line = text + "\n"
  _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
