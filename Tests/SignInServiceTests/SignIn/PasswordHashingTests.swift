import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

@Suite("Hashing passwords at sign-in")
struct PasswordHashingTests {
  private static let old = FastPasswordHashing.encoded(Secret("right"), salt: "old-1")

  /// A world with a technician whose hash has other parameters.
  private func outdated() async throws -> TestWorld {
    let test = try await TestWorld()
    try await test.store.transact { (transaction) throws(StoreFault) in
      guard var account = try transaction.account(AccountID("tara")) else { return }
      account.passwordHash = Self.old
      try transaction.update(account)
    }
    return test
  }

  private func hash(_ test: TestWorld) async throws -> String? {
    try await test.store.read { (transaction) throws(StoreFault) in
      try transaction.account(AccountID("tara"))?.passwordHash
    }
  }

  @Test("A right password is hashed again with the current parameters, once")
  func again() async throws {
    let test = try await outdated()
    let before = test.passwords.hashes

    #expect(await test.begin().code == .insufficientAuthorization)
    let fresh = try await hash(test)
    #expect(fresh != Self.old)
    #expect(await test.begin().code == .insufficientAuthorization)

    #expect(try await hash(test) == fresh)
    #expect(test.passwords.hashes == before + 1)
  }

  @Test("L-37 a wrong password causes no second hash, for known and unknown accounts")
  func wrong() async throws {
    let test = try await outdated()
    let (hashes, verifications) = (test.passwords.hashes, test.passwords.verifications)

    _ = await test.begin("wrong")
    _ = await test.begin("wrong", username: "unknown@example.com")

    #expect(try await hash(test) == Self.old)
    #expect(test.passwords.hashes == hashes)
    #expect(test.passwords.verifications == verifications + 2)
  }

  @Test("Two right passwords at once: one is hashed again, the other may be asked to retry")
  func race() async throws {
    let test = try await outdated()
    async let first = test.begin()
    async let second = test.begin()
    let codes = await [first.code, second.code]

    #expect(codes.contains(.insufficientAuthorization))
    for code in codes {
      #expect([.insufficientAuthorization, .temporarilyUnavailable].contains(code))
    }
    #expect(await test.begin().code == .insufficientAuthorization)
  }

  @Test("L-13 out of memory is a fault: nothing is counted, and the password works afterwards")
  func outOfMemory() async throws {
    let test = try await TestWorld()
    test.passwords.isOutOfMemory = true
    for _ in 0..<7 {
      let refusal = await test.begin()
      #expect(refusal.code == .temporarilyUnavailable)
      #expect(refusal.retryIn == 1)
    }

    test.passwords.isOutOfMemory = false
    #expect(await test.begin().challenge?.attemptsLeft == 5)
    #expect(try await test.events().map(\.code) == [.codeSent])
  }

  @Test("Out of memory refuses a reset, and the code stays valid")
  func resetWithoutMemory() async throws {
    let test = try await TestWorld()
    let session = await success(try await test.forget())?.resetSession
    let code = await test.code()
    test.passwords.isOutOfMemory = true
    #expect(await refusal(try await test.reset(session, code))?.code == .temporarilyUnavailable)

    test.passwords.isOutOfMemory = false
    #expect(await success(try await test.reset(session, code)) == true)
  }

  @Test("One key has one purpose: decoy numbers do not come from the key of unknown accounts")
  func keys() throws {
    let keyring = try KeyringSample.keyring()
    let identifier = "unknown@example.com"
    let other = Keyring(
      signing: keyring.signing, master: [UInt8](repeating: 8, count: 32), decoyPasswordHash: "")

    #expect(keyring.decoyPhone(identifier) == keyring.decoyPhone(identifier))
    #expect(keyring.decoyPhone(identifier) != other.decoyPhone(identifier))
    #expect(keyring.unknownAccountKeys != other.unknownAccountKeys)
    #expect(keyring.decoyPhone(identifier).e164 != KeyringSample.oldDecoy(identifier, keyring))
  }
}
