import SignInModel
import SignInService

/// The state machine of one session with a gateway.
///
/// The thread around it performs the effects.
///
///     apart ──connected──▶ binding ──bound──▶ bound
///       ▲                     └──refused──┐      ├──no answer to an enquiry, or invalid bytes
///       └───── pause, longer each time ◀──┴──────┘
///
/// If the connection ends, the result of a submitted message is unclear, because the gateway may
/// have accepted it.
struct SMPPSession {
  static let windowLimit = 10
  static let queueLimit = 1000
  static let enquirySeconds: Int64 = 30
  static let answerSeconds: Int64 = 10
  /// The time from the request of the sender to the answer of the gateway.
  ///
  /// It leaves time for a second messenger.
  static let submitMilliseconds: Int64 = 4000
  static let longestRestSeconds: Int64 = 30

  struct Account: Sendable {
    let systemID: String
    let password: Secret
    let source: String
    let alphabet: SMPPText.Alphabet
  }

  enum Event {
    case connected
    /// No connection could be made.
    ///
    /// The text is the reason.
    case unreachable(String)
    case lost
    case received(SMPPUnit)
    /// A message to submit.
    ///
    /// It expires after `lifeSeconds`.
    case asked(TextMessage, lifeSeconds: Int64, ticket: Int)
    case ticked
  }

  enum Effect: Equatable {
    case connect
    case send(SMPPUnit)
    case end
    case answer(ticket: Int, Answer)
    case report(DeliveryReport)
  }

  enum Answer: Equatable {
    case taken(reference: String)
    case fault(TextMessengerFault)
  }

  private enum State: Equatable {
    case apart(until: Instant, restSeconds: Int64)
    case connecting(restSeconds: Int64)
    case binding(sequence: UInt32, since: Instant, restSeconds: Int64)
    case bound(enquiry: UInt32?, since: Instant)
  }

  private struct Submission {
    let ticket: Int
    let message: TextMessage
    let lifeSeconds: Int64
    let deadline: Instant
  }

  private let account: Account
  private var state: State
  private var sequence: UInt32 = 0
  private var queue: [Submission] = []
  private var window: [UInt32: Submission] = [:]
  /// The gateway refused our name or password.
  ///
  /// Until it accepts them, messages go to other messengers.
  private var isRefused = false
  /// The reason why the last connection could not be made; `nil` after a successful connection.
  private var failure: String?

