import SignInFlow
import SignInModel
import SignInWire

extension ProductsHome {
  func view(_ speaker: Speaker) -> HomeView {
    var shown: HomeView
    switch view {
    case .list: shown = list(speaker)
    case .card(let id): shown = card(id, speaker)
    case .request(let id, let form): shown = request(id, form, speaker)
    case .transfer(let id, let form): shown = transfer(id, form, speaker)
    case .confirmation(let id, let form): shown = confirmation(id, form, speaker)
    }
    shown.statusBar = statusBar(speaker)
    return shown
  }

  /// Stays for as long as there is no connection (O-01), on every screen alike.
  private func statusBar(_ speaker: Speaker) -> StatusBar? {
    let now = speaker.now
    guard let asOf = kept.asOf, !isSealed(at: now) else {
      return reach.isOffline ? bar(Phrase(speaker.say(.offlineMode))) : nil
    }
    let moment = Phrase.Piece.moment(speaker.moment(asOf, .dateAndTime))
    if reach.isOffline { return bar(Phrase(speaker.say(.offlineModeAsOf), filling: moment)) }
    // A sync that fails for another reason leaves the copy as it is, without a word (O-08).
    return nil
  }

  private func bar(_ text: Phrase) -> StatusBar { StatusBar(id: "status", text: text) }

  // MARK: List

  private func list(_ speaker: Speaker) -> HomeView {
    var parts: [Part] = []
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    if kept.isUnkept { parts.append(.banner(speaker.lasting(.shelfNotKept))) }
    return HomeView(id: "products", place: .myProducts, parts: parts + listParts(speaker))
  }

  private func listParts(_ speaker: Speaker) -> [Part] {
    guard let asOf = kept.asOf else { return nothingYet(speaker) }
    if isSealed(at: speaker.now) { return speaker.sealed(refresh(speaker, .primary)) }
    let toolbar = speaker.toolbar(
      asOf, isRefreshFailed: isRefreshFailed, refresh(speaker, .secondary))
    guard kept.shelf.count > 0 else {
      return [
        toolbar,
        .empty(
          id: "none", symbol: .parcel, title: speaker.say(.noProductsTitle),
          text: speaker.say(.noProductsAdvice)
        ),
      ]
    }
    return [
      toolbar, .field(searchField(speaker)),
      .note(
        id: "found", text: speaker.products(found: kept.shelf.shownCount, of: kept.shelf.count)),
      rows(speaker),
    ]
  }

  /// Nothing was ever synced: the person is told what to do, not shown an empty list (O-04).
  private func nothingYet(_ speaker: Speaker) -> [Part] {
    if reach.isOffline {
      return [
        .empty(
          id: "unsynced", symbol: .cloud, title: speaker.say(.firstSyncTitle),
          text: speaker.say(.firstSyncAdvice)
        ), .button(refresh(speaker, .primary)),
      ]
    }
    if let problem = kept.problem, kept.syncing == nil {
      return [
        .empty(
          id: "unknown", symbol: .cloud, title: speaker.say(.productsUnknownTitle),
          text: speaker.notice(problem)
        ), .button(refresh(speaker, .primary)),
      ]
    }
    let note = kept.syncing.map { speaker.patience($0, veryLong: .takingLong) } ?? ""
    return [
      .progress(id: "loading", label: speaker.say(.loadingProducts)),
      .note(id: "note", text: note),
    ]
  }

  private func refresh(_ speaker: Speaker, _ kind: Button.Kind) -> Button {
    let isBusy = kept.syncing != nil
    var button = speaker.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }

  private func searchField(_ speaker: Speaker) -> Field {
    Field(
      id: FieldName.search.rawValue, kind: .search, label: speaker.say(.searchProducts),
      value: query, autofill: "off"
    )
  }

  private func rows(_ speaker: Speaker) -> Part {
    let (first, items) = kept.shelf.window(at: firstRow)
    let today = CalendarDay(speaker.now)
    return .window(
      id: "rows", label: speaker.say(.myProducts), total: Int64(kept.shelf.shownCount),
      first: Int64(first), rows: items.map { speaker.row($0, on: today) }
    )
  }
}

