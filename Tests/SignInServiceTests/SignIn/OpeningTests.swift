import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

/// An account is unlocked or deactivated while one of its requests is in progress.
@Suite("Administrators and resets during sign-ins")
struct OpeningTests {
  private static let id = AccountID("tara")

  @Test("L-01 an unlock or a reset keeps the count of answers that are being compared")
  func comparedStayCounted() async throws {
    let test = try await TestWorld()
    for action in ["unlock", "reset by an administrator", "reset by a code"] {
      try await test.reserve(tries: 3, of: Self.id)

      switch action {
      case "unlock": _ = try await unlockAccount(Self.id, rules: .operatorCommand, in: test.world)
      case "reset by an administrator":
        _ = try await resetAccount(Self.id, password: nil, rules: .operatorCommand, in: test.world)
      default:
        let session = await success(try await test.forget())?.resetSession
        #expect(await success(try await test.reset(session, await test.code())) == true)
      }

      let lockout = try await test.lockout(of: Self.id)
      #expect(lockout.reserved == 3, "\(action)")
      #expect(lockout.failures == 0, "\(action)")
    }
  }

  @Test("L-17 L-05 deactivation during a reset request: no message is sent")
  func deactivatedDuringReset() async throws {
    let test = try await TestWorld()
    let store = InterruptedStore(store: test.store) {
      do { try await test.setStatus(.deactivated) } catch { Issue.record(error) }
    }
    let world = World(
      issuer: test.world.issuer, clients: [test.client], keyring: test.world.keyring,
      store: store, clock: test.clock, randomness: SeededRandomness(seed: 2),
      passwords: test.passwords, proofs: OnceLedger(), messageRecorded: {}, reportFault: { _ in }
    )
    let request = PasswordResetRequest(
      client: test.client, username: "tara@example.com", proofKeyThumbprint: nil, peer: nil
    )

    let answer = await success(try await requestPasswordReset(request, in: world))

    #expect(answer != nil)
    await deliverMessages(through: [test.messenger], in: test.world)
    #expect(test.messenger.messages.isEmpty)
  }
}

/// A store that runs `interrupt` after each read, before the caller continues.
private struct InterruptedStore: Store {
  let store: MemoryStore
  let interrupt: @Sendable () async -> Void

  func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await store.transact(about: subjects, decide)
  }

  func read<Answer: Sendable>(
    _ transaction: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    let answer = try await store.read(transaction)
    await interrupt()
    return answer
  }
}

extension TestWorld {
  fileprivate func reserve(tries: Int64, of account: AccountID) async throws {
    let lockout = Lockout(
      failures: 1, failuresInRow: 1, reserved: tries, reservedAt: clock.now(), locks: 0,
      lockedUntil: nil
    )
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.save(lockout, for: LockoutKey(account))
    }
  }

  fileprivate func lockout(of account: AccountID) async throws -> Lockout {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.lockout(LockoutKey(account))
    }
  }
}
