public import JSONText
public import SignInEngine
public import SignInFlow
import SignInModel
import SignInWire

extension ConsoleHome: HomeScreen {
  public static var app: AppName { .console }

  static let words = FetchedTexts(
    loading: .loadingList, unknown: .listUnknownTitle, offline: .offlineListAsOf,
    stale: .staleListAsOf
  )

  public static func json(ofOwn part: Part) -> JSON { part.consoleJSON }

  public static func announce(
    _ announcement: ConsoleAnnouncement, _ localizer: Localizer
  ) -> LocalizedAnnouncement {
    switch announcement {
    case .notice(let notice):
      LocalizedAnnouncement(
        text: localizer.said(notice), politeness: notice.isSuccess ? .polite : .assertive)
    case .policyValueRefused(let fault):
      LocalizedAnnouncement(text: localizer.refused(fault), politeness: .assertive)
    case .accountFault(let fault):
      LocalizedAnnouncement(text: localizer.refused(fault), politeness: .assertive)
    case .transferRefused(let fault):
      LocalizedAnnouncement(text: localizer.refused(fault), politeness: .assertive)
    case .accountsListed(let count):
      LocalizedAnnouncement(text: localizer.accountsListed(count), politeness: .polite)
    case .accountsSelected(let count):
      LocalizedAnnouncement(text: localizer.tell(.selected, count), politeness: .polite)
    case .productsListed(let count):
      LocalizedAnnouncement(text: localizer.productsListed(count), politeness: .polite)
    case .valuesListed(let filter, let values):
      LocalizedAnnouncement(
        text: localizer.found(localizer.values(values, filter).count, of: values.count),
        politeness: .polite)
    }
  }

  public func view(_ localizer: Localizer) -> HomeView {
    var parts: [Part] = []
    if let account, let asking = account.asking {
      parts.append(localizer.sheet(asking, account))
    }
    if bulk.isAsking { parts.append(localizer.sheet(bulk)) }
    if transfer.isOpen, let product = transfer.entry {
      parts.append(localizer.sheet(transfer, product))
    }
    if isLeaving { parts.append(localizer.discarding) }
    if tab == .policies, let question = policies.question(localizer) { parts.append(question) }
    parts.append(tabs(localizer))
    switch tab {
    case .overview: parts += overviewParts(localizer)
    case .accounts:
      parts.append(
        .split(id: "accounts", list: accountParts(localizer), opened: openedParts(localizer)))
    case .products:
      parts.append(
        .split(id: "product-list", list: productParts(localizer), opened: recordParts(localizer)))
    case .requests:
      parts.append(
        .split(id: "request-list", list: requestParts(localizer), opened: recordParts(localizer)))
    case .events:
      parts.append(
        .split(id: "event-log", list: eventParts(localizer), opened: recordParts(localizer)))
    case .messages:
      parts.append(
        .split(id: "message-log", list: messageParts(localizer), opened: recordParts(localizer)))
    case .policies:
      parts += policies.parts(localizer)
    }
    let isPolicy = tab == .policies && policies.page.isPresent
    let isOpened =
      account.isPresent || creation.isPresent || wanted.isPresent || isPolicy || isRecordOpen
    return HomeView(
      id: isPolicy ? "console-policy" : "console-" + tab.rawValue, place: title,
      subject: subject, statusBar: statusBar(localizer),
      back: isOpened ? .back : nil, parts: parts
    )
  }

  /// The name of the opened account, product or service request.
  private var subject: String? {
    switch tab {
    case .accounts: account?.entry.name
    case .products: openedProduct?.entry.name
    case .requests: openedRequest?.productName
    case .overview, .events, .messages, .policies: nil
    }
  }

  private var title: Sentence {
    switch tab {
    case .overview: .overview
    case .accounts: .accounts
    case .products: .products
    case .requests: .requests
    case .events: .securityLog
    case .messages: .messageLog
    case .policies: .policies
    }
  }

  private func tabs(_ localizer: Localizer) -> Part {
    func tab(_ tab: Tab, _ label: Sentence) -> TabChoice {
      TabChoice(
        item: tab.rawValue, label: localizer.say(label), button: ButtonName.consoleTab.rawValue,
        isCurrent: tab == self.tab
      )
    }
    return .tabs(
      id: "tabs", label: localizer.say(.console),
      [
        tab(.overview, .overview), tab(.accounts, .accounts), tab(.products, .products),
        tab(.requests, .requests), tab(.events, .securityLog), tab(.messages, .messageLog),
        tab(.policies, .policies),
      ]
    )
  }