// MARK: - Card

extension ProductsHome {
  private func product(_ id: String, _ speaker: Speaker) -> ProductEntry? {
    isSealed(at: speaker.now) ? nil : kept.shelf.item(id)
  }

  private func card(_ id: String, _ speaker: Speaker) -> HomeView {
    var parts = [Part.button(speaker.backButton(.backToProducts))]
    if let notice { parts.append(.banner(speaker.banner(notice))) }
    if let product = product(id, speaker) {
      parts.append(speaker.card(product, on: CalendarDay(speaker.now)))
      parts.append(.button(action(.raiseRequest, .raiseRequest, .primary, speaker)))
      parts.append(.button(action(.transferOwnership, .transferOwnership, .secondary, speaker)))
    } else {
      parts.append(speaker.gone)
    }
    return HomeView(id: "card", place: .warrantyCard, back: .back, parts: parts)
  }

  /// Disabled while offline, and says so when it is pressed all the same (O-03).
  private func action(
    _ name: ButtonName, _ label: Sentence, _ kind: Button.Kind, _ speaker: Speaker
  ) -> Button {
    var button = speaker.button(name, label, kind)
    button.isEnabled = !reach.isOffline
    button.explainsItself = reach.isOffline
    if reach.isOffline, explained == name { button.reason = speaker.say(.needsConnection) }
    return button
  }

  // MARK: Forms

  private func request(_ id: String, _ form: ProductForm, _ speaker: Speaker) -> HomeView {
    guard let product = product(id, speaker) else { return card(id, speaker) }
    let isSending = form.sending != nil
    var parts = [
      Part.button(speaker.backButton(.back)), speaker.about(product),
      .field(
        Field(
          id: FieldName.description.rawValue, kind: .lines, label: speaker.say(.whatIsWrong),
          value: form.text, help: speaker.say(.requestAdvice),
          error: form.mistake.map { speaker.mistake($0) }, isEnabled: !isSending, autofill: "off"
        )),
    ]
    if let problem = form.problem { parts.append(.banner(speaker.lasting(problem))) }
    var send = action(.sendRequest, isSending ? .sendingRequest : .sendRequest, .primary, speaker)
    send.isBusy = isSending
    parts.append(.button(send))
    return HomeView(id: "request", place: .raiseRequest, back: .back, parts: parts)
  }

  private func transfer(_ id: String, _ form: ProductForm, _ speaker: Speaker) -> HomeView {
    guard let product = product(id, speaker) else { return card(id, speaker) }
    let parts = [
      Part.button(speaker.backButton(.back)), speaker.about(product),
      .field(
        Field(
          id: FieldName.receiver.rawValue, kind: .email, label: speaker.say(.receiver),
          value: form.text, placeholder: speaker.say(.emailPlaceholder),
          help: speaker.say(.receiverAdvice), error: form.mistake.map { speaker.mistake($0) },
          autofill: "off"
        )),
      .button(action(.continueTransfer, .continueTransfer, .primary, speaker)),
    ]
    return HomeView(id: "transfer", place: .transferOwnership, back: .back, parts: parts)
  }

  private func confirmation(_ id: String, _ form: ProductForm, _ speaker: Speaker) -> HomeView {
    guard let product = product(id, speaker) else { return card(id, speaker) }
    let isSending = form.sending != nil
    var parts = [
      Part.button(speaker.backButton(.back)), speaker.about(product),
      .fact(
        id: "confirmation", symbol: .person,
        text: Phrase(speaker.say(.transferQuestion), filling: .unbroken(form.text))
      ),
      .text(id: "warning", text: Phrase(speaker.say(.transferWarning)), tone: .body),
    ]
    if let problem = form.problem { parts.append(.banner(speaker.lasting(problem))) }
    var confirm = action(
      .confirmTransfer, isSending ? .transferring : .confirmTransfer, .dangerous, speaker
    )
    confirm.isBusy = isSending
    parts.append(.button(confirm))
    return HomeView(id: "confirmation", place: .transferOwnership, back: .back, parts: parts)
  }
}
