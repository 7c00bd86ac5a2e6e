public import SignInModel
import SignInRules
import Synchronization

/// Knows the messengers in their order, and which of them fail just now.
///
/// Every sender of this process shares one, so that what one message met spares the others. What
/// it knows lives in memory: a restart begins by asking everybody.
public final class Switchboard: Sendable {
  /// One messenger and where it carries messages to.
  public struct Line: Sendable {
    public let messenger: any TextMessenger
    /// Calling codes such as `+47`, or ranges such as `+1-242`; none means every country.
    public let countries: [String]
    public let numbers: Numbers

    public init(
      _ messenger: any TextMessenger, countries: [String] = [], numbers: Numbers = .all
    ) {
      self.messenger = messenger
      self.countries = countries
      self.numbers = numbers
    }

    func carries(to recipient: Recipient) -> Bool {
      guard messenger.carries(recipient) else { return false }
      guard let phone = recipient.phone else { return numbers.includeMail }
      return numbers.include(phone) && (countries.isEmpty || phone.begins(withAny: countries))
    }
  }

  /// Numbers that a line takes, whatever their country; each text is how a number begins.
  public enum Numbers: Equatable, Sendable {
    case all
    case allBut([String])
    case only([String])

    public func include(_ phone: PhoneNumber) -> Bool {
      switch self {
      case .all: true
      case .allBut(let starts): !starts.contains { phone.e164.hasPrefix($0) }
      case .only(let starts): starts.contains { phone.e164.hasPrefix($0) }
      }
    }

    fileprivate var includeMail: Bool {
      switch self {
      case .all, .allBut: true
      case .only: false
      }
    }
  }

  /// What came of giving messages to messengers, as a metric counts it.
  public struct Count: Equatable, Sendable {
    public let messenger: String
    public let outcome: String
    public var number: Int
  }

  enum Route: Equatable {
    /// These may be asked, in this order.
    case ask([HandOver.Carrier])
    /// Nobody may be asked before this moment.
    case rest(until: Instant)
    /// No messenger carries messages there.
    case nowhere
  }

  public let lines: [Line]
  /// Told of every message besides: the development inbox.
  let copies: [any TextMessenger]
  private let breakers: Mutex<[CircuitBreaker]>
  private let tally = Mutex<[String: [String: Int]]>([:])

  public init(_ lines: [Line], copies: [any TextMessenger] = []) {
    self.lines = lines
    self.copies = copies
    breakers = Mutex(lines.map { _ in CircuitBreaker() })
  }

  /// Until when nobody can take a message to this number; nil when somebody may.
  ///
  /// A messenger that only asked for a pause does not make a number unreachable.
  func isOut(to phone: PhoneNumber, at now: Instant) -> Instant? {
    breakers.withLock { breakers in
      var until: Instant?
      for (line, breaker) in zip(lines, breakers) where line.carries(to: .phone(phone)) {
        guard breaker.isOpen(at: now), let moment = breaker.wait(at: now) else { return nil }
        until = min(until ?? moment, moment)
      }
      return until ?? now.adding(seconds: CircuitBreaker.longestRestSeconds)
    }
  }

  /// Lets messengers on this machine remove what they keep of messages to an erased person.
  func forget(_ recipients: Set<Recipient>) {
    for line in lines { line.messenger.forget(recipients) }
    for copy in copies { copy.forget(recipients) }
  }

  /// Whether any messenger carries messages there.
  func carries(to recipient: Recipient) -> Bool {
    lines.contains { $0.carries(to: recipient) }
  }

  /// The messengers that can deliver to this recipient: `last` first, which may have the message
  /// already, then those of the preferred channel, then the others.
  func route(
    to recipient: Recipient, by channel: OutboxMessage.Channel, last: String?, at now: Instant
  ) -> Route {
    breakers.withLock { breakers in
      var carriers: [HandOver.Carrier] = []
      var others: [HandOver.Carrier] = []
      var until: Instant?
      for (index, line) in lines.enumerated() where line.carries(to: recipient) {
        let carrier = HandOver.Carrier(
          index: index, knowsRepetitions: line.messenger.knowsRepetitions
        )
        if let moment = breakers[index].wait(at: now) {
          until = min(until ?? moment, moment)
        } else if line.messenger.name == last {
          carriers.insert(carrier, at: 0)
        } else if line.messenger.channel == channel {
          carriers.append(carrier)
        } else {
          others.append(carrier)
        }
      }
      carriers += others
      if let first = carriers.first {
        // Taken at once, so that one message alone tries a messenger after its rest.
        breakers[first.index].handle(.asked, at: now)
        return .ask(carriers)
      }
      return until.map { .rest(until: $0) } ?? .nowhere
    }
  }

  /// The ways a message can take to this number, each once, in the order of the messengers.
  func channels(to phone: PhoneNumber) -> [OutboxMessage.Channel] {
    var channels: [OutboxMessage.Channel] = []
    for line in lines where line.carries(to: .phone(phone)) {
      if !channels.contains(line.messenger.channel) { channels.append(line.messenger.channel) }
    }
    return channels
  }

  /// Whether this messenger, by its name, would recognise a message it was given before.
  func knowsRepetitions(_ name: String) -> Bool {
    lines.contains { $0.messenger.name == name && $0.messenger.knowsRepetitions }
  }

  /// Gives the message to one messenger, with no lock held.
  func ask(
    _ carrier: HandOver.Carrier, to message: TextMessage, in world: World
  ) async -> (answer: HandOver.Answer, charge: Charge?) {
    let messenger = lines[carrier.index].messenger
    note(.asked, carrier, at: world.clock.now())
    do throws(TextMessengerFault) {
      let charge = try await messenger.send(message)
      note(.succeeded, carrier, at: world.clock.now())
      count(charge.isRepeated ? "repeated" : "taken", messenger)
      return (.tookCharge, charge)
    } catch {
      world.faultSeen("messenger \(messenger.name): \(error)")
      let now = world.clock.now()
      switch error {
      case .retry(let seconds, _):
        note(.failed, carrier, at: now)
        note(.askedToPause(until: now.adding(seconds: seconds)), carrier, at: now)
        count("retry", messenger)
        return (.retry(afterSeconds: seconds), nil)
      case .unclear:
        note(.failed, carrier, at: now)
        count("unclear", messenger)
        return (.unclear, nil)
      case .otherProvider:
        note(.failed, carrier, at: now)
        count("other_provider", messenger)
        return (.otherCarrier, nil)
      case .never:
        // It answered, and it was right to refuse.
        note(.succeeded, carrier, at: now)
        count("never", messenger)
        return (.never, nil)
      }
    }
  }

  private func note(_ event: CircuitBreaker.Event, _ carrier: HandOver.Carrier, at now: Instant) {
    breakers.withLock { $0[carrier.index].handle(event, at: now) }
  }

  private func count(_ outcome: String, _ messenger: any TextMessenger) {
    tally.withLock { $0[messenger.name, default: [:]][outcome, default: 0] += 1 }
  }

  /// Sorted, so that two readings can be compared.
  public var counts: [Count] {
    let tally = tally.withLock { $0 }
    return tally.flatMap { name, outcomes in
      outcomes.map { Count(messenger: name, outcome: $0.key, number: $0.value) }
    }.sorted { ($0.messenger, $0.outcome) < ($1.messenger, $1.outcome) }
  }

  /// Which messengers are being spared, by name, for metrics.
  public func open(at now: Instant) -> [(messenger: String, isOpen: Bool)] {
    breakers.withLock { breakers in
      zip(lines, breakers).map { ($0.messenger.name, $1.isOpen(at: now)) }
    }
  }
}
