import SignInEngine
import SignInModel
public import SignInWire

/// One event or one message beside its list.
extension ConsoleHome {
  /// The event that is shown beside the list.
  public var openedEvent: EventEntry? {
    guard tab == .events, let opened else { return nil }
    return events.entries?.first { "\($0.sequence)".hasSameBytes(as: opened) }
  }

  /// The message that is shown beside the list.
  public var openedMessage: MessageEntry? {
    guard tab == .messages, let opened else { return nil }
    return messages.entries?.first { $0.id.hasSameBytes(as: opened) }
  }

  /// Whether an event or a message is named, also one that is not in the list.
  public var isRecordOpen: Bool { opened.isPresent && (tab == .events || tab == .messages) }

  mutating func openRecord(_ item: String, _ context: inout FlowContext) {
    let former = opened
    opened = item
    guard openedEvent.isPresent || openedMessage.isPresent else {
      opened = former
      return
    }
    context.moveFocus(to: .record)
  }

  /// The most entries that are read to find the record of an address.
  public static var searchedEntryLimit: Int { 1000 }

  /// Reads on until the named record is in the list, which has `count` entries.
  mutating func findRecord(among count: Int?, _ context: inout FlowContext) {
    guard isRecordOpen, !openedEvent.isPresent, !openedMessage.isPresent,
      (count ?? 0) < Self.searchedEntryLimit
    else { return }
    readOn(&context)
  }

  mutating func closeRecord(_ context: inout FlowContext) {
    opened = nil
    context.moveFocus(to: .heading)
  }
}
