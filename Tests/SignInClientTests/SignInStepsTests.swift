import Foundation
import SignInTesting
import Synchronization
import Testing

@testable import SignInClient

/// Another code, a cancelled sign-in, and the list of the identity providers.
@Suite("Steps of a sign-in")
struct SignInStepsTests {
  private static let phone = "+919812345699"

  @Test("T-11 another code is sent for a password reset, and the earlier one is not valid any more")
  func resendForReset() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    let challenge = try await client.requestPasswordReset(email: ClientFixture.email)
    let first = await stage.code()
    await #expect(throws: SignInError.resendTooSoon(until: challenge.resendAt)) {
      try await client.resendCode()
    }
    stage.clock.advance(seconds: 60)

    let next = try await client.resendCode()

    #expect(next.resendAt > challenge.resendAt && next.destination == challenge.destination)
    let second = await stage.code()
    #expect(first != second)
    await #expect(throws: SignInError.codeSuperseded) {
      try await client.resetPassword(to: "seven grey umbrellas", code: first)
    }
    try await client.resetPassword(to: "seven grey umbrellas", code: second)
    await #expect(throws: SignInError.notPossibleNow) { try await client.resendCode() }
  }

  @Test("T-08 another code of a sign-in is the challenge of the state")
  func resendForSignIn() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    stage.clock.advance(seconds: 60)

    let challenge = try await client.resendCode()

    #expect(await client.state == .codeRequired(challenge))
    #expect(isSignedIn(try await client.submitCode(await stage.code())))
  }

  @Test("R-11 a registration without a code has none to resend")
  func resendForRegistration() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient(.rider)
    try await client.register(name: "Grace Hopper", phone: Self.phone)

    await #expect(throws: SignInError.notPossibleNow) { try await client.resendCode() }
  }

  // MARK: Cancelling

  @Test("L-47 a cancelled sign-in is forgotten, also by the next run of the app")
  func cancelCode() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    #expect(stage.storage.pendingSignIn != nil)

    await client.cancelSignIn()

    #expect(await client.state == .signedOut(nil))
    #expect(stage.storage.pendingSignIn == nil)
    await #expect(throws: SignInError.notPossibleNow) { try await client.submitCode("123456") }
    #expect(try await stage.makeClient().open() == .signedOut(nil))
  }

  @Test("T-11 a cancelled password reset cannot be completed")
  func cancelReset() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await client.requestPasswordReset(email: ClientFixture.email)

    await client.cancelSignIn()

    let code = await stage.code()
    await #expect(throws: SignInError.notPossibleNow) {
      try await client.resetPassword(to: "seven grey umbrellas", code: code)
    }
    await #expect(throws: SignInError.notPossibleNow) { try await client.resendCode() }
  }

  @Test("A call that waits throws when the sign-in is cancelled")
  func cancelWaiting() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    stage.wire.turn(.silent)
    let signingIn = Task {
      try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    }
    await stage.wire.waitForRequest()

    await client.cancelSignIn()

    await #expect(throws: SignInError.cancelled) { try await signingIn.value }
    #expect(await client.state == .signedOut(nil))
    stage.wire.turn(.normal)
    #expect(isSignedIn(try await stage.signIn(client)))
  }

  @Test("A sign-in that another one replaces does not cancel that one")
  func replaceWaiting() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    stage.wire.turn(.silent)
    let first = Task {
      try await client.signIn(email: ClientFixture.email, password: ClientFixture.password)
    }
    await stage.wire.waitForRequest()
    stage.wire.setLaterCondition(.normal)

    let second = try await client.signIn(
      email: ClientFixture.email, password: ClientFixture.password)

    await #expect(throws: SignInError.cancelled) { try await first.value }
    stage.wire.turn(.normal)
    guard case .codeRequired = second else { return #expect(Bool(false)) }
    await client.cancelSignIn()
    #expect(await client.state == .signedOut(nil))
  }

  @Test("T-05 a cancelled lockout shows the sign-in again")
  func cancelLockout() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    for _ in 1...5 {
      await #expect(throws: SignInError.self) {
        try await client.signIn(email: ClientFixture.email, password: "guess")
      }
    }
    guard case .lockedOut = await client.state else { return #expect(Bool(false)) }

    await client.cancelSignIn()

    #expect(await client.state == .signedOut(nil))
  }

  @Test("S-03 cancelling does not touch a session, nor the reason why the last one ended")
  func cancelNothing() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    await client.cancelSignIn()
    #expect(await client.state == .loading)
    let signedIn = try await stage.signIn(client)
    await client.cancelSignIn()
    #expect(await client.state == signedIn)

    stage.storage.damage(.session)
    let again = try stage.makeClient()
    #expect(await again.open() == .signedOut(.sessionDamaged))
    await again.cancelSignIn()
    #expect(await again.state == .signedOut(.sessionDamaged))
  }

  // MARK: Providers

  @Test("P-10 the request for the identity providers is in the log")
  func providersLog() async throws {
    let stage = try await ClientFixture()
    let lines = Mutex<[String]>([])
    let client = try stage.makeClient { line in lines.withLock { $0.append(line) } }

    _ = try await client.providers()
    stage.wire.turn(.noNetwork)
    await #expect(throws: SignInError.noConnection) { try await client.providers() }

    let path = "GET /apps/technician-app"
    #expect(lines.withLock { $0 } == [path + ": 200", path + ": no network"])
  }

  @Test("A cancelled request for the identity providers ends at once")
  func providersCancelled() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    stage.wire.turn(.silent)
    let asking = Task { try await client.providers() }
    await stage.wire.waitForRequest()

    asking.cancel()

    await #expect(throws: SignInError.cancelled) { try await asking.value }
    stage.wire.turn(.normal)
    _ = try await client.providers()
    #expect(await client.replies.isEmpty)
    #expect(await client.awaited.isEmpty)
  }
}
