import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine

/// API requests that a screen sends on behalf of the signed-in account.
@Suite struct APIRequestTests {
  private static let body = JSON.members([JSONMember("note", "x")])

  private var context = FlowContext()
  private var renewingSession: RenewingSession

  init() {
    context.setTime(at: EngineDriver.startTime)
    context.setApp(.product, page: "page")
    renewingSession = RenewingSession(
      SessionRecord(EngineDriver.tokens(1, expiresIn: 300), at: EngineDriver.startTime),
      isStored: true)
  }

  private func calls(_ effects: [Effect]) -> [(id: RequestID, call: Call)] {
    effects.compactMap { if case .call(let id, let call) = $0 { (id, call) } else { nil } }
  }

  private func received(_ status: Int64, _ body: JSON = .null) -> Answer {
    .received(status: status, body: body, serverSeconds: nil)
  }

  @Test("P-06 a request is sent with the session's token, its body and its key")
  mutating func leaves() throws {
    let id = context.ask(.post(.serviceRequests, Self.body, idempotencyKey: "key"))

    let sent = try #require(calls(renewingSession.send(&context)).first)

    #expect(sent.id == id)
    #expect(sent.call.method == .post)
    #expect(sent.call.body == .json(Self.body))
    #expect(sent.call.idempotencyKey == "key")
    #expect(sent.call.authorization == .proofWithToken(Secret("access-1")))
    let delivered = renewingSession.answered(id, received(200), &context)
    #expect(delivered.deliveries == [.init(id: id, answer: received(200))])
  }

  @Test("P-06 a request refused for its token is sent again after a renewal, with the same key")
  mutating func goesAgain() throws {
    let id = context.ask(.post(.serviceRequests, Self.body, idempotencyKey: "key"))
    let first = try #require(calls(renewingSession.send(&context)).first)

    let refused = renewingSession.answered(id, received(401), &context)
    #expect(refused.effects == [.claimRenewal])
    #expect(refused.deliveries.isEmpty)
    let stored = StorageReading.value(renewingSession.record.text.revealed)
    let renewal = try #require(calls(renewingSession.renewalClaimed(stored, &context)).first)
    let renewed = renewingSession.answered(
      renewal.id, received(200, EngineDriver.tokens(2, expiresIn: 300).json), &context
    )
    let second = try #require(calls(renewed.effects).first)

    #expect(second.id == id)
    #expect(second.call.body == first.call.body)
    #expect(second.call.idempotencyKey == "key")
    #expect(second.call.authorization == .proofWithToken(Secret("access-2")))
    let again = renewingSession.answered(id, received(401), &context)
    #expect(again.deliveries.count == 1)
  }

  @Test("S-05 a repeated request that another tab's switch refuses does not end the session")
  mutating func refusedBySwitch() throws {
    let id = context.ask(.get(.jobs))
    _ = renewingSession.send(&context)
    _ = renewingSession.answered(id, received(401), &context)
    let stored = StorageReading.value(renewingSession.record.text.revealed)
    let renewal = try #require(calls(renewingSession.renewalClaimed(stored, &context)).first)
    _ = renewingSession.answered(
      renewal.id, received(200, EngineDriver.tokens(2, expiresIn: 300).json), &context)
    let ended = Refusal.sessionEnded(.signedOut).json

    let refused = renewingSession.answered(id, received(401, ended), &context)

    #expect(refused.effects == [.claimRenewal], "only a renewal proves the end")
    #expect(refused.deliveries.map(\.id) == [id])
    #expect(renewingSession.ending == nil)
  }

  @Test("P-06 a request during a renewal waits for it and learns if it fails")
  mutating func waits() throws {
    renewingSession = RenewingSession(
      SessionRecord(EngineDriver.tokens(1, expiresIn: 0), at: EngineDriver.startTime),
      isStored: true)
    let first = context.ask(.get(.jobs))
    let claiming = renewingSession.send(&context)
    #expect(claiming == [.claimRenewal])
    let second = context.ask(.delete(.sessions))
    let waiting = renewingSession.send(&context)
    #expect(waiting.isEmpty)
    let stored = StorageReading.value(renewingSession.record.text.revealed)
    let renewal = try #require(calls(renewingSession.renewalClaimed(stored, &context)).first)

    let failed = renewingSession.answered(renewal.id, .unreachable, &context)

    #expect(failed.effects == [.releaseRenewal])
    #expect(failed.deliveries.map { $0.id } == [first, second])
    #expect(failed.deliveries.allSatisfy { $0.answer == .unreachable })
  }

  @Test("L-24 no request of one person is sent on behalf of the next person")
  mutating func otherPerson() throws {
    renewingSession = RenewingSession(
      SessionRecord(EngineDriver.tokens(1, expiresIn: 0), at: EngineDriver.startTime),
      isStored: true)
    _ = context.ask(.post(.serviceRequests, Self.body, idempotencyKey: "key"))
    _ = renewingSession.send(&context)
    let other = TokenAnswer.SessionTerms(
      id: SessionID("session-2"), expiresAt: EngineDriver.startTime.adding(seconds: 86400),
      idleTimeout: 3600,
      backgroundTimeout: 300, unlock: "none", organization: nil
    )
    let record = SessionRecord(
      EngineDriver.tokens(9, expiresIn: 300, terms: other), at: EngineDriver.startTime)

    let effects = renewingSession.renewalClaimed(.value(record.text.revealed), &context)

    #expect(effects == [.releaseRenewal])
    let updates = [renewingSession.takeUpdate(), renewingSession.takeUpdate()]
    #expect(updates == [.replaced(.adopted), nil])
    #expect(renewingSession.record == record)
  }

  @Test("L-24 another person's sign-in in another tab opens their own home screen")
  func otherPersonsHome() throws {
    var driver = EngineDriver.opened(.value(EngineDriver.stored(1, expiresIn: 0)))
    let other = EngineDriver.stored(2, expiresIn: 300, session: "session-2")

    driver.handle(.storage(.renewalClaimed(.value(other))))

    #expect(driver.signedIn?.account.value == nil)
    #expect(
      driver.call(to: Endpoint.me.path)?.call.authorization == .proofWithToken(Secret("access-2")))
    #expect(driver.call(to: "/api/me") != nil)
  }

  @Test("O-07 no two idempotency keys of an app are equal, even after a restart")
  mutating func keys() {
    let one = context.makeIdempotencyKey()
    let two = context.makeIdempotencyKey()
    context.setApp(.product, page: "other")
    let three = context.makeIdempotencyKey()

    #expect(Set([one, two, three]).count == 3)
  }
}