  private func statusBar(_ localizer: Localizer) -> StatusBar? {
    switch tab {
    case .overview: overview.statusBar(localizer, Self.words)
    case .accounts: accounts.statusBar(localizer)
    case .products: products.statusBar(localizer)
    case .requests: requests.statusBar(localizer)
    case .events: events.statusBar(localizer)
    case .messages: messages.statusBar(localizer)
    case .policies: policies.statusBar(localizer)
    }
  }

  private func accountParts(_ localizer: Localizer) -> [Part] {
    let statuses: [AccountStatus] = [.active, .pending, .deactivated, .rejected]
    var choices = [Choice(value: "", name: localizer.say(.everyStatus))]
    for word in statuses.map({ $0.rawValue }) {
      choices.append(Choice(value: word, name: localizer.status(word).text))
    }
    choices.append(Choice(value: Self.lockedStatus, name: localizer.say(.locked)))
    let fields = Part.fields(
      id: "filters",
      [
        Field(
          id: FieldName.search.rawValue, kind: .search, label: localizer.say(.searchAccounts),
          value: search, autofill: "off"
        ),
        Field(
          id: FieldName.status.rawValue, kind: .choice(choices), label: localizer.say(.status),
          value: status, autofill: "off"
        ),
      ]
    )
    var buttons = [exportButton(localizer)]
    if mayCreate {
      buttons.insert(localizer.button(.newAccount, .newAccount, .secondary), at: 0)
    }
    // The closures copy only what they name.
    let (opened, selectable, bulk) = (account?.entry.id, selectable, bulk)
    if !selectable.isEmpty || bulk.waiting != nil {
      buttons.insert(localizer.button(for: bulk), at: 0)
    }
    let empty =
      listedSearch.map { localizer.say(.noAccountWith, [(name: "text", value: $0)]) }
      ?? localizer.say(.noAccounts)
    return said(localizer) + [fields, .actions(id: "list-actions", buttons)]
      + accounts.parts(
        localizer, { $0.table($1, opened: opened, selectable, bulk) },
        empty: (empty, localizer.say(.noAccountsAdvice)))
  }

  private var names: KnownNames {
    KnownNames(apps: policies.clients.value ?? [], accounts: named)
  }

  private func eventParts(_ localizer: Localizer) -> [Part] {
    let (names, opened) = (names, openedEvent)
    return said(localizer)
      + [eventFilter.eventFields(localizer, names.apps), exportAction(localizer)]
      + events.parts(
        localizer, { $0.table($1, names, opened: opened) },
        empty: localizer.empty(.noEvents, eventFilter))
  }

  private func messageParts(_ localizer: Localizer) -> [Part] {
    let opened = openedMessage
    return said(localizer) + [messageFilter.messageFields(localizer), exportAction(localizer)]
      + messages.parts(
        localizer, { $0.table($1, opened: opened) },
        empty: localizer.empty(.noMessages, messageFilter))
  }

  private func productParts(_ localizer: Localizer) -> [Part] {
    let (names, opened) = (names, openedProduct?.id)
    // The product of the result may have left the list.
    let said = isRecordOpen ? nil : transfer.notice
    let listed = named + (accounts.entries ?? [])
    let owner = productFilter.account.map { id in listed.first { $0.id == id }?.name ?? id.text }
    var parts: [Part] = said.map { [.banner(localizer.banner($0))] } ?? []
    parts += localizer.parts(of: productFilter, owner: owner)
    parts += products.parts(
      localizer, { $0.table($1, names, opened: opened) },
      empty: localizer.noProducts(productFilter, searched: searchedProducts))
    if products.entries?.isEmpty == true, !productFilter.text.isEmpty {
      parts.append(.button(localizer.button(.clearSearch, .clearSearch, .secondary)))
    }
    return parts
  }

  private func requestParts(_ localizer: Localizer) -> [Part] {
    let (names, opened) = (names, openedRequest?.id)
    return requests.parts(
      localizer, { $0.table($1, names, opened: opened) },
      empty: (localizer.tell(.noRequests), localizer.say(.noneAdvice)))
  }

  /// Whether the list of the tab was read, is being read, or could not be read.
  private var recordList: (isRead: Bool, isLoading: Bool, problem: Notice?) {
    switch tab {
    case .products: products.reading
    case .requests: requests.reading
    case .events: events.reading
    case .messages: messages.reading
    case .overview, .accounts, .policies: (false, false, nil)
    }
  }

