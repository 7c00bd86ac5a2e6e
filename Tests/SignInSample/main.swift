import Foundation
import JSONText
import SignInClient
import SignInFlow
import SignInLinux
import SignInModel
import SignInWire

// A whole sign-in in a terminal, and after it the assigned jobs:
//
//   sign-in-sample http://127.0.0.1:8080 tech@example.com < answers
//
// It reads the password, then the code; a person who is signed in already types nothing.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("fieldpass: error: a server and an e-mail address are needed")
  exit(2)
}
let client = try SignInClient(
  for: .technician, at: arguments[1],
  storage: SecretServiceStorage(app: "sign-in-sample"), cryptography: OpenSSLCryptography(),
  transport: CurlTransport()
)

func show(_ challenge: Challenge) {
  print("A code was sent to \(challenge.destination); \(challenge.triesLeft) tries left.")
}

do throws(SignInError) {
  var phase = await client.open()
  if case .signedOut = phase {
    let password = Secret(readLine() ?? "")
    var progress = try await client.signIn(with: .password(email: arguments[2], password))
    while case .codeAwaited(let challenge) = progress {
      show(challenge)
      guard let code = readLine() else { exit(1) }
      do throws(SignInError) {
        progress = try await client.answer(code)
      } catch .wrongCode(let triesLeft) {
        print("That code is wrong; \(triesLeft) tries left.")
      }
    }
    phase = await client.open()
  }
  guard case .active(let terms, let isKept) = phase else {
    print("Nobody could be signed in: \(phase)")
    exit(1)
  }
  print("Signed in as session \(terms.id.text), \(isKept ? "kept" : "not kept").")
  let (_, body) = try await client.ask(.get("/api/jobs"))
  print("\(body["jobs"]?.elements?.count ?? 0) jobs")
  if ProcessInfo.processInfo.environment["SIGN_OUT"] != nil { await client.signOut() }
} catch {
  print("That did not work: \(error)")
  exit(1)
}
