import SignInModel
import SignInService
import Testing

@testable import TextMessengers

@Suite("SMPP 3.4")
struct SMPPTests {
  private static let start = Instant(seconds: 100)
  private let account = SMPPSession.Account(
    systemID: "fieldpass", password: Secret("pw"), source: "Fieldpass", alphabet: .gsm7
  )

  private func at(_ seconds: Int64) -> Instant { Self.start.adding(seconds: seconds) }

  private func message(_ text: String = "123456 is your code.\n\n@a.example #123456") throws
    -> TextMessage
  {
    TextMessage(
      id: "m", to: .phone(try PhoneNumber(parsing: "+4790000001")), text: Secret(text),
      createdAt: Self.start, expiresAt: Self.start
    )
  }

  /// A session after a successful bind.
  private func bound() -> SMPPSession {
    var session = SMPPSession(account, at: Self.start)
    _ = session.handle(.ticked, at: Self.start)
    _ = session.handle(.connected, at: Self.start)
    _ = session.handle(.received(SMPPUnit(command: 0x8000_0009, sequence: 1)), at: Self.start)
    return session
  }

  private func sent(_ effects: [SMPPSession.Effect]) -> [SMPPUnit] {
    effects.compactMap { if case .send(let unit) = $0 { unit } else { nil } }
  }

  private func answers(_ effects: [SMPPSession.Effect]) -> [SMPPSession.Answer] {
    effects.compactMap { if case .answer(_, let answer) = $0 { answer } else { nil } }
  }

  @Test("A unit is read completely from any fragments")
  func framing() throws {
    let unit = SMPPUnit(command: 4, status: 0x58, sequence: 7, body: [1, 2, 3])
    var bytes: ArraySlice<UInt8> = []
    var found: [SMPPUnit] = []

    for byte in unit.bytes + unit.bytes {
      bytes.append(byte)
      while let unit = try SMPPUnit.take(from: &bytes) { found.append(unit) }
    }

    #expect(found == [unit, unit])
    #expect(bytes.isEmpty)
  }

  @Test("An impossible length ends the connection", arguments: [0, 15, 65_537] as [UInt32])
  func impossibleLength(length: UInt32) {
    var bytes = (SMPPUnit.bytes(length) + [UInt8](repeating: 0, count: 12))[...]

    #expect(throws: SMPPMalformed.self) { try SMPPUnit.take(from: &bytes) }
  }

  @Test("R-12 connects, binds in both directions, submits, and gets the answer")
  func conversation() throws {
    var session = SMPPSession(account, at: Self.start)

    #expect(session.handle(.ticked, at: Self.start) == [.connect])
    let bind = sent(session.handle(.connected, at: Self.start))
    let early = session.handle(
      .asked(try message(), lifeSeconds: 300, ticket: 1), at: Self.start)
    let submits = sent(
      session.handle(.received(SMPPUnit(command: 0x8000_0009, sequence: 1)), at: Self.start))
    let done = session.handle(
      .received(SMPPUnit(command: 0x8000_0004, sequence: 2, body: Array("abc".utf8) + [0])),
      at: Self.start)

    #expect(bind.map(\.command) == [9])
    #expect(early == [])
    #expect(submits.map(\.command) == [4])
    #expect(done == [.answer(ticket: 1, .taken(reference: "abc"))])
  }

  @Test(
    "R-12 ten messages may wait for an answer: below, at and above the limit",
    arguments: [9, 10, 11])
  func window(count: Int) throws {
    var session = bound()
    var units: [SMPPUnit] = []

    for ticket in 0..<count {
      units += sent(
        session.handle(
          .asked(try message(), lifeSeconds: 300, ticket: ticket), at: Self.start))
    }
    let more = sent(
      session.handle(.received(SMPPUnit(command: 0x8000_0004, sequence: 2)), at: Self.start))

    #expect(units.count == min(count, SMPPSession.windowLimit))
    #expect(more.count == max(0, count - SMPPSession.windowLimit))
  }

  @Test(
    "L-06 each answer of a gateway has its outcome",
    arguments: [
      (UInt32(0x58), TextMessengerFault.retry(afterSeconds: 1)), (0x14, .retry(afterSeconds: 1)),
      (0x08, .retry(afterSeconds: 2)), (0x0B, .never("status 11")),
      (0x0A, .otherProvider("status 10")), (0x45, .otherProvider("status 69")),
    ] as [(UInt32, TextMessengerFault)])
  func statuses(status: UInt32, fault: TextMessengerFault) throws {
    var session = bound()
    _ = session.handle(.asked(try message(), lifeSeconds: 300, ticket: 1), at: Self.start)

    let effects = session.handle(
      .received(SMPPUnit(command: 0x8000_0004, status: status, sequence: 2)), at: Self.start)

    #expect(effects == [.answer(ticket: 1, .fault(fault))])
  }

  @Test("L-06 submitted messages are unclear when the connection ends, others may be sent")
  func lost() throws {
    var session = bound()
    for ticket in 0..<11 {
      _ = session.handle(
        .asked(try message(), lifeSeconds: 300, ticket: ticket), at: Self.start)
    }

    let answers = answers(session.handle(.lost, at: Self.start))

    #expect(answers.count { $0 == .fault(.unclear("the connection ended")) } == 10)
    #expect(answers.count { $0 == .fault(.retry(afterSeconds: 1)) } == 1)
    #expect(session.handle(.ticked, at: Self.start) == [])
    #expect(session.handle(.ticked, at: at(1)) == [.connect])
  }

