public import SignInModel
public import SignInService
internal import Synchronization

/// A messenger that accepts and records every message, or fails as configured.
public final class RecordingMessenger: TextMessenger {
  public let name: String
  public let deduplicatesMessages: Bool
  public let channel: OutboxMessage.Channel

  private struct State {
    var messages: [TextMessage] = []
    var faults: [TextMessengerFault] = []
    var tries = 0
  }

  private let state = Mutex(State())

  public init(
    name: String = "recording", deduplicatesMessages: Bool = true,
    channel: OutboxMessage.Channel = .sms
  ) {
    self.name = name
    self.channel = channel
    self.deduplicatesMessages = deduplicatesMessages
  }

  public var receipts: (any ReceiptReader)? { RecordedReceipts() }

  /// The accepted messages, oldest first.
  public var messages: [TextMessage] { state.withLock { $0.messages } }

  /// The number of calls of `send`.
  public var tries: Int { state.withLock { $0.tries } }

  /// Makes the next tries fail with these faults, one after another.
  public func failNext(_ faults: TextMessengerFault...) {
    state.withLock { $0.faults += faults }
  }

  /// The newest text to this number.
  public func lastText(to phone: PhoneNumber) -> String? {
    messages.last { $0.to == .phone(phone) }?.text.revealed
  }

  public func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    let fault = state.withLock { state -> TextMessengerFault? in
      state.tries += 1
      guard state.faults.isEmpty else { return state.faults.removeFirst() }
      state.messages.append(message)
      return nil
    }
    if let fault { throw fault }
    return Acceptance(reference: "\(name)-\(message.id)")
  }
}

/// Reads `reference outcome`.
///
/// The query `key=right` proves it, and `hello` is a handshake.
private struct RecordedReceipts: ReceiptReader {
  func read(_ post: ReceiptPost) -> ReceiptReading {
    guard post.query == "key=right" else { return .unproved }
    let words = String(decoding: post.body, as: UTF8.self).split(separator: " ").map(String.init)
    if words == ["hello"] { return .handshake(answer: Array(#"{"hello":"you"}"#.utf8)) }
    guard words.count == 2, let outcome = OutboxMessage.Receipt(rawValue: words[1]) else {
      return .malformed
    }
    return .reports([DeliveryReport(reference: words[0], outcome: outcome)])
  }
}
