import Glibc
import SignInModel
import SignInService

extension Configuration.SecretLocation {
  /// The secret without white space at its end, because editors add a line end to a file, and
  /// without a byte order mark.
  ///
  /// Messages for the operator name `owner` as the owner of the secret, such as "messenger `sms`".
  func read(for owner: String) throws(StartFault) -> Secret {
    let text: String
    switch self {
    case .file(let path):
      do throws(FileFault) {
        text = try FileText.read(try Files.readPrivate(path), of: path)
      } catch {
        throw StartFault("\(owner): \(error.what)", hint: error.hint)
      }
    case .environment(let name):
      guard let value = getenv(name) else {
        throw StartFault(
          "\(owner): the variable `\(name)` is not set",
          hint: "set it to the secret before the server starts"
        )
      }
      text = String(cString: value)
    }
    let secret = String(text.reversed().drop { $0.isWhitespace || $0.isNewline }.reversed())
    guard !secret.isEmpty else {
      throw StartFault("\(owner): its secret is empty", hint: "write the secret into it")
    }
    return Secret(secret)
  }

  /// The place as messages name it.
  var words: String {
    switch self {
    case .file(let path): "`\(path)`"
    case .environment(let name): "the variable `\(name)`"
    }
  }
}
