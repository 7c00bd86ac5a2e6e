import JSONText
public import SignInModel
public import SignInService
import Synchronization

/// A message that the development inbox accepted.
public struct ReceivedMessage: Equatable, Sendable {
  public let to: Recipient
  public let kind: OutboxMessage.Kind
  public let text: String
  public let receivedAt: Instant

  /// The first run of digits that can be a code; `nil` for a notice.
  public var code: String? {
    guard kind == .code else { return nil }
    for word in text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) {
      if OneTimeCode.digitLimits.contains(word.count) { return String(word) }
    }
    return nil
  }
}

/// The development inbox: a messenger that stores all messages where a tester can read them.
///
/// It exists only with `--development`. It stores the messages in a file, so that a restart during
/// a sign-in loses none.
public final class InboxMessenger: TextMessenger {
  /// Older messages are removed.
  public static let messageLimit = 5000

  public let name: String
  public let deduplicatesMessages = true
  private let clock: any Clock
  private let kept: Mutex<RecentMessages>
  /// Appends one line durably; `nil` if the inbox is only in memory.
  private let append: (@Sendable (String) -> Void)?
  /// Replaces all appended lines with these.
  private let replace: (@Sendable ([String]) -> Void)?

  /// Creates an inbox with the `lines` that an earlier run gave to `append`.
  ///
  /// `append` gets each new line without its line end.
  public init(
    name: String = "inbox", clock: any Clock, lines: [String] = [],
    append: (@Sendable (String) -> Void)? = nil,
    replace: (@Sendable ([String]) -> Void)? = nil
  ) {
    self.name = name
    self.clock = clock
    self.append = append
    self.replace = replace
    var kept = RecentMessages(limit: Self.messageLimit)
    for line in lines.suffix(Self.messageLimit) {
      guard let (id, message) = Self.read(line) else { continue }
      kept.add(message, id: id)
    }
    self.kept = Mutex(kept)
  }

  /// The inbox accepts e-mail too.
  public func carries(_ recipient: Recipient) -> Bool { true }

  public func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    // After a crash the same message can be handed over again. It is stored only once.
    let received = ReceivedMessage(
      to: message.to, kind: message.kind, text: message.text.revealed, receivedAt: clock.now()
    )
    guard kept.withLock({ $0.add(received, id: message.id) }) else {
      return Acceptance(reference: message.id, isRepeated: true)
    }
    append?(Self.line(id: message.id, received))
    return Acceptance(reference: message.id)
  }

  public func forget(_ recipients: Set<Recipient>) {
    let numbers = Set(recipients.map(\.text))
    kept.withLock { kept in
      guard kept.forget(numbers) else { return }
      replace?(kept.entries.map { Self.line(id: $0.id, $0.message) })
    }
  }

  /// The messages to this recipient, or all messages if it is `nil`, newest first.
  public func messages(to recipient: Recipient?) -> [ReceivedMessage] {
    kept.withLock { kept in
      if let recipient { return (kept.messages[recipient.text] ?? []).reversed() }
      return kept.messages.values.flatMap { $0 }.sorted { $0.receivedAt > $1.receivedAt }
    }
  }

  private static func line(id: String, _ message: ReceivedMessage) -> String {
    let json = JSON.members([
      JSONMember("id", id), JSONMember("to", message.to.text),
      JSONMember("kind", message.kind.rawValue), JSONMember("text", message.text),
      JSONMember("at", message.receivedAt.milliseconds),
    ])
    return String(decoding: json.utf8, as: UTF8.self)
  }

  /// `nil` for a line that a crash cut off.
  private static func read(_ line: String) -> (String, ReceivedMessage)? {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(Array(line.utf8)) } catch { return nil }
    guard let id = json["id"]?.text, let to = json["to"]?.text, let text = json["text"]?.text,
      let at = json["at"]?.unixMilliseconds
    else { return nil }
    do throws(Malformed) {
      let received = ReceivedMessage(
        to: try Recipient(parsing: to),
        kind: (json["kind"]?.text).flatMap(OutboxMessage.Kind.init(rawValue:)) ?? .code,
        text: text, receivedAt: Instant(milliseconds: at)
      )
      return (id, received)
    } catch {
      return nil
    }
  }
}

/// The last messages, by number.
///
/// The limit is needed because the inbox would otherwise grow as long as the server runs.
private struct RecentMessages {
  private(set) var messages: [String: [ReceivedMessage]] = [:]
  private var seen: Set<String> = []
  private var order: [(id: String, number: String)] = []
  /// The index of the oldest stored message in `order`.
  ///
  /// Entries before it are removed messages.
  private var oldest = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Returns whether the message is new.
  @discardableResult
  mutating func add(_ message: ReceivedMessage, id: String) -> Bool {
    guard seen.insert(id).inserted else { return false }
    messages[message.to.text, default: []].append(message)
    order.append((id, message.to.text))
    if order.count - oldest > limit { forgetOldest() }
    return true
  }

  /// Returns whether there was a message to one of these numbers.
  mutating func forget(_ numbers: Set<String>) -> Bool {
    guard numbers.contains(where: { messages[$0] != nil }) else { return false }
    for number in numbers { messages[number] = nil }
    order = order[oldest...].filter { !numbers.contains($0.number) }
    oldest = 0
    return true
  }

  /// All messages, the oldest first.
  var entries: [(id: String, message: ReceivedMessage)] {
    var counts: [String: Int] = [:]
    return order[oldest...].compactMap { id, number in
      let index = counts[number, default: 0]
      counts[number] = index + 1
      return messages[number].map { (id, $0[index]) }
    }
  }

  private mutating func forgetOldest() {
    let (id, number) = order[oldest]
    oldest += 1
    seen.remove(id)
    messages[number]?.removeFirst()
    if messages[number]?.isEmpty == true { messages[number] = nil }
    // Removes many entries at once, so that the average cost for each message stays low.
    if oldest >= limit {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
