import JSONText
public import SignInModel
public import SignInService
import Synchronization

/// A message the development inbox took charge of.
public struct ReceivedMessage: Equatable, Sendable {
  public let to: PhoneNumber
  public let text: String
  public let receivedAt: Instant

  /// The first run of digits that can be a code, as a person would read it.
  public var code: String? {
    for word in text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) {
      if OneTimeCode.digitLimits.contains(word.count) { return String(word) }
    }
    return nil
  }
}

/// The development inbox: a messenger that keeps every message where a tester can read it.
///
/// It is made only with `--development`. It keeps what it received in a file, so that a restart in
/// the middle of a sign-in loses nothing.
public final class InboxMessenger: TextMessenger {
  /// Older messages are forgotten.
  public static let messageLimit = 20_000

  public let name: String
  public let knowsRepetitions = true
  private let clock: any Clock
  private let received: Mutex<[String: [ReceivedMessage]]>
  private let seen: Mutex<Set<String>>
  /// Appends one line durably; nil keeps the inbox in memory only.
  private let append: (@Sendable (String) -> Void)?

  /// `lines` are what an earlier run gave to `append`, which takes each new line without its end.
  public init(
    name: String = "inbox", clock: any Clock, lines: [String] = [],
    append: (@Sendable (String) -> Void)? = nil
  ) {
    self.name = name
    self.clock = clock
    self.append = append
    var received: [String: [ReceivedMessage]] = [:]
    var seen: Set<String> = []
    for line in lines.suffix(Self.messageLimit) {
      guard let (id, message) = Self.read(line) else { continue }
      seen.insert(id)
      received[message.to.e164, default: []].append(message)
    }
    self.received = Mutex(received)
    self.seen = Mutex(seen)
  }

  public func send(_ message: TextMessage) async throws(TextMessengerFault) -> Charge {
    // The same message handed over again after a crash is taken once.
    guard seen.withLock({ $0.insert(message.id).inserted }) else {
      return Charge(reference: message.id, isRepeated: true)
    }
    let kept = ReceivedMessage(
      to: message.to, text: message.text.revealed, receivedAt: clock.now()
    )
    append?(Self.line(id: message.id, kept))
    received.withLock { $0[kept.to.e164, default: []].append(kept) }
    return Charge(reference: message.id)
  }

  /// Messages to this number, or to all, newest first.
  public func messages(to phone: PhoneNumber?) -> [ReceivedMessage] {
    received.withLock { received in
      if let phone { return (received[phone.e164] ?? []).reversed() }
      return received.values.flatMap { $0 }.sorted { $0.receivedAt > $1.receivedAt }
    }
  }

  private static func line(id: String, _ message: ReceivedMessage) -> String {
    let json = JSON.members([
      JSONMember("id", id), JSONMember("to", message.to.e164), JSONMember("text", message.text),
      JSONMember("at", message.receivedAt.milliseconds),
    ])
    return String(decoding: json.utf8, as: UTF8.self)
  }

  /// Nil for a line that a crash cut short.
  private static func read(_ line: String) -> (String, ReceivedMessage)? {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(Array(line.utf8)) } catch { return nil }
    guard let id = json["id"]?.text, let to = json["to"]?.text, let text = json["text"]?.text,
      let at = json["at"]?.number
    else { return nil }
    do throws(Malformed) {
      let phone = try PhoneNumber(parsing: to)
      let receivedAt = Instant(milliseconds: at)
      return (id, ReceivedMessage(to: phone, text: text, receivedAt: receivedAt))
    } catch {
      return nil
    }
  }
}
