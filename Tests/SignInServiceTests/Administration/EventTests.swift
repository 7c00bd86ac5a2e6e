import Cryptography
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Security events")
struct EventTests {
  @Test("A whole sign-in is logged in order, with account, time, app, device and address")
  func whole() async throws {
    let test = try await TestWorld()

    let tokens = try await test.signIn()

    let events = try await test.events()
    #expect(events.map(\.code) == [.codeSent, .codeAccepted, .signInCompleted])
    #expect(events.map(\.sequence) == [1, 2, 3])
    for event in events {
      #expect(event.account == AccountID("tara"))
      #expect(event.client == test.client.id)
      #expect(event.proofKeyThumbprint == "key")
      #expect(event.peer == "192.0.2.7")
      #expect(event.at == TestWorld.start)
    }
    #expect(events.last?.session == tokens.session.id)
  }

  @Test("R-04 T-05 five wrong answers and their lockout are logged; later ones only as refused")
  func lock() async throws {
    let test = try await TestWorld()

    for _ in 0..<6 { _ = await test.begin("wrong") }

    let codes = try await test.events().map(\.code)
    #expect(codes == Array(repeating: .passwordRefused, count: 5) + [.locked, .refusedLocked])
  }

  @Test("R-03 a wrong code is logged with its answer")
  func wrongCode() async throws {
    let test = try await TestWorld()
    let session = await test.begin().authSession

    _ = await result(try await test.answer(await test.wrongCode(), session))
    _ = await result(try await test.answer(await test.code(), session, key: "thief"))
    _ = await test.resend(session)
    _ = await test.resend(session, key: "thief")
    test.clock.advance(seconds: 300)
    _ = await result(try await test.answer(await test.code(), session))
    _ = await test.resend(session)

    #expect(
      try await test.events().map(\.code) == [
        .codeSent, .codeRefused, .foreignDevice, .refusedTooSoon, .codeExpired, .codeSent,
      ]
    )
  }

  @Test("T-03 L-12 an unknown e-mail causes as many events as a known one, with the same codes")
  func unknown() async throws {
    let known = try await TestWorld()
    let unknown = try await TestWorld()

    for _ in 0..<7 {
      _ = await known.begin("wrong")
      _ = await unknown.begin("wrong", username: "unknown@example.com")
    }

    let (ours, theirs) = (try await known.events(), try await unknown.events())
    #expect(ours.map(\.code) == theirs.map(\.code))
    #expect(theirs.allSatisfy { $0.account == nil })
  }

  @Test("L-10 token reuse, sign-out and the ended sessions are logged with the reason")
  func sessions() async throws {
    let test = try await TestWorld()
    let first = try await test.signIn()
    let second = try #require(await success(try await test.refresh(first.refreshToken)))
    _ = await result(try await test.refresh(first.refreshToken))
    _ = await result(try await test.refresh(second.refreshToken, key: "thief"))
    _ = await result(try await test.refresh(second.refreshToken))
    _ = await result(try await test.refresh(first.refreshToken))

    let events = try await test.events().dropFirst(3)
    #expect(
      events.map(\.code) == [
        .refreshRepeated, .sessionForeignDevice, .reuseDetected, .sessionRefreshed, .sessionEnded,
      ]
    )
    #expect(events.allSatisfy { $0.session == first.session.id })
    #expect(events.last?.detail == "reuse_detected")
  }

  @Test("T-14 no secret of a whole sign-in is in the log")
  func secrets() async throws {
    let test = try await TestWorld()
    _ = await test.begin("wrong-password-1")
    let session = try #require(await test.begin().authSession)
    let code = await test.code()
    let authorization = try #require(await success(try await test.answer(code, session))).revealed
    let tokens = try #require(await success(try await test.redeem(authorization)))

    let log = try await test.events()
      .map { String(decoding: $0.json.utf8, as: UTF8.self) }.joined()
    for secret in [
      "wrong-password-1", session.revealed, code, authorization, tokens.accessToken.revealed,
      tokens.refreshToken?.revealed ?? "", "tara@example.com", "+15550101234",
    ] {
      #expect(!secret.isEmpty && !log.contains(secret))
    }
  }

  @Test("The chain is unbroken from the first event to the newest")
  func unbroken() async throws {
    let test = try await TestWorld()
    #expect(
      try await verifyEvents(in: test.store)
        == .unbroken(count: 0, head: [UInt8](repeating: 0, count: 32))
    )

    _ = try await test.signIn()

    let events = try await test.events()
    let head = try #require(events.last?.hash)
    #expect(try await verifyEvents(in: test.store) == .unbroken(count: 3, head: head))
    let first = try #require(events.first)
    let link = [UInt8](repeating: 0, count: 32) + first.json.utf8
    #expect(first.hash == SHA256Digest.of(link))
  }

  @Test("A long chain is verified batch by batch", arguments: [-1, 0, 1])
  func batches(_ more: Int) async throws {
    let test = try await TestWorld()
    let count = EventLimits.batch + more
    for _ in 0..<count { _ = await test.recordOne() }
    await test.world.linkEvents()

    guard case .unbroken(let found, _) = try await verifyEvents(in: test.store) else {
      Issue.record("the chain is broken")
      return
    }
    #expect(found == Int64(count))
  }

  @Test("A changed, removed or added event breaks the chain at its position", arguments: 0..<9)
  func tampering(_ way: Int) async throws {
    let test = try await TestWorld()
    _ = try await test.signIn()
    let events = try await test.events()
    let second = events[1]
    func with(
      at: Instant? = nil, code: SecurityEvent.Code? = nil, account: AccountID? = AccountID("tara"),
      peer: String? = "192.0.2.7", detail: String? = nil, hash: [UInt8]? = nil, key: String = "key",
      client: ClientID? = nil, session: SessionID? = nil
    ) -> SecurityEvent {
      SecurityEvent(
        sequence: 2, at: at ?? second.at, code: code ?? second.code, account: account,
        client: client ?? second.client, session: session, peer: peer, proofKeyThumbprint: key,
        detail: detail, hash: hash ?? second.hash
      )
    }
    let changed: [SecurityEvent] = [
      with(at: second.at.adding(seconds: 1)), with(code: .codeRefused), with(account: nil),
      with(peer: "192.0.2.8"), with(detail: "x"), with(hash: [0]), with(key: "other"),
      with(client: ClientID("other")), with(session: SessionID("s")),
    ]
    let forged = MemoryStore()

    try await forged.transact { (transaction) throws(StoreFault) in
      try transaction.append([events[0], changed[way], events[2]])
    }
    #expect(try await verifyEvents(in: forged) == .broken(at: 2))
    let cut = MemoryStore()
    try await cut.transact { (transaction) throws(StoreFault) in
      try transaction.append([events[0], events[2]])
    }
    #expect(try await verifyEvents(in: cut) == .broken(at: 2))
    let headless = MemoryStore()
    try await headless.transact { (transaction) throws(StoreFault) in
      try transaction.append([events[1]])
    }
    #expect(try await verifyEvents(in: headless) == .broken(at: 1))
  }
}

extension TestWorld {
  /// Records one event directly.
  fileprivate func recordOne() async {
    let caller = Caller(client: client.id, peer: nil, proofKeyThumbprint: nil)
    do throws(StoreFault) {
      try await store.transact { (transaction) throws(StoreFault) in
        try transaction.record(.codeExpired, about: nil, by: caller, at: Self.start)
      }
    } catch {
      Issue.record("the store in memory faulted")
    }
  }
}
