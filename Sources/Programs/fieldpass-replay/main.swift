// Reads events as JSON, one per line of standard input, and writes the app's result for each as one
// line. It is the native part of the proof that the browser makes the same decisions.

import Glibc
import SignInScreens

var app = JSONApp()
while let line = readLine(strippingNewline: true) {
  let answer = app.handle([UInt8](line.utf8)) + [UInt8(ascii: "\n")]
  // The answer is written at once and not buffered, because the next event may depend on it.
  var rest = answer[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    guard count > 0 else { exit(1) }
    rest = rest.dropFirst(count)
  }
}
