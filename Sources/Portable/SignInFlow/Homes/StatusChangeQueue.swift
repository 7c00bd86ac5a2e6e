import JSONText
public import SignInEngine
import SignInModel

/// A status that the person chose and the server has not confirmed.
public struct StatusChange: Equatable, Sendable {
  public let item: String
  public let status: String
  /// What the person wrote about the status.
  public var note: String?
  /// The idempotency key, so that the change can be sent again after a lost answer.
  let key: String
  /// The running request; `nil` while the change waits for a network.
  public fileprivate(set) var request: RequestID?
}

/// The status changes that the server has not confirmed.
///
/// They are stored, sealed with the session, and sent one at a time, the oldest first. The stored
/// changes of an earlier run of the app are older than those of this run. So nothing is stored or
/// sent before they were read.
struct StatusChangeQueue: Equatable, Sendable {
  static let version: Int64 = 1

  private(set) var changes: [StatusChange] = []
  private var wasRead = false
  private var retry = Retry()

  func change(of item: String) -> StatusChange? { changes.first { $0.item == item } }

  /// Adds a change, which replaces an earlier one of the same item.
  mutating func add(_ change: StatusChange) {
    changes.removeAll { $0.item == change.item }
    changes.append(change)
    retry = Retry()
  }

  // MARK: Sending

  /// The change to send now; `nil` if there is none, or while another one is being sent.
  var next: StatusChange? {
    guard wasRead, let change = changes.first, change.request == nil else { return nil }
    return change
  }

  /// Records the request that sends the next change.
  mutating func begin(_ request: RequestID) {
    retry.stop()
    changes[0].request = request
  }

  /// The change that this request sends.
  func change(sentBy request: RequestID) -> StatusChange? {
    changes.first { $0.request == request }
  }

  /// Sends the change again later, because its answer was lost.
  mutating func sendLater(from now: Instant) {
    changes[0].request = nil
    retry.wait(from: now)
  }

  /// Removes the sent change, because the server has confirmed or refused it.
  mutating func removeSent() { changes.removeFirst() }

  /// Whether the last attempt failed.
  var hasFailed: Bool { retry.hasFailed }

  func isRetryDue(at now: Instant) -> Bool { retry.isDue(at: now) }

  // MARK: Storing

  /// The text to store; `nil` before the stored changes were read.
  var text: Secret? {
    guard wasRead else { return nil }
    let entries: [JSON] = changes.map {
      .members([
        JSONMember("item", $0.item), JSONMember("status", $0.status),
        JSONMember("note", ifPresent: $0.note), JSONMember("key", $0.key),
      ])
    }
    return Secret(
      JSON.members([JSONMember("version", Self.version), JSONMember("changes", .array(entries))]))
  }

  /// Adds the stored changes before those of this run, and returns whether the stored text is old.
  ///
  /// A later reading changes nothing.
  mutating func read(_ text: Secret?) -> Bool {
    guard !wasRead else { return false }
    wasRead = true
    let hasNewer = !changes.isEmpty
    var stored: [StatusChange] = []
    for entry in text.flatMap({ JSON(storedText: $0) })?.elements("changes") ?? [] {
      if let item = entry.text("item"), let status = entry.text("status"),
        let key = entry.text("key"), change(of: item) == nil
      {
        stored.append(
          StatusChange(item: item, status: status, note: entry.text("note"), key: key))
      }
    }
    changes = stored + changes
    return hasNewer
  }
}
