import Glibc
import SignInModel
import SignInService

extension Configuration.SecretLocation {
  /// The secret without white space at its end, and without a byte order mark.
  ///
  /// Messages for the operator name `owner` as the owner of the secret, such as "messenger `sms`".
  /// A key may have lines.
  func read(for owner: String, mayHaveLines: Bool = false) throws(StartFault) -> Secret {
    let secret: String
    do throws(FileFault) {
      secret = try FileText.secret(try bytes(), from: words, mayHaveLines: mayHaveLines)
    } catch {
      throw StartFault("\(owner): \(error.what)", hint: error.hint)
    }
    guard !secret.isEmpty else {
      throw StartFault("\(owner): its secret is empty", hint: "write the secret into it")
    }
    return Secret(secret)
  }

  private func bytes() throws(FileFault) -> [UInt8] {
    switch self {
    case .file(let path): return try Files.readPrivate(path)
    case .environment(let name):
      guard let value = getenv(name) else {
        throw FileFault(
          "the variable `\(name)` is not set",
          hint: "set it to the secret before the server starts")
      }
      return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
  }

  /// The place as messages name it.
  var words: String {
    switch self {
    case .file(let path): "`\(path)`"
    case .environment(let name): "the variable `\(name)`"
    }
  }
}
