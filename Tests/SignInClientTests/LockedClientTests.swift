import Foundation
import SignInClient
import SignInEngine
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Synchronization
import Testing

/// A device lock with an owner that the test controls.
final class TestLock: DeviceLock {
  private struct State {
    var secret: Secret?
    var failure: LockFailure?
    var prompts = 0
  }

  private let state = Mutex(State())

  func fail(_ failure: LockFailure?) { state.withLock { $0.failure = failure } }
  var secret: Secret? { state.withLock { $0.secret } }
  var prompts: Int { state.withLock { $0.prompts } }

  func isPossible() async -> Bool { true }

  func close(over secret: Secret) async throws(LockFault) {
    if let failure = state.withLock({ $0.failure }) { throw LockFault(failure) }
    state.withLock { $0.secret = secret }
  }

  func open() async throws(LockFault) -> Secret {
    let (secret, failure) = state.withLock { state in
      state.prompts += 1
      return (state.secret, state.failure)
    }
    if let failure { throw LockFault(failure) }
    guard let secret else { throw LockFault(.changed) }
    return secret
  }

  func remove() async { state.withLock { $0.secret = nil } }
}

/// A client on a device with an enrolled owner.
@Suite("Client behind a lock") struct LockedClientTests {
  private func locked() async throws -> (stage: ClientFixture, lock: TestLock, client: SignInClient)
  {
    let stage = try await ClientFixture()
    let lock = TestLock()
    let client = try stage.makeClient(lock: lock)
    _ = try await stage.signIn(client)
    #expect(try await client.setAppLock(true))
    // A session is renewed when its lock was set, and once more after the longest request.
    try await stage.expectRenewed(1, by: client)
    stage.clock.advance(seconds: 30)
    try await stage.expectRenewed(2, by: client)
    _ = await client.open()
    return (stage, lock, client)
  }

  private func isActive(_ state: SignInClient.State) -> Bool { isSignedIn(state) }

  @Test("S-01 S-02 P-07 a locked session is sealed, and only its owner opens it")
  func opens() async throws {
    let (stage, lock, _) = try await locked()
    #expect(stage.storage.session?.contains("access_token") == false)
    let again = try stage.makeClient(lock: lock)

    #expect(await again.open() == .appLocked)
    await #expect(throws: SignInError.appLocked) {
      try await again.request(Endpoint.jobs.path)
    }
    #expect(lock.prompts == 0)

