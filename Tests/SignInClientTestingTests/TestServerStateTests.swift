import Foundation
import SignInClient
import SignInClientTesting
import Testing

/// Each state of an app, as its developer reaches it in a test.
@Suite("States that a server in memory reaches")
struct TestServerStateTests {
  private static let email = "ada@example.com"
  private static let password = "a long password"

  private func makeServer() async -> TestServer {
    let server = TestServer()
    await server.addPerson(email: Self.email, password: Self.password)
    return server
  }

  private func signedIn(
    _ server: TestServer, on platform: SignInClient.Platform
  ) async throws -> SignInClient {
    let client = try SignInClient(server.configuration, platform: platform)
    try await client.signIn(email: Self.email, password: Self.password)
    try await client.submitCode(try #require(await server.code))
    return client
  }

  /// Waits for a state that follows without a call.
  private func next(
    of client: SignInClient, _ isExpected: (SignInClient.State) -> Bool
  ) async -> SignInClient.State? {
    for await state in client.states where isExpected(state) { return state }
    return nil
  }

  @Test("The session on the device has the id of the account")
  func accountID() async throws {
    let server = await makeServer()
    let client = try await signedIn(server, on: server.makePlatform())
    guard case .signedIn(let session) = await client.state else { return #expect(Bool(false)) }

    #expect(try await client.account().id == session.accountID)
  }

  @Test("S-06 an app lock closes the app in the background, and its owner opens it")
  func appLock() async throws {
    let server = await makeServer()
    await server.setTimeouts(idleSeconds: 86_400, backgroundSeconds: 300)
    let platform = server.makePlatform(hasAppLock: true)
    let client = try await signedIn(server, on: platform)
    #expect(try await client.setAppLock(true))
    for (seconds, isLocked) in [(290, false), (300, true)] {
      await client.didEnterBackground()
      await server.advance(bySeconds: seconds)
      await client.willEnterForeground()
      #expect((await client.state == .appLocked) == isLocked, "\(seconds)")
    }
    await #expect(throws: SignInError.appLocked) { _ = try await client.account() }
    await #expect(throws: SignInError.appLocked) {
      try await client.signIn(email: Self.email, password: Self.password)
    }

    await server.setUnlockResult(.cancelled)
    await #expect(throws: SignInError.unlockCancelled) { try await client.unlock() }
    await server.setUnlockResult(.busy)
    await #expect(throws: SignInError.unlockBusy) { try await client.unlock() }
    await server.setUnlockResult(.succeeds)
    let opened = try await client.unlock()
    guard case .signedIn = opened else {
      Issue.record("the state is \(opened)")
      return
    }

    let again = try SignInClient(server.configuration, platform: platform)
    #expect(await again.open() == .appLocked)
    await server.setUnlockResult(.enrolmentChanged)
    #expect(try await again.unlock() == .signedOut(.appLockChanged))
  }

  @Test("S-08 storage that cannot be read is a state of its own")
  func storage() async throws {
    let server = await makeServer()
    let platform = server.makePlatform()
    _ = try await signedIn(server, on: platform)
    await server.setStorageReadable(false)
    let again = try SignInClient(server.configuration, platform: platform)

    #expect(await again.open() == .storageUnavailable)
    await #expect(throws: SignInError.storageUnavailable) { try await again.accessToken() }
    await server.setStorageReadable(true)
    guard case .signedIn = await again.open() else { return #expect(Bool(false)) }
  }

  @Test("T-05 the fifth failure locks the account for 15 minutes")
  func lockout() async throws {
    let server = await makeServer()
    let client = try SignInClient(server.configuration, platform: server.makePlatform())
    for _ in 1...4 {
      await #expect(throws: SignInError.invalidCredentials) {
        try await client.signIn(email: Self.email, password: "guess")
      }
    }
    await #expect(throws: SignInError.self) {
      try await client.signIn(email: Self.email, password: "guess")
    }
    guard case .lockedOut = await client.state else { return #expect(Bool(false)) }

    await server.advance(bySeconds: 15 * 60)
    #expect(await next(of: client) { $0 == .signedOut(nil) } != nil)
    guard case .codeRequired = try await client.signIn(email: Self.email, password: Self.password)
    else { return #expect(Bool(false)) }
  }

  @Test("S-07 a warning comes before the idle timeout, and then the session ends")
  func idle() async throws {
    let server = await makeServer()
    await server.setTimeouts(idleSeconds: 3600, backgroundSeconds: 3600)
    let client = try await signedIn(server, on: server.makePlatform())

    await server.advance(bySeconds: 3600 - 30)
    let warning = await next(of: client) { if case .endingSoon = $0 { true } else { false } }
    #expect(warning != nil)
    await server.advance(bySeconds: 60)

    #expect(await next(of: client) { $0 == .signedOut(.sessionExpired) } != nil)
    await #expect(throws: SignInError.notSignedIn) { try await client.accessToken() }
  }

  @Test("S-03 a session that may have expired waits for the server")
  func confirming() async throws {
    let server = await makeServer()
    let platform = server.makePlatform()
    _ = try await signedIn(server, on: platform)
    await server.advance(bySeconds: 31 * 86_400)
    await server.setFault(.noNetwork)
    let again = try SignInClient(server.configuration, platform: platform)

    #expect(await again.open() == .confirming)
    await #expect(throws: SignInError.notPossibleNow) { _ = try await again.account() }
    await server.setFault(nil)
    _ = await again.open()
    #expect(await next(of: again) { $0 == .signedOut(.sessionExpired) } != nil)
  }

  @Test("P-02 a person signs in at an identity provider, by its name or by the e-mail address")
  func provider() async throws {
    let server = await makeServer()
    await server.addProvider("entra", displayName: "Contoso", domain: "example.com")
    for method: SignInClient.BrowserMethod in [
      .provider("entra"), .organization(ofEmail: Self.email),
    ] {
      let client = try SignInClient(server.configuration, platform: server.makePlatform())
      #expect(try await client.providers().map(\.displayName) == ["Contoso"])
      guard case .browserRequired(let address) = try await client.signIn(with: method) else {
        return #expect(Bool(false))
      }
      let back = await server.completeInBrowser(address, as: Self.email)
      guard case .signedIn = try await client.resume(back) else { return #expect(Bool(false)) }
    }
  }

  @Test("P-02 a person who closes the browser, cancels there or has no provider is signed out")
  func noProvider() async throws {
    let server = await makeServer()
    await server.addProvider("entra", displayName: "Contoso", domain: "example.org")
    let client = try SignInClient(server.configuration, platform: server.makePlatform())
    await #expect(throws: SignInError.provider(.noneForEmail)) {
      try await client.signIn(with: .organization(ofEmail: Self.email))
    }
    for email in [nil, "unknown@example.org"] {
      guard case .browserRequired(let address) = try await client.signIn(with: .provider("entra"))
      else { return #expect(Bool(false)) }
      let back = await server.completeInBrowser(address, as: email)
      await #expect(throws: SignInError.provider(email == nil ? .cancelled : .notRegistered)) {
        try await client.resume(back)
      }
    }

    guard case .browserRequired(let address) = try await client.signIn(with: .provider("entra"))
    else { return #expect(Bool(false)) }
    await client.cancelSignIn()
    #expect(await client.state == .signedOut(nil))
    let back = await server.completeInBrowser(address, as: Self.email)
    await #expect(throws: SignInError.provider(.unknownSignIn)) { try await client.resume(back) }
  }

  @Test("T-11 another code is sent for a password reset")
  func reset() async throws {
    let server = await makeServer()
    let client = try SignInClient(server.configuration, platform: server.makePlatform())
    _ = try await client.requestPasswordReset(email: Self.email)
    let first = await server.code

    try await client.resendCode()

    let second = try #require(await server.code)
    #expect(first != second)
    try await client.resetPassword(to: "another password", code: second)
  }

  @Test("An answer that is not JSON arrives with its header fields")
  func bytes() async throws {
    let server = await makeServer()
    let client = try await signedIn(server, on: server.makePlatform())
    let photo = Data([0xff, 0xd8, 0xff, 0x00])
    await server.answer(
      "/api/photo", headers: ["Content-Type": "image/jpeg", "ETag": "\"7\""], with: photo)

    let response = try await client.request("/api/photo")

    #expect(response.data == photo && response.status == 200)
    #expect(response.value(forHTTPHeaderField: "content-type") == "image/jpeg")
    #expect(response.value(forHTTPHeaderField: "ETag") == "\"7\"")
  }
}
