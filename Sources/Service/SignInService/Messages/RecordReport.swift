import SignInModel
import SignInWire

/// The limits of receipts.
public enum ReceiptLimits {
  /// The number of attempts to find a message, because a receipt can arrive before the answer with
  /// the message's reference.
  public static let looks = 5
  public static let pauseMilliseconds: Int64 = 400
  /// The digits of the largest number that identifies a message.
  static let numberLength = 20
}

/// Records the receipt of a messenger's provider for a message.
///
/// A receipt that arrives twice or out of order changes nothing: a delivered message stays
/// delivered.
///
/// - Returns: Whether there is such a message.
public func recordReport(
  _ report: DeliveryReport, of messenger: String, in world: World
) async -> Bool {
  for look in 1...ReceiptLimits.looks {
    if await take(report, of: messenger, in: world) { return true }
    if look < ReceiptLimits.looks {
      await world.clock.pause(milliseconds: ReceiptLimits.pauseMilliseconds)
    }
  }
  return false
}

private func take(
  _ report: DeliveryReport, of messenger: String, in world: World
) async -> Bool {
  let now = world.clock.now()
  do throws(Refusal) {
    let id: String? = try await world.read { (transaction: any OutboxRecords) throws in
      try find(report, of: messenger, transaction)?.id
    }
    guard let id else { return false }
    return try await world.decide(about: [.message(id)]) {
      (transaction: any MessageCostRecords & OutboxRecords) throws in
      guard let known = try find(report, of: messenger, transaction), known.id == id else {
        return false
      }
      var message = known
      if message.take(report, at: now) { try transaction.update(message, from: known) }
      return true
    }
  } catch {
    // The store was busy.
    return false
  }
}

/// Finds the message of a receipt.
///
/// A gateway identifies a message in its answer and in its receipts. Some use decimal in one and
/// hexadecimal in the other.
private func find(
  _ report: DeliveryReport, of messenger: String, _ transaction: any OutboxRecords
) throws(StoreFault) -> OutboxMessage? {
  var names = [report.reference]
  // No gateway's number has more than 20 digits, so a longer text is not converted.
  if report.reference.utf8.count <= ReceiptLimits.numberLength {
    if let number = UInt64(report.reference, radix: 10) { names.append(String(number, radix: 16)) }
    if let number = UInt64(report.reference, radix: 16) { names.append(String(number)) }
  }
  for name in names {
    if let found = try transaction.message(reference: name, messenger: messenger) { return found }
  }
  // The hand-over was not recorded yet, and the messenger uses our identifier as its reference.
  guard let found = try transaction.message(report.reference), found.messenger == messenger else {
    return nil
  }
  return found
}

extension OutboxMessage {
  /// Whether the report contains anything new.
  fileprivate mutating func take(_ report: DeliveryReport, at now: Instant) -> Bool {
    let isNew: Bool
    switch (receipt, report.outcome) {
    case (nil, _), (.delayed, .delivered), (.delayed, .undelivered), (.undelivered, .delivered):
      isNew = true
    case (.delayed, .delayed), (.undelivered, .delayed), (.undelivered, .undelivered),
      (.delivered, _):
      isNew = false
    }
    if isNew {
      receipt = report.outcome
      receivedAt = now
    }
    guard let paid = report.price, paid != price else { return isNew }
    price = paid
    return true
  }
}
