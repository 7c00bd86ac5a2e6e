public import SignInModel
import SignInRules
import Synchronization

/// The messengers in their order, with the failures of each.
///
/// All senders of this process share one instance, so that a failure of one sender is known to the
/// others. The state is only in memory, so after a restart every messenger is tried again.
public final class MessengerRouter: Sendable {
  /// One messenger and the recipients that it serves.
  public struct Entry: Sendable {
    public let messenger: any TextMessenger
    /// Calling codes such as `+47`, or ranges such as `+1-242`.
    ///
    /// Empty for all countries.
    public let countries: [String]
    public let numbers: NumberPrefixes

    public init(
      _ messenger: any TextMessenger, countries: [String] = [], numbers: NumberPrefixes = .all
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

  /// The numbers that a line serves, in addition to the check of the country.
  ///
  /// Each text is the first digits of numbers.
  public enum NumberPrefixes: Equatable, Sendable {
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

  /// How many calls of one messenger had one outcome, for metrics.
  public struct Count: Equatable, Sendable {
    public let messenger: String
    public let outcome: String
    public var number: Int
  }

  enum Route: Equatable {
    /// The messengers to try, in this order.
    case ask([HandOver.Candidate])
    /// All suitable messengers are paused.
    ///
    /// The first pause ends at this moment.
    case wait(until: Instant)
    /// No messenger serves the recipient.
    case nowhere
  }

  public let lines: [Entry]
  /// Messengers that get a copy of every message, such as the development inbox.
  let copies: [any TextMessenger]
  private let breakers: Mutex<[CircuitBreaker]>
  private let tally = Mutex<[String: [String: Int]]>([:])

  public init(_ lines: [Entry], copies: [any TextMessenger] = []) {
    self.lines = lines
    self.copies = copies
    breakers = Mutex(lines.map { _ in CircuitBreaker() })
  }

  /// The end of an outage for this number; `nil` if at least one messenger may work.
  ///
  /// A messenger that only asked for a pause does not make a number unreachable.
  func outageEnd(for phone: PhoneNumber, at now: Instant) -> Instant? {
    breakers.withLock { breakers in
      var until: Instant?
      for (line, breaker) in zip(lines, breakers) where line.carries(to: .phone(phone)) {
        guard breaker.isOpen(at: now), let moment = breaker.wait(at: now) else { return nil }
        until = min(until ?? moment, moment)
      }
      return until ?? now.adding(seconds: CircuitBreaker.longestRestSeconds)
    }
  }

  /// Removes stored messages to an erased person from the messengers on this machine.
  func forget(_ recipients: Set<Recipient>) {
    for line in lines { line.messenger.forget(recipients) }
    for copy in copies { copy.forget(recipients) }
  }

  /// Whether a messenger serves the recipient.
  func carries(to recipient: Recipient) -> Bool {
    lines.contains { $0.carries(to: recipient) }
  }

  /// The messengers that can deliver to this recipient.
  ///
  /// The messenger `last` is first, because it may already have the message. Then come those of the
  /// preferred channel, then the others.
  func route(
    to recipient: Recipient, by channel: OutboxMessage.Channel, last: String?, at now: Instant
  ) -> Route {
    breakers.withLock { breakers in
      var candidates: [HandOver.Candidate] = []
      var others: [HandOver.Candidate] = []
      var until: Instant?
      for (index, line) in lines.enumerated() where line.carries(to: recipient) {
        let candidate = HandOver.Candidate(
          index: index, deduplicatesMessages: line.messenger.deduplicatesMessages
        )
        if let moment = breakers[index].wait(at: now) {
          until = min(until ?? moment, moment)
        } else if line.messenger.name == last {
          candidates.insert(candidate, at: 0)
        } else if line.messenger.channel == channel {
          candidates.append(candidate)
        } else {
          others.append(candidate)
        }
      }
      candidates += others
      if let first = candidates.first {
        // Recorded immediately, so that only one message tries a messenger after its pause.
        breakers[first.index].handle(.asked, at: now)
        return .ask(candidates)
      }
      return until.map { .wait(until: $0) } ?? .nowhere
    }
  }

  /// The channels for this number, each once, in the order of the messengers.
  func channels(to phone: PhoneNumber) -> [OutboxMessage.Channel] {
    var channels: [OutboxMessage.Channel] = []
    for line in lines where line.carries(to: .phone(phone)) {
      if !channels.contains(line.messenger.channel) { channels.append(line.messenger.channel) }
    }
    return channels
  }

  /// Whether the messenger with this name recognises a repeated message.
  func deduplicatesMessages(_ name: String) -> Bool {
    lines.contains { $0.messenger.name == name && $0.messenger.deduplicatesMessages }
  }

  /// Gives the message to one messenger without holding the lock.
  func ask(
    _ candidate: HandOver.Candidate, to message: TextMessage, in world: World
  ) async -> (answer: HandOver.Answer, charge: Acceptance?) {
    let messenger = lines[candidate.index].messenger
    note(.asked, candidate, at: world.clock.now())
    do throws(TextMessengerFault) {
      let charge = try await messenger.send(message)
      note(.succeeded, candidate, at: world.clock.now())
      count(charge.isRepeated ? "repeated" : "taken", messenger)
      return (.accepted, charge)
    } catch {
      world.reportFault("messenger \(messenger.name): \(error)")
      let now = world.clock.now()
      switch error {
      case .retry(let seconds, _):
        note(.failed, candidate, at: now)
        note(.askedToPause(until: now.adding(seconds: seconds)), candidate, at: now)
        count("retry", messenger)
        return (.retry(afterSeconds: seconds), nil)
      case .unclear:
        note(.failed, candidate, at: now)
        count("unclear", messenger)
        return (.unclear, nil)
      case .otherProvider:
        note(.failed, candidate, at: now)
        count("other_provider", messenger)
        return (.otherMessenger, nil)
      case .never:
        // The messenger works. The refusal is about the message.
        note(.succeeded, candidate, at: now)
        count("never", messenger)
        return (.never, nil)
      }
    }
  }

  private func note(_ event: CircuitBreaker.Event, _ candidate: HandOver.Candidate, at now: Instant)
  {
    breakers.withLock { $0[candidate.index].handle(event, at: now) }
  }

  private func count(_ outcome: String, _ messenger: any TextMessenger) {
    tally.withLock { $0[messenger.name, default: [:]][outcome, default: 0] += 1 }
  }

  /// The outcomes, sorted so that two readings can be compared.
  public var counts: [Count] {
    let tally = tally.withLock { $0 }
    return tally.flatMap { name, outcomes in
      outcomes.map { Count(messenger: name, outcome: $0.key, number: $0.value) }
    }.sorted { ($0.messenger, $0.outcome) < ($1.messenger, $1.outcome) }
  }

  /// Whether each messenger is paused after failures, for metrics.
  public func open(at now: Instant) -> [(messenger: String, isOpen: Bool)] {
    breakers.withLock { breakers in
      zip(lines, breakers).map { ($0.messenger.name, $1.isOpen(at: now)) }
    }
  }
}
