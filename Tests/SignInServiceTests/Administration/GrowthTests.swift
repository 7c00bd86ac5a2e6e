import Cryptography
import SignInModel
import SignInRules
import SignInService
import SignInWire
import Testing

@testable import SignInTesting

@Suite("Growth of the store")
struct GrowthTests {
  /// Requests that a caller without an account can repeat without limit.
  enum Hostile: CaseIterable {
    case wrongPassword, unknownEmails, rightPassword, wrongCode, foreignCode, lateCode, resend
    case foreignResend, reset, resetWithFreshKeys, resetWithoutKey, resetOfUnknown
    case wrongResetCode, lateResetCode, unacceptablePassword, register, registerAgain
    case phones, disclosedPhones, samePhone, foreignCountry, foreignRefresh, foreignRedemption

    var app: AppRegistration {
      switch self {
      case .phones, .samePhone, .foreignCountry:
        TestWorld.phoneApp(.concealed) { $0.policy.countries = ["+1"] }
      case .disclosedPhones: TestWorld.phoneApp(.disclosed)
      case .register, .registerAgain:
        TestWorld.phoneApp(.disclosed) { $0.allowsRegistration = true }
      default: TestWorld.technicians
      }
    }
  }

  /// Values obtained before the requests begin.
  private struct Prepared: Sendable {
    var session: Secret?
    var wrongCode = "000000"
    var rightCode = ""
    var reset: Secret?
    var code = ""
    var tokens: TokenAnswer?
  }

  private func prepare(_ hostile: Hostile, _ test: TestWorld) async throws -> Prepared {
    var made = Prepared()
    switch hostile {
    case .wrongCode, .foreignCode, .lateCode, .resend, .foreignResend:
      made.session = await test.begin().authSession
      made.wrongCode = await test.wrongCode()
      if hostile == .lateCode { test.clock.advance(seconds: 301) }
    case .wrongResetCode, .lateResetCode, .unacceptablePassword:
      made.reset = await success(try await test.forget(key: "key"))?.resetSession
      made.rightCode = await test.code()
      made.wrongCode = await test.wrongCode()
      if hostile == .lateResetCode { test.clock.advance(seconds: 301) }
    case .foreignRefresh: made.tokens = try await test.signIn()
    case .foreignRedemption:
      let session = await test.begin().authSession
      made.code = try #require(await success(try await test.answer(await test.code(), session)))
        .revealed
    default: break
    }
    return made
  }

  private func call(
    _ hostile: Hostile, _ number: Int, _ made: Prepared, _ test: TestWorld
  ) async throws {
    switch hostile {
    case .wrongPassword: _ = await test.begin("wrong")
    case .unknownEmails: _ = await test.begin("wrong", username: "unknown\(number)@example.com")
    case .rightPassword: _ = await test.begin()
    case .wrongCode: _ = await result(try await test.answer(made.wrongCode, made.session))
    case .foreignCode:
      _ = await result(try await test.answer(made.wrongCode, made.session, key: "key\(number)"))
    case .lateCode: _ = await result(try await test.answer(made.wrongCode, made.session))
    case .resend: _ = await test.resend(made.session)
    case .foreignResend: _ = await test.resend(made.session, key: "key\(number)")
    case .reset: _ = await result(try await test.forget(key: "key"))
    case .resetWithFreshKeys: _ = await result(try await test.forget(key: "key\(number)"))
    case .resetWithoutKey: _ = await result(try await test.forget())
    case .resetOfUnknown:
      _ = await result(try await test.forget("unknown\(number)@example.com", key: "key\(number)"))
    case .wrongResetCode, .lateResetCode:
      _ = await result(try await test.reset(made.reset, made.wrongCode, key: "key"))
    case .unacceptablePassword:
      _ = await result(
        try await test.reset(made.reset, made.rightCode, to: "tara@example.com", key: "key"))
    case .register: try await register("+1555020\(1000 + number)", test)
    case .registerAgain: try await register(TestWorld.phone, test)
    case .phones, .disclosedPhones:
      _ = try await test.beginPhone(
        "+1555020\(1000 + number)", key: "key\(number)", from: TestWorld.peer)
    case .samePhone: _ = try await test.beginPhone(key: "key\(number)", from: TestWorld.peer)
    case .foreignCountry:
      _ = try await test.beginPhone("+4790000\(100 + number)", from: TestWorld.peer)
    case .foreignRefresh:
      _ = await result(try await test.refresh(made.tokens?.refreshToken, key: "key\(number)"))
    case .foreignRedemption: _ = await result(try await test.redeem(made.code, key: "key\(number)"))
    }
  }

