import JSONText
public import SignInModel
import SignInWire

/// The numbers of sending changes to a receiver.
public enum ChangeSendingLimits {
  /// Receivers of one server.
  public static let receivers = 8
  /// Changes of one document.
  public static let page = 50
  /// The wait after a first failure, in milliseconds; each further one doubles it.
  public static let firstWaitMilliseconds: Int64 = 1000
  /// The longest wait between two tries, in milliseconds.
  public static let longestWaitMilliseconds: Int64 = 5 * 60 * 1000

  /// The wait after so many failures in a row, in milliseconds.
  public static func waitMilliseconds(afterFailures count: Int) -> Int64 {
    var wait = firstWaitMilliseconds
    var doublings = count - 1
    while doublings > 0, wait < longestWaitMilliseconds {
      wait *= 2
      doublings -= 1
    }
    return min(wait, longestWaitMilliseconds)
  }
}

/// What one try to send changes came to.
public enum ChangeSending: Equatable, Sendable {
  /// The receiver has every change.
  case nothing
  /// The receiver took a document; `isComplete` says whether it has every change now.
  case taken(isComplete: Bool)
  /// It took nothing, or did not say that it took them, or the position could not be stored. The
  /// same changes are sent again.
  case failed(String)
}

/// How many changes a receiver does not have yet, and since when.
public struct ChangeBacklog: Equatable, Sendable {
  public var count: Int64 = 0
  /// When the first of them was made; nil where there is none.
  public var oldest: Instant?

  public init() {}
}

/// Sends a receiver the next changes that people made, oldest first, at most
/// `ChangeSendingLimits.page` of them.
///
/// The position of the receiver moves on only when it took them, in a transaction of its own, so
/// that each change that is still kept is sent at least once and in order; no call is made inside
/// a transaction. A
/// receiver without a position begins with the oldest change that is kept. One receiver must have
/// one caller at a time. `note` gets the backlog as it was before the try.
public func sendChanges(
  to receiver: any ChangeReceiver, in world: World, note: @Sendable (ChangeBacklog) -> Void
) async -> ChangeSending {
  let name = receiver.name
  let looked: Outcome<ChangesToSend> = await world.look { (transaction) throws(StoreFault) in
    .success(try ChangesToSend(for: name, transaction))
  }
  let changes: ChangesToSend
  switch looked {
  case .success(let found): changes = found
  case .refusal: return .failed("the store is not available")
  }
  note(changes.backlog)
  guard !changes.entries.isEmpty else { return .nothing }
  do throws(ChangeReceiverFault) { try await receiver.take(changes.json) } catch {
    return .failed(error.why)
  }
  let saved: Outcome<Bool> = await world.decide { (transaction) throws(StoreFault) in
    try transaction.saveTakenChange(changes.last, by: name)
    return .success(true)
  }
  switch saved {
  case .success: return .taken(isComplete: changes.isComplete)
  case .refusal: return .failed("the store is not available")
  }
}

/// The next changes of one receiver.
private struct ChangesToSend: Sendable {
  /// The sequence number before the first of them: greater than that of the last one that the
  /// receiver took, where changes in between were not kept long enough.
  let after: Int64
  let entries: [ChangeEntry]
  /// The position of a receiver that took them.
  let last: Int64
  let backlog: ChangeBacklog
  let isComplete: Bool

  init(for receiver: String, _ transaction: any Transaction) throws(StoreFault) {
    let bounds = try transaction.changeBounds()
    let taken = try transaction.takenChange(by: receiver) ?? 0
    after = max(taken, bounds.removed)
    let changes = try transaction.changes(after: after, limit: ChangeSendingLimits.page)
    var entries: [ChangeEntry] = []
    for change in changes { entries.append(try ChangeEntry(change, for: nil, transaction)) }
    self.entries = entries
    var backlog = ChangeBacklog()
    backlog.count = changes.isEmpty ? 0 : max(0, bounds.last - after)
    backlog.oldest = changes.first?.at
    self.backlog = backlog
    let isPageFull = changes.count >= ChangeSendingLimits.page
    isComplete = !isPageFull || (changes.last?.sequence ?? bounds.last) >= bounds.last
    last = isComplete ? max(bounds.last, after) : changes.last?.sequence ?? after
  }

  var json: JSON {
    .members([
      JSONMember("after", after), JSONMember("changes", .array(entries.map(\.json))),
      JSONMember("complete", isComplete),
    ])
  }
}
