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

  /// The most pages that are read to find the record of an address.
  ///
  /// A page has 50 entries. It has fewer, or none, if the administrator may not read many of them.
  static var searchedPageLimit: Int { 20 }

  /// Reads on until the named record is in the list of the tab, if that is the shown tab.
  ///
  /// A filter that was edited can leave the record out. Then the record is closed.
  mutating func findRecord(in tab: Tab, _ context: inout FlowContext) {
    guard tab == self.tab else { return }
    let isEdited = tab == .events ? eventFilter.takeEdit() : messageFilter.takeEdit()
    guard isRecordOpen, !openedEvent.isPresent, !openedMessage.isPresent else { return }
    if isEdited { opened = nil } else if mayFollow { readOn(&context) }
  }

  /// Whether the named record can be among the entries that were not read.
  private var mayFollow: Bool {
    guard tab == .events else { return messages.pageCount < Self.searchedPageLimit }
    guard events.pageCount < Self.searchedPageLimit, let opened,
      let wanted = PolicyEditor.number(opened), "\(wanted)".hasSameBytes(as: opened)
    else { return false }
    // The newest event, which has the highest number, is the first one.
    let read = events.entries ?? []
    return read.isEmpty || read[read.count - 1].sequence > wanted
  }

  mutating func closeRecord(_ context: inout FlowContext) {
    opened = nil
    context.moveFocus(to: .heading)
  }
}
