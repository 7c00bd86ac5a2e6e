import Foundation
import SignInClient
import SignInClientTesting
import SignInLinux
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The code of the article `SigningIn`, word for word.
///
/// `ArticleTests` compares the two.
struct ArticleCode {
  func show(_ title: String, _ text: String? = nil) { shown.append(title) }

  func makeClient(server: URL) throws(SignInError) -> SignInClient {
    try SignInClient(
      SignInClient.Configuration(clientID: "orders-app", server: server, scopes: ["orders"]),
      platform: .linux(app: "orders-app"))
  }

  func showScreens(of client: SignInClient) async {
    Task { await client.open() }
    for await state in client.states {
      switch state {
      case .loading: show("Please wait")
      case .storageUnavailable: show("Unlock this device, then try again")
      case .signedOut(let reason): show("Sign in", reason?.localizedDescription)
      case .codeRequired(let challenge): show("Enter the code sent to \(challenge.destination)")
      case .browserRequired(let address): show("Continue in the browser", address.absoluteString)
      case .lockedOut(let until): show("Try again at \(until)")
      case .appLocked: show("Unlock")
      case .confirming: show("Checking your session")
      case .signedIn(let session):
        show("Welcome", session.isStored ? nil : "You are not remembered")
      case .endingSoon(_, let end): show("Are you still there?", "Your session ends at \(end)")
      }
    }
  }

  func signIn(
    with client: SignInClient, email: String, password: String, code: () async -> String
  ) async {
    do {
      try await client.signIn(email: email, password: password)
      try await client.submitCode(await code())
    } catch {
      show(error.errorDescription ?? "", error.recoverySuggestion)
    }
  }

  func signInWithProvider(
    named name: String, with client: SignInClient, browse: (URL) async throws -> URL
  ) async throws {
    guard case .browserRequired(let address) = try await client.signIn(with: .provider(name))
    else { return }
    try await client.resume(try await browse(address))
  }

  func orders(from api: URL, with client: SignInClient) async throws -> Data {
    var request = URLRequest(url: api)
    try await client.authorize(&request)
    let (body, _) = try await URLSession.shared.data(for: request)
    return body
  }

  func phaseChanged(isVisible: Bool, client: SignInClient) async {
    if isVisible {
      await client.willEnterForeground()
    } else {
      await client.didEnterBackground()
    }
  }

  func signsIn() async throws {
    let server = TestServer(clientID: "orders-app", scopes: ["orders"])
    await server.addPerson(email: "ada@example.com", password: "a long password")
    let client = try SignInClient(server.configuration, platform: server.makePlatform())

    try await client.signIn(email: "ada@example.com", password: "a long password")
    let state = try await client.submitCode(try #require(await server.code))

    guard case .signedIn = state else { throw SignInError.notPossibleNow }
  }

  private let shown = ShownTitles()
}

/// The titles that the article's screens would show.
final class ShownTitles: Sendable {
  func append(_ title: String) {}
}