  private func register(_ phone: String, _ test: TestWorld) async throws {
    let registration = Registration(
      client: test.client, phone: try PhoneNumber(parsing: phone),
      name: try PersonName(parsing: "Nina"), proofKeyThumbprint: nil, peer: TestWorld.peer
    )
    _ = await result(try await registerAccount(registration, in: test.world))
  }

  @Test(
    "L-41 after 250 requests of one kind from one address, more of them add no record",
    arguments: Hostile.allCases
  )
  func bounded(_ hostile: Hostile) async throws {
    let test = try await TestWorld(client: hostile.app)
    let made = try await prepare(hostile, test)
    for number in 0..<250 { try await call(hostile, number, made, test) }
    let settled = test.store.tables.recordCount

    for number in 250..<550 { try await call(hostile, number, made, test) }

    #expect(test.store.tables.recordCount == settled)
  }

  @Test(
    "Of the sign-ins of one device that wait for a code, only the newest are stored",
    arguments: [-1, 0, 1]
  )
  func attempts(_ more: Int) async throws {
    let test = try await TestWorld()
    let count = SignInLimits.openAttempts + more
    var sessions: [Secret?] = []
    for _ in 0..<count {
      sessions.append(await test.begin().authSession)
      test.clock.advance(seconds: 1)
    }

    let wrong = await test.wrongCode()
    #expect(
      await refusal(try await test.answer(wrong, sessions.first ?? nil))?.code
        == (more > 0 ? .invalidSession : .invalidOTP))
    #expect(await refusal(try await test.answer(wrong, sessions.last ?? nil))?.code == .invalidOTP)
    #expect(test.store.tables.attempts.count == min(count, SignInLimits.openAttempts))
  }

  @Test("Of the password resets of one device, only the newest are stored", arguments: [-1, 0, 1])
  func resets(_ more: Int) async throws {
    let test = try await TestWorld()
    let count = SignInLimits.openResets + more
    var sessions: [Secret?] = []
    for _ in 0..<count {
      sessions.append(await success(try await test.forget(key: "mine"))?.resetSession)
      test.clock.advance(seconds: 1)
    }

    let wrong = await test.wrongCode()
    #expect(
      await refusal(try await test.reset(sessions.first ?? nil, wrong, key: "mine"))?.code
        == (more > 0 ? .invalidSession : .invalidOTP))
    #expect(
      await refusal(try await test.reset(sessions.last ?? nil, wrong, key: "mine"))?.code
        == .invalidOTP)
  }

  @Test("L-41 repeated resets count against the address, but not on the same device")
  func repeatedResets() async throws {
    let test = try await TestWorld(client: TestWorld.technicians { $0.policy[.addressSends] = 10 })
    for _ in 0..<30 { #expect(await success(try await test.forget(key: "mine")) != nil) }
    for number in 1..<10 {
      #expect(await success(try await test.forget(key: "key\(number)")) != nil)
    }

    #expect(await refusal(try await test.forget(key: "key10"))?.code == .rateLimited)
    #expect(await refusal(try await test.forget())?.code == .rateLimited)
    #expect(await success(try await test.forget(key: "mine")) != nil)
  }
}

extension MemoryTables {
  fileprivate var recordCount: Int {
    let signIn = accounts.count + lockouts.count + attempts.count + challenges.count
    let work = resets.count + sessions.count + messages.count + rememberedAnswers.count
    return signIn + work + throttles.count + knownDevices.count + events.count + refusals.count
  }
}