  /// The record beside its list, or why there is none.
  private func recordParts(_ localizer: Localizer) -> [Part] {
    if let openedEvent { return localizer.parts(of: openedEvent, names) }
    if let openedMessage { return localizer.parts(of: openedMessage, names) }
    if let openedProduct {
      return localizer.parts(
        of: openedProduct, names,
        notice: transfer.product == openedProduct.id ? transfer.notice : nil,
        mayTransfer: mayTransfer)
    }
    if let openedRequest { return localizer.parts(of: openedRequest, names) }
    let (isRead, isLoading, problem) = recordList
    guard isRecordOpen, isRead else { return [] }
    if isLoading {
      return [.progress(id: "loading", label: localizer.say(.loadingList))]
    }
    var parts = localizer.unknownPlace(title).parts
    if isRecordNotReached {
      parts[0] = .empty(
        id: "not-reached", symbol: .place, title: localizer.tell(.notReached),
        text: localizer.tell(.notReachedAdvice))
    }
    // The record can be on a page that could not be read.
    if let problem { parts[0] = localizer.unknownList(problem) }
    return parts
  }

  /// What happened to an account or a list.
  private func said(_ localizer: Localizer) -> [Part] {
    notice.map { [.banner(localizer.banner($0))] } ?? []
  }

  private func exportButton(_ localizer: Localizer) -> Button {
    let isBusy = exporting != nil
    return Button(
      id: ButtonName.exportList.rawValue, kind: .secondary,
      label: localizer.label(isBusy ? .exporting : .export), isBusy: isBusy)
  }

  private func exportAction(_ localizer: Localizer) -> Part {
    .actions(id: "list-actions", [exportButton(localizer)])
  }

  private func openedParts(_ localizer: Localizer) -> [Part] {
    if let creation { return creation.parts(localizer, policies.organizations) }
    if let account { return account.parts(localizer, names, policies.organizations) }
    if let wanted {
      guard wanted.request == nil else {
        return [.progress(id: "loading", label: localizer.say(.loadingList))]
      }
      return localizer.unknownPlace(.accounts).parts
    }
    return []
  }
}

extension Localizer {
  /// The reason why a list, or a part of it, could not be read.
  fileprivate func unknownList(_ problem: Notice) -> Part {
    .empty(
      id: "unknown", symbol: .cloud, title: say(.listUnknownTitle), text: notice(problem))
  }

  /// The words for an empty log, or for one without an entry that the filter allows.
  fileprivate func empty(
    _ sentence: ConsoleSentence, _ filter: LogFilter
  ) -> (title: String, text: String) {
    filter.isEmpty
      ? (say(sentence), say(.noneAdvice)) : (label(.none), label(.noneAdvice))
  }
}

extension PagedList {
  /// A toolbar, the table and the button for more entries, or the reason why the list is empty.
  func parts(
    _ localizer: Localizer, _ table: (Localizer, [Entry]) -> Part,
    empty: (title: String, text: String)
  ) -> [Part] {
    guard let entries, let asOf else {
      if let problem {
        return [
          localizer.unknownList(problem), .button(refreshButton(localizer, .primary)),
        ]
      }
      return [.progress(id: "loading", label: localizer.say(.loadingList))]
    }
    let updated = localizer.moment(asOf, .clock)
    var parts: [Part] = [
      .toolbar(
        id: "toolbar", text: Phrase(localizer.say(.jobsAsOf), filling: .moment(updated)),
        button: refreshButton(localizer, .secondary)
      )
    ]
    if entries.isEmpty {
      parts.append(
        .empty(id: "none", symbol: .person, title: empty.title, text: empty.text))
    } else {
      parts.append(table(localizer, entries))
    }
    if hasMore {
      var button = localizer.button(.readMore, .readMore, .secondary)
      button.isBusy = loading != nil && isReadingOn
      parts.append(.button(button))
    }
    return parts
  }

  fileprivate var reading: (isRead: Bool, isLoading: Bool, problem: Notice?) {
    (entries.isPresent, loading.isPresent, problem)
  }

  func statusBar(_ localizer: Localizer) -> StatusBar? {
    guard problem != nil else { return nil }
    guard let asOf else {
      return isOffline ? StatusBar(id: "status", text: Phrase(localizer.say(.offline))) : nil
    }
    let sentence = localizer.say(isOffline ? .offlineListAsOf : .staleListAsOf)
    let moment = localizer.moment(asOf, .clock)
    return StatusBar(id: "status", text: Phrase(sentence, filling: .moment(moment)))
  }

  private func refreshButton(_ localizer: Localizer, _ kind: Button.Kind) -> Button {
    let isBusy = loading != nil && !isReadingOn
    var button = localizer.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }
}
