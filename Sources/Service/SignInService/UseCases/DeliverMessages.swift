import Cryptography
import SignInModel
import SignInWire

/// The numbers of the outbox.
public enum OutboxLimits {
  /// A sender that takes messages up and falls silent keeps them this long.
  public static let leaseSeconds: Int64 = 30
  public static let batch = 32
  /// Looked at again after this time even when nobody rang.
  public static let restMilliseconds: Int64 = 1000
}

/// Hands waiting messages to the messengers, in order, until none is waiting.
///
/// A message is leased in one transaction, handed over outside any, and settled in another: a
/// provider is never called inside a transaction, and a crash between leaves the message waiting.
///
/// - Returns: How many were handed over.
@discardableResult
public func deliverMessages(
  through messengers: [any TextMessenger], in world: World
) async -> Int {
  var handedOver = 0
  while true {
    let leased = await lease(in: world)
    if leased.isEmpty { return handedOver }
    for message in leased {
      if await handOver(message, through: messengers, in: world) { handedOver += 1 }
    }
  }
}

private func lease(in world: World) async -> [OutboxMessage] {
  let now = world.clock.now()
  let outcome: Outcome<[OutboxMessage]> = await world.decide { (transaction) throws(StoreFault) in
    var leased: [OutboxMessage] = []
    for var message in try transaction.waitingMessages(at: now, limit: OutboxLimits.batch) {
      if now >= message.expiresAt {
        message.state = .failed
        message.sealedText = []
      } else {
        message.leasedUntil = now.adding(seconds: OutboxLimits.leaseSeconds)
        message.tries += 1
        leased.append(message)
      }
      try transaction.update(message)
    }
    return .success(leased)
  }
  switch outcome {
  case .success(let leased): return leased
  case .refusal: return []
  }
}

private func handOver(
  _ message: OutboxMessage, through messengers: [any TextMessenger], in world: World
) async -> Bool {
  // The messages before it took their time, and another sender may have this one by now.
  guard world.clock.now() < message.leasedUntil else { return false }
  var settled = message
  settled.state = .failed
  if let bytes = world.keyring.outbox.open(message.sealedText, context: message.id) {
    let text = TextMessage(
      id: message.id, to: message.to, text: Secret(String(decoding: bytes, as: UTF8.self)),
      expiresAt: message.expiresAt
    )
    for messenger in messengers {
      do throws(TextMessengerFault) {
        try await messenger.send(text)
        settled.state = .handedOver
        break
      } catch {
        world.faultSeen("messenger \(messenger.name): \(error)")
        if case .retry(let seconds) = error {
          settled.state = .waiting
          settled.leasedUntil = world.clock.now().adding(seconds: seconds)
        }
      }
    }
  }
  if settled.state != .waiting { settled.sealedText = [] }
  let final = settled
  let outcome: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    .success(try settle(final, transaction))
  }
  switch outcome {
  case .success(let isSettled): return isSettled && final.state == .handedOver
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
  try transaction.update(settled)
  return true
}
