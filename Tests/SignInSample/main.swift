import Foundation
import SignInClient
import SignInLinux

// A complete sign-in in a terminal, followed by the assigned jobs:
//
//   sign-in-sample http://127.0.0.1:8080 tech@example.com < answers
//
// It reads the password, then the code. A signed-in person types nothing.

struct JobList: Decodable {
  struct Job: Decodable { let title: String }
  let jobs: [Job]
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let server = URL(string: arguments[1]) else {
  print("fieldpass: error: a server and an e-mail address are needed")
  exit(2)
}

func enterCode(_ client: SignInClient) async throws(SignInError) -> SignInClient.State {
  guard let code = readLine() else { exit(1) }
  do throws(SignInError) { return try await client.submitCode(code) } catch {
    guard case .wrongCode(let attemptsLeft) = error else { throw error }
    print("That code is wrong; \(attemptsLeft) attempts left.")
    return await client.state
  }
}

do {
  let client = try SignInClient(
    SignInClient.Configuration(clientID: "technician-app", server: server, scopes: ["jobs"]),
    platform: .linux(app: "sign-in-sample"))
  var state = await client.open()
  if case .signedOut = state, let provider = ProcessInfo.processInfo.environment["PROVIDER"] {
    state = try await signIn(at: provider, with: client)
  } else if case .signedOut = state {
    state = try await client.signIn(email: arguments[2], password: readLine() ?? "")
    while case .codeRequired(let challenge) = state {
      print("A code was sent to \(challenge.destination); \(challenge.attemptsLeft) attempts left.")
      state = try await enterCode(client)
    }
  }
  guard case .signedIn(let session) = state else {
    print("The sign-in is not possible: \(state)")
    exit(1)
  }
  print("Signed in as session \(session.id), \(session.isStored ? "kept" : "not kept").")
  let response = try await client.request("/api/jobs")
  let list = try response.decode(JobList.self)
  print("\(list.jobs.count) jobs")
  if ProcessInfo.processInfo.environment["SIGN_OUT"] != nil, let address = await client.signOut() {
    print("Sign out at \(address.absoluteString)")
  }
} catch {
  print("That did not work: \(error.localizedDescription)")
  exit(1)
}
