import Cryptography
import SignInModel
import SignInRules
import SignInWire

/// The limits of the outbox.
public enum OutboxLimits {
  /// How long a sender that no longer answers keeps its messages leased.
  public static let leaseSeconds: Int64 = 10
  /// A messenger answers within this time.
  ///
  /// If less of the lease is left, it is renewed first.
  public static let sendSeconds: Int64 = 6
  /// If no messenger can take a message now, it is tried again after this time at the latest.
  ///
  /// A messenger that another message is testing may have answered by then.
  public static let postponeSeconds: Int64 = 2
  public static let batch = 64
  /// How long an ending process waits for answers.
  ///
  /// It is longer than a messenger takes to answer.
  public static let shutdownWaitMilliseconds: Int64 = (sendSeconds + 1) * 1000
  /// The largest number of hand-overs in progress in one process.
  public static let active = 512
}

/// A message that this sender has leased, and the messengers for it, in order.
public struct LeasedMessage: Sendable {
  var message: OutboxMessage
  var candidates: [HandOver.Candidate]
}

/// Leases at most `limit` waiting messages in one transaction, oldest first.
///
/// It stores the messenger that is called first together with the lease, so that after a crash it
/// is known which messenger may have the message. Messages that no messenger can take now are
/// postponed. Expired messages are given up.
public func leaseMessages(
  limit: Int, over router: MessengerRouter, in world: World
) async -> [LeasedMessage] {
  let now = world.clock.now()
  do throws(Refusal) {
    while true {
      let waiting: Set<String> = try await world.read { (transaction: any OutboxRecords) throws in
        Set(try transaction.waitingMessages(at: now, limit: limit).map(\.id))
      }
      if waiting.isEmpty { return [] }
      let taken: [LeasedMessage] = try await world.decide(about: waiting.map { .message($0) }) {
        (transaction: any OutboxRecords) throws in
        var taken: [LeasedMessage] = []
        // Another sender may have leased some of them in the meantime.
        for var message in try transaction.waitingMessages(at: now, limit: limit)
        where waiting.contains(message.id) {
          if let candidates = message.beginHandOver(over: router, at: now) {
            taken.append(LeasedMessage(message: message, candidates: candidates))
          }
          try transaction.update(message)
        }
        return taken
      }
      // If a batch contains only messages that cannot be sent, continue, so that newer messages are
      // not delayed.
      if !taken.isEmpty || waiting.count < limit { return taken }
    }
  } catch {
    return []
  }
}

extension OutboxMessage {
  /// Leases the message and returns its messengers, or postpones it, or gives it up.
  fileprivate mutating func beginHandOver(
    over router: MessengerRouter, at now: Instant
  ) -> [HandOver.Candidate]? {
    if let last = messenger, !router.deduplicatesMessages(last) {
      // A sender stopped while it called this messenger. The messenger may have the message and
      // would not recognise it again.
      unclearCount += 1
      messenger = nil
    }
    let route = router.route(to: to, by: channel, last: messenger, at: now)
    if now >= expiresAt || route == .nowhere || unclearCount >= HandOver.unclearLimit {
      giveUp()
      return nil
    }
    switch route {
    case .ask(let candidates):
      tries += 1
      leasedUntil = now.adding(seconds: OutboxLimits.leaseSeconds)
      messenger = candidates.first.map { router.lines[$0.index].messenger.name }
      return candidates
    case .wait(let until):
      leasedUntil = min(until, now.adding(seconds: OutboxLimits.postponeSeconds))
      return nil
    case .nowhere: return nil
    }
  }

  /// Deletes the text, because the code in it is no longer needed.
  fileprivate mutating func giveUp() {
    state = .failed
    messenger = nil
    sealedText = []
  }
}

