import JSONText
import SignInEngine
public import SignInModel
public import SignInWire

/// An event about an account, or a message to the person.
public enum HistoryEntry: Equatable, Sendable {
  case event(EventEntry)
  case message(MessageEntry)

  public var at: Instant {
    switch self {
    case .event(let event): event.at
    case .message(let message): message.createdAt
    }
  }
}

/// What happened to one account, newest first, from the security log and the delivery log.
public struct AccountHistory: Equatable, Sendable {
  /// The entries of one page of each log.
  static let pageLimit = 20
  /// The most seconds between the event of a sent code and its message.
  ///
  /// The event is then left out, because the message also says whether it arrived.
  static let sameMoment: Int64 = 2

  public private(set) var events = PagedList<EventEntry>(.adminEvents)
  public private(set) var messages = PagedList<MessageEntry>(.adminMessages)
  private let account: AccountID

  init(of account: AccountID) { self.account = account }

  private static let page = PageQuery { $0.limit = "\(pageLimit)" }.form.fields

  private var eventFields: [Form.Field] {
    EventsQuery { $0.account = account.text }.form.fields + Self.page
  }

  private var messageFields: [Form.Field] {
    MessagesQuery { $0.account = account.text }.form.fields + Self.page
  }

  mutating func load(_ context: inout FlowContext) {
    events.load(eventFields, &context)
    messages.load(messageFields, &context)
  }

  /// Reads the next page of the log that ends first.
  mutating func readOn(_ context: inout FlowContext) {
    guard events.loading == nil, messages.loading == nil else { return }
    let isEventsTurn =
      switch (eventsEnd, messagesEnd) {
      case (let event?, let message?): event >= message
      case (nil, .some): false
      case (_, nil): events.hasMore
      }
    if isEventsTurn {
      events.readOn(eventFields, &context)
    } else {
      messages.readOn(messageFields, &context)
    }
  }

  func isFor(_ id: RequestID) -> Bool { events.isFor(id) || messages.isFor(id) }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: FlowContext
  ) -> [PageEffect] {
    if events.isFor(id) {
      return events.answered(answer, .events, { EventEntry(json: $0) }, context)
    }
    return messages.answered(answer, .messages, { MessageEntry(json: $0) }, context)
  }

  mutating func tick(_ context: inout FlowContext) {
    if events.isDue(at: context.now) { events.load(eventFields, &context) }
    if messages.isDue(at: context.now) { messages.load(messageFields, &context) }
  }

  // MARK: Entries

  public var hasMore: Bool { events.hasMore || messages.hasMore }

  public var isReadingOn: Bool {
    events.isReadingOn && events.loading != nil || messages.isReadingOn && messages.loading != nil
  }

  /// Before this moment a log may have entries that were not read.
  private var eventsEnd: Instant? { events.hasMore ? events.entries?.last?.at : nil }

  private var messagesEnd: Instant? {
    messages.hasMore ? messages.entries?.last?.createdAt : nil
  }

  /// `nil` until both logs were read.
  ///
  /// An entry is left out if the other log may have one between it and the entry before.
  public var entries: [HistoryEntry]? {
    guard let events = events.entries, let messages = messages.entries else { return nil }
    let end = max(eventsEnd ?? .earliest, messagesEnd ?? .earliest)
    var merged: [HistoryEntry] = []
    var next = 0
    for event in events where event.at >= end {
      while next < messages.count, messages[next].createdAt > event.at {
        merged.append(.message(messages[next]))
        next += 1
      }
      if !isMessage(event, messages) { merged.append(.event(event)) }
    }
    for message in messages[next...] where message.createdAt >= end {
      merged.append(.message(message))
    }
    return merged
  }

  private func isMessage(_ event: EventEntry, _ messages: [MessageEntry]) -> Bool {
    guard event.code.hasSameBytes(as: "sign_in.code_sent") else { return false }
    return messages.contains { message in
      message.isCode
        && (message.createdAt.seconds - event.at.seconds).magnitude <= Self.sameMoment
    }
  }
}

extension MessageEntry {
  /// Whether it contains a code, and is not a notice.
  public var isCode: Bool { kind.hasSameBytes(as: "code") }

  /// Whether it could not be sent, or was not delivered.
  public var isFailed: Bool { outcome.hasSameBytes(as: "failed") }
}
