import Cryptography
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

struct NoticeTests {
  private func notices(_ world: TestWorld) async throws -> [OutboxMessage] {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.messages(after: nil, limit: 100)
    }.filter { $0.kind == .notice }
  }

  private func shown(_ world: TestWorld) async throws -> [AccountNotice] {
    try await world.store.read { (transaction) throws(StoreFault) in
      try transaction.notices(of: AccountID("tara"))
    }
  }

  @Test("The account's first device causes no notice, and neither does the same device again")
  func firstDevice() async throws {
    let world = try await TestWorld()
    _ = try await world.signIn(key: "first")
    world.clock.advance(seconds: 3600)
    _ = try await world.signIn(key: "first")
    #expect(try await notices(world).isEmpty)
    #expect(try await shown(world).isEmpty)
  }

  @Test("The first sign-in from another device is reported by e-mail and to the earlier devices")
  func newDevice() async throws {
    let world = try await TestWorld()
    _ = try await world.signIn(key: "first")
    world.clock.advance(seconds: 3600)
    _ = try await world.signIn(key: "second")

    let notice = try #require(try await notices(world).first)
    #expect(try await notices(world).count == 1)
    #expect(notice.to == .email(try EmailAddress(parsing: "tara@example.com")))
    #expect(notice.channel == .email)
    #expect(try await shown(world).map { $0.kind } == [.newDevice])
    #expect(try await world.events().filter { $0.code == .newDevice }.count == 1)

    world.clock.advance(seconds: 3600)
    _ = try await world.signIn(key: "second")
    #expect(try await notices(world).count == 1)
  }

  @Test("Without an e-mail messenger no notice enters the outbox")
  func noMailMessenger() async throws {
    let world = try await TestWorld(
      router: MessengerRouter([MessengerRouter.Entry(RecordingMessenger())])
    )
    _ = try await world.signIn(key: "first")
    world.clock.advance(seconds: 3600)
    _ = try await world.signIn(key: "second")
    #expect(try await notices(world).isEmpty)
    #expect(try await shown(world).count == 1)
  }

  @Test("Only an e-mail messenger gets notices, and it never gets a code")
  func channels() async throws {
    let (texts, mails) = (
      RecordingMessenger(), RecordingMessenger(name: "mail", channel: .email)
    )
    let board = MessengerRouter([MessengerRouter.Entry(mails), MessengerRouter.Entry(texts)])
    let world = try await TestWorld(router: board)
    for key in ["first", "second"] {
      let session = await world.begin(key: key).authSession
      await deliverMessages(over: board, in: world.world)
      let code = String(texts.messages.last?.text.revealed.prefix(6) ?? "")
      let right = try #require(await success(try await world.answer(code, session, key: key)))
      _ = try #require(await success(try await world.redeem(right.revealed, key: key)))
      world.clock.advance(seconds: 3600)
    }
    await deliverMessages(over: board, in: world.world)
    #expect(texts.messages.count == 2)
    #expect(texts.messages.allSatisfy { $0.kind == .code })
    #expect(mails.messages.map { $0.kind } == [.notice])
    let text = try #require(mails.messages.first?.text.revealed)
    #expect(text.hasPrefix("New sign-in to your Fieldpass account\n"))
  }

  @Test("A text message carries notices only if the app's policy allows it")
  func bySMS() async throws {
    for isAllowed in [false, true] {
      var client = TestWorld.technicians
      client.sendsNoticesBySMS = isAllowed
      let world = try await TestWorld(client: client)
      _ = try await world.signIn(key: "first")
      world.clock.advance(seconds: 3600)
      _ = try await world.signIn(key: "second")
      let texts = try await notices(world).filter { $0.channel == .sms }
      #expect(texts.count == (isAllowed ? 1 : 0))
    }
  }

  @Test("A notice has no run of digits that could be a code", arguments: MessageLanguage.allCases)
  func noCode(_ language: MessageLanguage) {
    let now = Instant(seconds: 1_800_000_000)
    for notice in [SecurityNotice.passwordChanged, .passwordWaiting(until: now), .newDevice] {
      let text = NoticeText(notice, in: language, at: now)
      let words = (text.subject + " " + text.body).split { !$0.isNumber }
      #expect(words.allSatisfy { $0.count < 6 })
      #expect(!text.subject.contains("\n"))
      #expect(text.body.contains("2027-01-15 08:00 UTC"))
    }
  }

  @Test("An account has at most ten notices")
  func limit() async throws {
    let world = try await TestWorld()
    for number in 0...(AccountNotice.limit + 1) {
      _ = try await world.signIn(key: "device \(number)")
      world.clock.advance(seconds: 24 * 3600)
    }
    #expect(try await shown(world).count == AccountNotice.limit)
  }
}