  @Test("A gateway that cannot be reached is reported with its cause, until it is reached")
  func unreachable() throws {
    var session = SMPPSession(account, at: Self.start)
    _ = session.handle(.ticked, at: Self.start)
    _ = session.handle(.asked(try message(), lifeSeconds: 300, ticket: 1), at: Self.start)
    let fault = TextMessengerFault.retry(afterSeconds: 1, because: "the name was not found")

    let waiting = answers(session.handle(.unreachable("the name was not found"), at: Self.start))
    let asked = answers(
      session.handle(.asked(try message(), lifeSeconds: 300, ticket: 2), at: Self.start))
    _ = session.handle(.ticked, at: at(9))
    _ = session.handle(.connected, at: at(9))
    let lost = answers(
      session.handle(.asked(try message(), lifeSeconds: 300, ticket: 3), at: at(9))
        + session.handle(.lost, at: at(9)))

    #expect(waiting == [.fault(fault)] && asked == [.fault(fault)])
    #expect(lost == [.fault(.retry(afterSeconds: 1))])
  }

  @Test("L-06 an answer that never arrives is unclear after four seconds, not before")
  func silence() throws {
    var session = bound()
    _ = session.handle(.asked(try message(), lifeSeconds: 300, ticket: 1), at: Self.start)

    let early = session.handle(.ticked, at: at(4).adding(milliseconds: -1))
    let late = session.handle(.ticked, at: at(4))

    #expect(early == [])
    #expect(late == [.answer(ticket: 1, .fault(.unclear("no answer in time")))])
  }

  @Test("R-12 an idle session checks whether the gateway answers, and disconnects if it does not")
  func enquiry() {
    var session = bound()

    let quiet = session.handle(.ticked, at: at(29))
    let enquiry = sent(session.handle(.ticked, at: at(30)))
    var answered = session
    _ = answered.handle(
      .received(SMPPUnit(command: 0x8000_0015, sequence: enquiry[0].sequence)), at: at(31))

    #expect(quiet == [])
    #expect(enquiry.map(\.command) == [0x15])
    #expect(answered.handle(.ticked, at: at(40)) == [])
    #expect(session.handle(.ticked, at: at(39)) == [])
    #expect(session.handle(.ticked, at: at(40)) == [.end])
  }

  @Test("R-12 a refused bind sends messages elsewhere and pauses longer each time")
  func refused() throws {
    var session = SMPPSession(account, at: Self.start)
    var now = Self.start
    var rests: [Int64] = []

    for _ in 0..<7 {
      while session.handle(.ticked, at: now) != [.connect] { now = now.adding(seconds: 1) }
      let began = now
      let bind = sent(session.handle(.connected, at: now))[0]
      let refused = SMPPUnit(command: 0x8000_0009, status: 0x0E, sequence: bind.sequence)
      #expect(session.handle(.received(refused), at: now) == [.end])
      var probe = session
      var waited = began
      while probe.handle(.ticked, at: waited) != [.connect] { waited = waited.adding(seconds: 1) }
      rests.append(began.wholeSeconds(until: waited))
    }
    let asked = session.handle(.asked(try message(), lifeSeconds: 300, ticket: 1), at: now)

    #expect(rests == [2, 4, 8, 16, 30, 30, 30])
    #expect(asked == [.answer(ticket: 1, .fault(.otherProvider("it refused to bind")))])
  }

  @Test("Answers enquiries, unbind requests and unknown commands")
  func otherCommands() {
    var session = bound()

    let enquiry = sent(
      session.handle(.received(SMPPUnit(command: 0x15, sequence: 5)), at: Self.start))
    let strange = sent(
      session.handle(.received(SMPPUnit(command: 0x21, sequence: 6)), at: Self.start))
    let unbind = session.handle(.received(SMPPUnit(command: 6, sequence: 7)), at: Self.start)

    #expect(enquiry == [SMPPUnit(command: 0x8000_0015, sequence: 5)])
    #expect(strange == [SMPPUnit(command: 0x8000_0000, status: 3, sequence: 6)])
    #expect(unbind == [.send(SMPPUnit(command: 0x8000_0006, sequence: 7)), .end])
  }

  @Test(
    "A receipt is read from its text and from its options, and always answered",
    arguments: [
      ("DELIVRD", OutboxMessage.Receipt.delivered), ("UNDELIV", .undelivered),
      ("EXPIRED", .undelivered), ("ACCEPTD", .delayed),
    ])
  func receipts(state: String, outcome: OutboxMessage.Receipt) {
    let text = Array("id:77 sub:001 dlvrd:001 stat:\(state) err:000 text:".utf8)
    var body: [UInt8] = [0, 1, 1] + Array("47900".utf8) + [0, 1, 1] + Array("Field".utf8)
    body += [0, 0x04, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(text.count)] + text
    var session = bound()

    let effects = session.handle(
      .received(SMPPUnit(command: 5, sequence: 9, body: body)), at: Self.start)

    #expect(sent(effects) == [SMPPUnit(command: 0x8000_0005, sequence: 9, body: [0])])
    #expect(effects.last == .report(DeliveryReport(reference: "77", outcome: outcome)))
  }
}
