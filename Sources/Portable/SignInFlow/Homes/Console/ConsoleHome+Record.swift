import SignInEngine
import SignInModel
public import SignInWire

/// One event, message, product or service request beside its list.
extension ConsoleHome {
  /// The event that is shown beside the list.
  public var openedEvent: EventEntry? {
    guard tab == .events, let opened else { return nil }
    return events.entries?.first { $0.id.hasSameBytes(as: opened) }
  }

  /// The message that is shown beside the list.
  public var openedMessage: MessageEntry? {
    guard tab == .messages, let opened else { return nil }
    return messages.entries?.first { $0.id.hasSameBytes(as: opened) }
  }

  /// The product that is shown beside the list.
  public var openedProduct: HeldProductEntry? {
    guard tab == .products, let opened else { return nil }
    return products.entries?.first { $0.id.text.hasSameBytes(as: opened) }
  }

  /// The service request that is shown beside the list.
  public var openedRequest: ServiceRequestEntry? {
    guard tab == .requests, let opened else { return nil }
    return requests.entries?.first { $0.id.hasSameBytes(as: opened) }
  }

  /// Whether a record is named, also one that is not in the list.
  public var isRecordOpen: Bool { opened.isPresent && Self.recordTabs.contains(tab) }

  private var isRecordListed: Bool {
    openedEvent.isPresent || openedMessage.isPresent || openedProduct.isPresent
      || openedRequest.isPresent
  }

  mutating func openRecord(_ item: String, _ context: inout FlowContext) {
    guard !isBusy else { return }
    let former = opened
    opened = item
    guard isRecordListed else {
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
    let isEdited =
      switch tab {
      case .events: eventFilter.takeEdit()
      case .messages: messageFilter.takeEdit()
      case .products: productFilter.takeEdit()
      case .overview, .accounts, .requests, .policies: false
      }
    guard isRecordOpen, !isRecordListed else { return }
    if isEdited { opened = nil } else if mayFollow { readOn(&context) }
  }

  /// Whether the newest entries were read without the named record, and there are more.
  public var isRecordNotReached: Bool {
    guard isRecordOpen, !isRecordListed else { return false }
    switch tab {
    case .products: return products.hasMore && products.pageCount >= Self.searchedPageLimit
    case .requests: return requests.hasMore && requests.pageCount >= Self.searchedPageLimit
    case .overview, .accounts, .events, .messages, .policies: return false
    }
  }

  /// Whether the named record can be among the entries that were not read.
  private var mayFollow: Bool {
    switch tab {
    case .overview, .accounts, .policies: return false
    case .products: return products.pageCount < Self.searchedPageLimit
    case .requests: return requests.pageCount < Self.searchedPageLimit
    case .messages: return messages.pageCount < Self.searchedPageLimit
    case .events: return mayFollowEvents
    }
  }

  private var mayFollowEvents: Bool {
    guard events.pageCount < Self.searchedPageLimit, let opened else { return false }
    // Events that an administrator of organizations reads have no numbers.
    guard let oldest = events.entries?.last?.sequence else { return true }
    guard let wanted = PolicyEditor.number(opened), "\(wanted)".hasSameBytes(as: opened)
    else { return false }
    // The newest event, which has the highest number, is the first one.
    return oldest > wanted
  }

  mutating func closeRecord(_ context: inout FlowContext) {
    opened = nil
    context.moveFocus(to: .heading)
  }
}
