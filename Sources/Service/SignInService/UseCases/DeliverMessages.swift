import Cryptography
import SignInModel
import SignInRules
import SignInWire

/// The numbers of the outbox.
public enum OutboxLimits {
  /// A sender that takes messages up and falls silent keeps them this long.
  public static let leaseSeconds: Int64 = 10
  /// A messenger answers within this time; with less of the lease left it is renewed first.
  public static let askSeconds: Int64 = 6
  /// A message nobody can take now is looked at again after this time at the latest: whoever is
  /// being tried may have answered.
  public static let putOffSeconds: Int64 = 2
  public static let batch = 64
  /// How long a process that ends waits for answers: a messenger answers before.
  public static let graceMilliseconds: Int64 = (askSeconds + 1) * 1000
  /// Hand-overs that are under way in one process, at most.
  public static let underWay = 512
}

/// Hands waiting messages to the messengers, one after the other, until none is waiting.
///
/// - Returns: How many were handed over.
@discardableResult
public func deliverMessages(
  through messengers: [any TextMessenger], in world: World
) async -> Int {
  await deliverMessages(over: Switchboard(messengers.map { Switchboard.Line($0) }), in: world)
}

@discardableResult
public func deliverMessages(over switchboard: Switchboard, in world: World) async -> Int {
  var handedOver = 0
  while true {
    let taken = await takeUpMessages(limit: OutboxLimits.batch, over: switchboard, in: world)
    if taken.isEmpty { return handedOver }
    for message in taken {
      if await handOver(message, over: switchboard, in: world) { handedOver += 1 }
    }
  }
}

/// A message that is this sender's until its lease is over, and whom to ask to carry it.
public struct TakenMessage: Sendable {
  var message: OutboxMessage
  var carriers: [HandOver.Carrier]
}

/// Leases waiting messages in one transaction, at most `limit`, oldest first.
///
/// With the lease it writes down who is asked first: after a crash it is known who may have the
/// message. Messages nobody can take just now are put off, those of no more use given up.
public func takeUpMessages(
  limit: Int, over switchboard: Switchboard, in world: World
) async -> [TakenMessage] {
  let now = world.clock.now()
  while true {
    let outcome: Outcome<(taken: [TakenMessage], seen: Int)> = await world.decide {
      (transaction) throws(StoreFault) in
      var taken: [TakenMessage] = []
      let waiting = try transaction.waitingMessages(at: now, limit: limit)
      for var message in waiting {
        if let carriers = message.takeUp(over: switchboard, at: now) {
          taken.append(TakenMessage(message: message, carriers: carriers))
        }
        try transaction.update(message)
      }
      return .success((taken, waiting.count))
    }
    switch outcome {
    case .success(let found):
      // A batch of nothing but old messages must not keep new ones waiting.
      if !found.taken.isEmpty || found.seen < limit { return found.taken }
    case .refusal: return []
    }
  }
}

extension OutboxMessage {
  /// Leases the message and answers whom to ask, or puts it off, or gives it up.
  fileprivate mutating func takeUp(
    over switchboard: Switchboard, at now: Instant
  ) -> [HandOver.Carrier]? {
    if let last = messenger, !switchboard.knowsRepetitions(last) {
      // A sender fell silent while asking it: it may have the message, and would not know again.
      doubts += 1
      messenger = nil
    }
    let route = switchboard.route(to: to, by: channel, last: messenger, at: now)
    if now >= expiresAt || route == .nowhere || doubts >= HandOver.doubtLimit {
      giveUp()
      return nil
    }
    switch route {
    case .ask(let carriers):
      tries += 1
      leasedUntil = now.adding(seconds: OutboxLimits.leaseSeconds)
      messenger = carriers.first.map { switchboard.lines[$0.index].messenger.name }
      return carriers
    case .rest(let until):
      leasedUntil = min(until, now.adding(seconds: OutboxLimits.putOffSeconds))
      return nil
    case .nowhere: return nil
    }
  }