  init(_ account: Account, at now: Instant) {
    self.account = account
    state = .apart(until: now, restSeconds: 1)
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .connected:
      guard case .connecting(let rest) = state else { return [] }
      failure = nil
      let unit = bind()
      state = .binding(sequence: unit.sequence, since: now, restSeconds: rest)
      return [.send(unit)]
    case .unreachable(let why):
      failure = why
      return part(at: now)
    case .lost: return part(at: now)
    case .received(let unit): return received(unit, at: now)
    case .asked(let message, let life, let ticket):
      return asked(message, lifeSeconds: life, ticket, at: now)
    case .ticked: return ticked(at: now)
    }
  }

  private mutating func next() -> UInt32 {
    sequence = sequence % 0x7FFF_FFFE + 1
    return sequence
  }

  private mutating func bind() -> SMPPUnit {
    var body = SMPPBody()
    body.text(account.systemID)
    body.text(account.password.revealed)
    body.text("")
    body.raw([0x34, 0, 0])
    body.text("")
    return SMPPUnit(
      command: SMPPUnit.Command.bindTransceiver, sequence: next(), body: body.bytes
    )
  }

  private mutating func asked(
    _ message: TextMessage, lifeSeconds: Int64, _ ticket: Int, at now: Instant
  ) -> [Effect] {
    if isRefused { return [.answer(ticket: ticket, .fault(.otherProvider("it refused to bind")))] }
    var isResting = false
    if case .apart(let until, _) = state { isResting = now < until }
    guard queue.count < Self.queueLimit, !isResting else {
      return [.answer(ticket: ticket, .fault(retry))]
    }
    let deadline = now.adding(milliseconds: Self.submitMilliseconds)
    queue.append(
      Submission(ticket: ticket, message: message, lifeSeconds: lifeSeconds, deadline: deadline))
    return submit(at: now)
  }

  /// Submits waiting messages until as many as `windowLimit` have no answer yet.
  private mutating func submit(at now: Instant) -> [Effect] {
    guard case .bound = state else { return [] }
    var effects: [Effect] = []
    while window.count < Self.windowLimit, !queue.isEmpty {
      let submission = queue.removeFirst()
      let unit = SMPPUnit(
        command: SMPPUnit.Command.submit, sequence: next(),
        body: SMPPText.submission(
          of: submission.message, from: account.source, alphabet: account.alphabet,
          lifeSeconds: submission.lifeSeconds
        )
      )
      window[unit.sequence] = submission
      effects.append(.send(unit))
    }
    return effects
  }

  private mutating func received(_ unit: SMPPUnit, at now: Instant) -> [Effect] {
    typealias Command = SMPPUnit.Command
    switch unit.command {
    case Command.bindTransceiver | Command.answer: return bound(unit, at: now)
    case Command.submit | Command.answer, Command.nack:
      guard let submission = window.removeValue(forKey: unit.sequence) else { return [] }
      return [.answer(ticket: submission.ticket, answer(to: unit))] + submit(at: now)
    case Command.enquireLink | Command.answer:
      if case .bound(let enquiry, _) = state, enquiry == unit.sequence {
        state = .bound(enquiry: nil, since: now)
      }
      return []
    case Command.enquireLink: return [answering(unit)]
    case Command.deliver:
      guard let receipt = SMPPReceipt(unit) else { return [answering(unit, body: [0])] }
      let report = DeliveryReport(
        reference: receipt.reference, outcome: SMPPText.outcome(receipt.state)
      )
      return [answering(unit, body: [0]), .report(report)]
    case Command.unbind: return [answering(unit)] + part(at: now) + [.end]
    default:
      guard unit.command & Command.answer == 0 else { return [] }
      return [
        .send(
          SMPPUnit(
            command: Command.nack, status: SMPPUnit.Status.invalidCommand, sequence: unit.sequence))
      ]
    }
  }

  private func answering(_ unit: SMPPUnit, body: [UInt8] = []) -> Effect {
    let command = unit.command | SMPPUnit.Command.answer
    return .send(SMPPUnit(command: command, sequence: unit.sequence, body: body))
  }

  private mutating func bound(_ unit: SMPPUnit, at now: Instant) -> [Effect] {
    guard case .binding(unit.sequence, _, let rest) = state else { return [] }
    guard unit.status == SMPPUnit.Status.ok else {
      isRefused = true
      let refused = queue.map { submission in
        Effect.answer(ticket: submission.ticket, .fault(.otherProvider("it refused to bind")))
      }
      queue = []
      state = .apart(until: now.adding(seconds: rest), restSeconds: rest)
      return refused + [.end]
    }
    isRefused = false
    state = .bound(enquiry: nil, since: now)
    return submit(at: now)
  }

  private func answer(to unit: SMPPUnit) -> Answer {
    switch unit.status {
    case SMPPUnit.Status.ok:
      var body = SMPPBodyReader(unit.body)
      return .taken(reference: body.text())
    case SMPPUnit.Status.throttled, SMPPUnit.Status.queueFull:
      return .fault(.retry(afterSeconds: 1))
    case SMPPUnit.Status.systemError: return .fault(.retry(afterSeconds: 2))
    case SMPPUnit.Status.invalidDestination: return .fault(.never("status 11"))
    default: return .fault(.otherProvider("status \(unit.status)"))
    }
  }

  private mutating func ticked(at now: Instant) -> [Effect] {
    var effects = overdue(at: now)
    switch state {
    case .apart(let until, let rest):
      guard now >= until else { break }
      state = .connecting(restSeconds: min(2 * rest, Self.longestRestSeconds))
      effects.append(.connect)
    case .connecting: break
    case .binding(_, let since, _):
      if now >= since.adding(seconds: Self.answerSeconds) { effects += part(at: now) + [.end] }
    case .bound(let enquiry, let since):
      let limit = enquiry == nil ? Self.enquirySeconds : Self.answerSeconds
      guard now >= since.adding(seconds: limit) else { break }
      if enquiry == nil {
        let unit = SMPPUnit(command: SMPPUnit.Command.enquireLink, sequence: next())
        state = .bound(enquiry: unit.sequence, since: now)
        effects.append(.send(unit))
      } else {
        effects += part(at: now) + [.end]
      }
    }
    return effects
  }

  /// Ends the submissions that have reached their deadline.
  ///
  /// The result of a submitted message is unclear. A message that was not submitted can be tried
  /// again.
  private mutating func overdue(at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    for (sequence, submission) in window where now >= submission.deadline {
      window[sequence] = nil
      effects.append(.answer(ticket: submission.ticket, .fault(.unclear("no answer in time"))))
    }
    for submission in queue where now >= submission.deadline {
      effects.append(.answer(ticket: submission.ticket, .fault(retry)))
    }
    queue.removeAll { now >= $0.deadline }
    return effects
  }

  /// The fault for a message that was not submitted.
  private var retry: TextMessengerFault {
    failure.map { .retry(afterSeconds: 1, because: $0) } ?? .retry(afterSeconds: 1)
  }

  private mutating func part(at now: Instant) -> [Effect] {
    let rest: Int64
    switch state {
    case .apart: return []
    case .connecting(let seconds), .binding(_, _, let seconds): rest = seconds
    case .bound: rest = 1
    }
    state = .apart(until: now.adding(seconds: rest), restSeconds: rest)
    let unclear = window.values.map { submission in
      Effect.answer(ticket: submission.ticket, .fault(.unclear("the connection ended")))
    }
    // Messages that were not submitted would only wait here. Another messenger can send them now.
    let retry = retry
    let unsent = queue.map { submission in
      Effect.answer(ticket: submission.ticket, .fault(retry))
    }
    window = [:]
    queue = []
    return unclear + unsent
  }
}