/// Hands one message over and saves the result.
///
/// A provider is never called inside a transaction. If another messenger is called than the stored
/// one, this is stored first.
///
/// - Returns: Whether this call handed the message over.
@discardableResult
public func handOver(
  _ taken: LeasedMessage, over router: MessengerRouter, in world: World,
  under active: ActiveHandOvers = ActiveHandOvers()
) async -> Bool {
  active.enter()
  defer { active.leave() }
  var message = taken.message
  guard let text = message.opened(with: world.keyring) else {
    message.giveUp()
    _ = await settle(message, in: world)
    return false
  }
  await copy(text, over: router, in: world)
  var machine = HandOver(
    candidates: taken.candidates, round: message.tries, unclearCount: message.unclearCount)
  var step = machine.begin()
  while true {
    message.unclearCount = machine.unclearCount
    switch step {
    case .ask(let candidate):
      let name = router.lines[candidate.index].messenger.name
      // Earlier messengers may have taken long, so another sender may have leased this message.
      let now = world.clock.now()
      guard now < message.leasedUntil else { return false }
      let isEnough = now.adding(seconds: OutboxLimits.sendSeconds) <= message.leasedUntil
      if name != message.messenger || !isEnough {
        message.messenger = name
        message.leasedUntil = now.adding(seconds: OutboxLimits.leaseSeconds)
        guard await settle(message, in: world) else { return false }
      }
      guard active.begin(message, candidate) else {
        // The process is ending. The next process calls the messenger, at once and without an
        // additional unclear answer.
        let last = machine.unclear ?? (candidate.deduplicatesMessages ? candidate : nil)
        message.messenger = last.map { router.lines[$0.index].messenger.name }
        message.leasedUntil = now
        _ = await settle(message, in: world)
        return false
      }
      let (answer, charge) = await router.ask(candidate, to: text, in: world)
      active.end(message)
      message.reference = charge?.reference
      step = machine.handle(answer)
    case .settleHandedOver:
      message.state = .handedOver
      message.handedOverAt = world.clock.now()
      message.sealedText = []
      return await settle(message, in: world)
    case .wait(let seconds):
      message.leasedUntil = world.clock.now().adding(seconds: seconds)
      message.messenger = machine.unclear.map { router.lines[$0.index].messenger.name }
      _ = await settle(message, in: world)
      return false
    case .settleFailed:
      message.giveUp()
      _ = await settle(message, in: world)
      return false
    }
  }
}

extension OutboxMessage {
  /// The message in the form for messengers.
  ///
  /// It is nil if the text cannot be opened with these keys.
  fileprivate func opened(with keyring: Keyring) -> TextMessage? {
    guard let bytes = keyring.outbox.open(sealedText, context: id) else { return nil }
    return TextMessage(
      id: id, to: to, kind: kind, text: Secret(String(decoding: bytes, as: UTF8.self)),
      createdAt: createdAt, expiresAt: expiresAt
    )
  }
}

private func copy(
  _ text: TextMessage, over router: MessengerRouter, in world: World
) async {
  for inbox in router.copies {
    do throws(TextMessengerFault) { _ = try await inbox.send(text) } catch {
      world.reportFault("messenger \(inbox.name): \(error)")
    }
  }
}

private func settle(_ message: OutboxMessage, in world: World) async -> Bool {
  do throws(Refusal) {
    return try await world.decide(about: [.message(message.id)]) {
      (transaction: any MessageCostRecords & OutboxRecords) throws in
      try settle(message, transaction)
    }
  } catch {
    return false
  }
}

/// Saves the result for a message, unless another sender has leased it in the meantime and has
/// newer information.
private func settle(
  _ message: OutboxMessage, _ transaction: any MessageCostRecords & OutboxRecords
) throws(StoreFault) -> Bool {
  guard let current = try transaction.message(message.id), current.state == .waiting else {
    return false
  }
  let isOurs = current.tries == message.tries
  guard isOurs || message.state == .handedOver else { return false }
  var settled = message
  settled.tries = current.tries
  // A receipt may have arrived before the answer.
  settled.receipt = current.receipt
  settled.receivedAt = current.receivedAt
  settled.price = current.price ?? settled.price
  try transaction.update(settled, from: current)
  return true
}
