import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

/// A signed-in person changes the password.
///
/// The current one is required, and other sessions end.
@Suite("Change of password")
struct PasswordChangeTests {
  private let fresh = "mossy stones & lichen"

  private func access(_ test: TestWorld, _ session: SessionID) async throws -> Access {
    let account = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("tara"))
    }
    return Access(
      account: try #require(account), session: try #require(try await test.session(session)),
      client: test.client
    )
  }

  private func change(
    _ test: TestWorld, _ access: Access, from current: String = "right", to new: String? = nil
  ) async throws(Refusal) -> Bool {
    try await changePassword(
      PasswordChange(
        access: access, current: Secret(current), new: Secret(new ?? fresh), peer: TestWorld.peer
      ), in: test.world
    )
  }

  @Test("The new password applies, other sessions end, and the requesting session stays")
  func whole() async throws {
    let test = try await TestWorld()
    let phone = try await test.signIn(key: "phone")
    test.clock.advance(seconds: 61)
    let tablet = try await test.signIn(key: "tablet")
    test.clock.advance(seconds: 61)
    let halfDone = await test.begin(key: "thief").authSession
    let code = await test.code()

    let done = await result(try await change(test, try await access(test, phone.session.id)))

    #expect(done.value == true)
    #expect(await success(try await test.refresh(phone.refreshToken, key: "phone")) != nil)
    let ended = await refusal(try await test.refresh(tablet.refreshToken, key: "tablet"))
    #expect(ended?.reason == "password_changed")
    #expect(
      await refusal(try await test.answer(code, halfDone, key: "thief"))?.code == .invalidSession)
    test.clock.advance(seconds: 61)
    #expect(await test.begin("right", key: "phone").code == .invalidCredentials)
    #expect(await test.begin(fresh, key: "phone").code == .insufficientAuthorization)
    let codes = try await test.events().map(\.code)
    #expect(codes.contains(.passwordChanged))
  }

  @Test("A device whose session ended is no longer known and shares the tries of unknown devices")
  func forgets() async throws {
    let test = try await TestWorld()
    let phone = try await test.signIn(key: "phone")
    test.clock.advance(seconds: 61)
    _ = try await test.signIn(key: "tablet")

    _ = try await change(test, try await access(test, phone.session.id))

    let known = try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.knownDevices(of: AccountID("tara")).map(\.proofKeyThumbprint)
    }
    #expect(known == ["phone"])
  }

  @Test("Wrong current passwords count as at sign-in: the fifth locks and ends no session")
  func counts() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    let access = try await access(test, tokens.session.id)
    test.clock.advance(seconds: 61)
    #expect(await test.begin("wrong").code == .invalidCredentials)

    var codes: [ErrorCode?] = []
    for _ in 0..<5 {
      codes.append(await refusal(try await change(test, access, from: "wrong"))?.code)
    }

    let wrong = ErrorCode.invalidCredentials
    #expect(codes == [wrong, wrong, wrong, .accountLocked, .accountLocked])
    #expect(await refusal(try await change(test, access))?.code == .accountLocked)
    #expect(await test.begin("right").code == .accountLocked)
    #expect(try await test.session(tokens.session.id)?.end == nil)
    #expect(try await test.events().map(\.code).contains(.currentPasswordRefused))
  }

  @Test("L-01 two hundred guesses at once are compared at most five times")
  func parallel() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    let access = try await access(test, tokens.session.id)
    let before = test.passwords.verifications

    _ = await test.whileTimePasses {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
          group.addTask { () async -> Void in
            _ = await refusal(try await change(test, access, from: "wrong"))
          }
        }
      }
    }

    #expect(test.passwords.verifications - before == 5)
  }

  @Test(
    "An unacceptable new password is refused before the current one is compared",
    arguments: [
      ("1234567", ErrorCode.passwordTooShort),
      (String(repeating: "x", count: 1025), .passwordTooLong),
      ("password", .passwordTooCommon), ("tara@example.com", .passwordTooCommon),
    ]
  )
  func refused(_ new: String, _ code: ErrorCode) async throws {
    let test = try await TestWorld()
    let access = try await access(test, try await test.signIn().session.id)
    let before = test.passwords.verifications

    #expect(await refusal(try await change(test, access, from: "wrong", to: new))?.code == code)

    #expect(test.passwords.verifications == before)
  }

  @Test("An account without a password cannot get one this way")
  func noPassword() async throws {
    let test = try await TestWorld()
    let access = try await access(test, try await test.signIn().session.id)
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("tara")) else { return }
      account.passwordHash = nil
      try transaction.update(account)
    }

    #expect(await refusal(try await change(test, access, from: ""))?.code == .invalidCredentials)
  }

  @Test("A session that ended during the comparison changes nothing")
  func ended() async throws {
    let test = try await TestWorld()
    let tokens = try await test.signIn()
    let access = try await access(test, tokens.session.id)
    _ = try await endOwnSessions(access, peer: nil, in: test.world)

    #expect(await refusal(try await change(test, access))?.code == .invalidToken)

    test.clock.advance(seconds: 61)
    #expect(await test.begin("right").code == .insufficientAuthorization)
  }
}
