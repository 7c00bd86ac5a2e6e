import JSONText
public import SignInModel
import SignInWire

/// The limits for sending changes to a receiver.
public enum ChangeSendingLimits {
  /// The largest number of receivers of one server.
  public static let receivers = 8
  /// The largest number of changes in one request.
  public static let page = 50
  /// The wait after the first failure, in milliseconds.
  ///
  /// Each further failure doubles it.
  public static let firstWaitMilliseconds: Int64 = 1000
  /// The pause before the next check for new changes, in milliseconds.
  public static let pauseMilliseconds: Int64 = 1000
  /// The longest wait between two tries, in milliseconds.
  public static let longestWaitMilliseconds: Int64 = 5 * 60 * 1000

  /// The wait after a number of failures in a row, in milliseconds.
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

/// The result of one try to send changes.
public enum ChangeSending: Equatable, Sendable {
  /// There was nothing to send.
  case nothing
  /// The receiver accepted a request.
  ///
  /// `isComplete` says whether it now has every change.
  case taken(isComplete: Bool)
  /// The receiver did not accept the changes or did not answer, or its position could not be
  /// stored.
  ///
  /// The same changes are sent again.
  case failed(String)
}

/// The changes that a receiver does not have yet.
public struct ChangeBacklog: Equatable, Sendable {
  public var count: Int64 = 0
  /// The moment of the first of them; `nil` if there are none.
  public var oldest: Instant?

  public init() {}
}

/// Sends the next changes by people to a receiver, the oldest first, at most
/// `ChangeSendingLimits.page` of them.
///
/// The position of the receiver moves only after it has accepted the changes, in a transaction of
/// its own. So each stored change is sent at least once and in order. No call is made inside a
/// transaction. A receiver without a position begins with the oldest stored change. Only one caller
/// at a time may send to a receiver. `note` gets the backlog from before the try.
public func sendChanges(
  to receiver: any ChangeReceiver, in world: World, note: @Sendable (ChangeBacklog) -> Void
) async -> ChangeSending {
  let name = receiver.name
  do throws(Refusal) {
    let changes = try await world.read { (transaction: any PendingChanges.Records) throws in
      try PendingChanges(for: name, transaction)
    }
    note(changes.backlog)
    guard !changes.entries.isEmpty else { return .nothing }
    do throws(ChangeReceiverFault) { try await receiver.take(changes.json) } catch {
      return .failed(error.why)
    }
    try await world.decide(about: []) { (transaction: any ChangeReceiverRecords) throws in
      try transaction.saveAcceptedChange(changes.last, by: name)
    }
    return .taken(isComplete: changes.isComplete)
  } catch {
    return .failed("the store is not available")
  }
}

/// Sends the changes to a receiver until the task is cancelled.
///
/// After a failure it waits longer each time, and then sends the same changes again. `report` gets
/// the result of each try, and the wait before the next one in milliseconds.
public func keepSendingChanges(
  to receiver: any ChangeReceiver, in world: World, note: @Sendable (ChangeBacklog) -> Void,
  report: @Sendable (_ sending: ChangeSending, _ waitMilliseconds: Int64) -> Void
) async {
  var failures = 0
  while !Task.isCancelled {
    let sending = await sendChanges(to: receiver, in: world, note: note)
    let wait: Int64
    switch sending {
    case .taken(isComplete: false): wait = 0
    case .nothing, .taken(isComplete: true): wait = ChangeSendingLimits.pauseMilliseconds
    case .failed:
      // The receiver has not failed if the call was cancelled.
      if Task.isCancelled { return }
      wait = ChangeSendingLimits.waitMilliseconds(afterFailures: failures + 1)
    }
    if case .failed = sending { failures += 1 } else { failures = 0 }
    report(sending, wait)
    if wait > 0 { await world.clock.pause(milliseconds: wait) }
  }
}

/// The next changes for one receiver.
private struct PendingChanges: Sendable {
  typealias Records = ChangeEntry.Records & ChangeReceiverRecords & ChangeRecords

  /// The sequence number before the first of these changes.
  ///
  /// It is greater than the receiver's position if changes were removed before the receiver got
  /// them.
  let after: Int64
  let entries: [ChangeEntry]
  /// The new position of the receiver after it has accepted the changes.
  let last: Int64
  let backlog: ChangeBacklog
  let isComplete: Bool

  init(for receiver: String, _ transaction: any Records) throws(StoreFault) {
    let bounds = try transaction.changeBounds()
    let taken = try transaction.acceptedChange(by: receiver) ?? 0
    after = max(taken, bounds.removed)
    let changes = try transaction.changes(
      after: after, of: nil, limit: ChangeSendingLimits.page)
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
      JSONMember(.after, after), JSONMember(.changes, .array(entries.map(\.json))),
      JSONMember(.complete, isComplete),
    ])
  }
}
