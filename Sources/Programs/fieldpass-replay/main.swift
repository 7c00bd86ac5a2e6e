// Answers each line of standard input, an event as JSON, with a line of what the app makes of it:
// the native half of the proof that the browser decides the same.

import Glibc
import SignInScreens

var app = CrossingApp()
while let line = readLine(strippingNewline: true) {
  let answer = app.handle([UInt8](line.utf8)) + [UInt8(ascii: "\n")]
  // At once, not when a buffer is full: the next event may depend on this answer.
  var rest = answer[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    guard count > 0 else { exit(1) }
    rest = rest.dropFirst(count)
  }
}
