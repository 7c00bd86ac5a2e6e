import Glibc

/// Why nothing could be measured, and what to do.
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

/// Says on standard error what is being done, so that standard output holds the figures alone.
func note(_ text: String) {
  let line = text + "\n"
  _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