    #expect(isActive(try await again.unlock()))
    #expect(try await again.request(Endpoint.jobs.path).status == 200)
    #expect(lock.prompts == 1)
  }

  @Test("S-06 after the background timeout the app locks and clears the unlocked data")
  func background() async throws {
    let (stage, lock, client) = try await locked()
    let seconds = try #require(await client.terms).backgroundTimeout
    for (passed, isLocked) in [(seconds - 1, false), (seconds, true)] {
      await client.didEnterBackground()
      stage.clock.advance(seconds: passed)

      await client.willEnterForeground()

      #expect((await client.open() == .appLocked) == isLocked, "\(passed)")
    }
    lock.fail(.cancelled)
    await #expect(throws: SignInError.unlockCancelled) { try await client.unlock() }
    lock.fail(.busy)
    await #expect(throws: SignInError.unlockBusy) { try await client.unlock() }
    lock.fail(nil)
    #expect(isActive(try await client.unlock()))
  }

  @Test("P-06 S-01 a session renewed under a lock stays sealed under it")
  func renewal() async throws {
    let (stage, lock, client) = try await locked()
    let before = stage.storage.session
    stage.clock.advance(seconds: 3600)
    await #expect(throws: SignInError.appLocked) {
      try await client.request(Endpoint.jobs.path)
    }
    #expect(await client.open() == .appLocked)

    try await client.unlock()
    #expect(try await client.request(Endpoint.jobs.path).status == 200)

    #expect(stage.storage.session != before)
    #expect(stage.storage.session?.contains("access_token") == false)
    #expect(try await stage.makeClient(lock: lock).open() == .appLocked)
  }

  @Test("L-30 a changed enrolment asks for one new sign-in and ends the locked session")
  func changed() async throws {
    let (stage, lock, _) = try await locked()
    let again = try stage.makeClient(lock: lock)
    #expect(await again.open() == .appLocked)
    lock.fail(.changed)

    let phase = try await again.unlock()

    #expect(phase == .signedOut(.appLockChanged))
    #expect(stage.storage.session?.contains("sealed") == false)
    #expect(lock.secret == nil)
    stage.clock.advance(seconds: 61)
    _ = try await stage.signIn(again)
    try await expectOneSession(stage)
  }

  @Test(
    "S-08 L-30 another way to sign in ends the session that could not be unlocked, at the server")
  func anotherWay() async throws {
    let (stage, lock, _) = try await locked()
    let again = try stage.makeClient(lock: lock)
    #expect(await again.open() == .appLocked)

    try await again.signInInsteadOfUnlocking()
    stage.clock.advance(seconds: 61)
    _ = try await stage.signIn(again)

    try await expectOneSession(stage)
    let phase = try await stage.makeClient(lock: lock).open()
    #expect(isActive(phase), "\(phase)")
  }

  private func expectOneSession(_ stage: ClientFixture) async throws {
    for _ in 0..<10_000 {
      let left = try await listSessions(
        of: AccountID("technician"), rules: .operatorCommand, in: stage.world)
      if left.count == 1 { return }
      await Task.yield()
    }
    Issue.record("the session behind the lock lives on")
  }

  @Test("S-04 signing out removes session and lock together")
  func signOut() async throws {
    let (stage, lock, client) = try await locked()

    await client.signOut()

    #expect(lock.secret == nil)
    #expect(stage.storage.session == nil)
    guard case .signedOut = try await stage.makeClient(lock: lock).open() else {
      return #expect(Bool(false))
    }
  }

  @Test("P-07 after a lock is removed, the session opens without a prompt")
  func removed() async throws {
    let (stage, lock, client) = try await locked()

    #expect(try await client.setAppLock(false) == false)

    #expect(lock.secret == nil)
    #expect(isActive(try await stage.makeClient(lock: lock).open()))
  }

  @Test("P-07 a lock that cannot be set changes nothing")
  func refused() async throws {
    let stage = try await ClientFixture()
    let lock = TestLock()
    let client = try stage.makeClient(lock: lock)
    _ = try await stage.signIn(client)
    lock.fail(.busy)

    #expect(try await client.setAppLock(true) == false)

    #expect(isActive(await client.open()))
    #expect(stage.storage.session?.contains("access_token") == true)
  }

  @Test("S-07 a warning comes before the idle timeout, and staying continues the session")
  func endingSoon() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    let idleTimeout = try #require(await client.terms).idleTimeout
    stage.clock.advance(seconds: idleTimeout - 30)
    await client.userWasActive()
    await client.staySignedIn()
    // The server counts a renewal as activity.
    #expect(try await client.request(Endpoint.me.path).status == 200)
    stage.clock.advance(seconds: idleTimeout - 30)
    await client.networkDidReturn()

    guard case .endingSoon(_, let end) = await client.open() else {
      Issue.record("no warning: \(await client.state)")
      return
    }
    #expect(end <= Date(seconds: stage.clock.now().seconds + 30))
    await client.staySignedIn()

    guard case .signedIn = await client.open() else { return #expect(Bool(false)) }
  }

  @Test("L-32 a sign-out succeeds on the device even if storage refuses writes")
  func signOutRefused() async throws {
    let stage = try await ClientFixture()
    let client = try stage.makeClient()
    _ = try await stage.signIn(client)
    stage.storage.setMissing()
    stage.wire.turn(.requestsLost)

    await client.signOut()

    guard case .signedOut = await client.open() else { return #expect(Bool(false)) }
    guard case .signedOut = try await stage.makeClient().open() else { return #expect(Bool(false)) }
  }
}