  /// The code it carries reaches nobody any more.
  fileprivate mutating func giveUp() {
    state = .failed
    messenger = nil
    sealedText = []
  }
}

/// Hands one message over and settles it.
///
/// A provider is never called inside a transaction. Before another one is asked than the store
/// knows of, the store is told.
///
/// - Returns: Whether this call handed it over.
public func handOver(
  _ taken: TakenMessage, over switchboard: Switchboard, in world: World,
  under underWay: HandOversUnderWay = HandOversUnderWay()
) async -> Bool {
  underWay.enter()
  defer { underWay.leave() }
  var message = taken.message
  guard let text = message.opened(with: world.keyring) else {
    message.giveUp()
    _ = await settle(message, in: world)
    return false
  }
  await copy(text, over: switchboard, in: world)
  var machine = HandOver(carriers: taken.carriers, round: message.tries, doubts: message.doubts)
  var step = machine.begin()
  while true {
    message.doubts = machine.doubts
    switch step {
    case .ask(let carrier):
      let name = switchboard.lines[carrier.index].messenger.name
      // Others took their time, and another sender may have this one by now.
      let now = world.clock.now()
      guard now < message.leasedUntil else { return false }
      let isEnough = now.adding(seconds: OutboxLimits.askSeconds) <= message.leasedUntil
      if name != message.messenger || !isEnough {
        message.messenger = name
        message.leasedUntil = now.adding(seconds: OutboxLimits.leaseSeconds)
        guard await settle(message, in: world) else { return false }
      }
      guard underWay.begin(message, carrier) else {
        // The process ends: the next one asks, at once and without a doubt.
        let last = machine.unclear ?? (carrier.knowsRepetitions ? carrier : nil)
        message.messenger = last.map { switchboard.lines[$0.index].messenger.name }
        message.leasedUntil = now
        _ = await settle(message, in: world)
        return false
      }
      let (answer, charge) = await switchboard.ask(carrier, to: text, in: world)
      underWay.end(message)
      message.reference = charge?.reference
      step = machine.handle(answer)
    case .settleHandedOver:
      message.state = .handedOver
      message.handedOverAt = world.clock.now()
      message.sealedText = []
      return await settle(message, in: world)
    case .rest(let seconds):
      message.leasedUntil = world.clock.now().adding(seconds: seconds)
      message.messenger = machine.unclear.map { switchboard.lines[$0.index].messenger.name }
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
  /// The message as messengers take it; nil when its text cannot be opened with these keys.
  fileprivate func opened(with keyring: Keyring) -> TextMessage? {
    guard let bytes = keyring.outbox.open(sealedText, context: id) else { return nil }
    return TextMessage(
      id: id, to: to, kind: kind, text: Secret(String(decoding: bytes, as: UTF8.self)),
      createdAt: createdAt, expiresAt: expiresAt
    )
  }
}

private func copy(
  _ text: TextMessage, over switchboard: Switchboard, in world: World
) async {
  for inbox in switchboard.copies {
    do throws(TextMessengerFault) { _ = try await inbox.send(text) } catch {
      world.faultSeen("messenger \(inbox.name): \(error)")
    }
  }
}

private func settle(_ message: OutboxMessage, in world: World) async -> Bool {
  let outcome: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    .success(try settle(message, transaction))
  }
  switch outcome {
  case .success(let isSettled): return isSettled
  case .refusal: return false
  }
}

/// Writes down what became of a message, unless another sender took it up meanwhile and knows more.
private func settle(
  _ message: OutboxMessage, _ transaction: any Transaction
) throws(StoreFault) -> Bool {
  guard let current = try transaction.message(message.id), current.state == .waiting else {
    return false
  }
  let isOurs = current.tries == message.tries
  guard isOurs || message.state == .handedOver else { return false }
  var settled = message
  settled.tries = current.tries
  // A receipt may have come before the answer.
  settled.receipt = current.receipt
  settled.receivedAt = current.receivedAt
  settled.price = current.price ?? settled.price
  try transaction.update(settled, from: current)
  return true
}
