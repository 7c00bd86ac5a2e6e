public import SignInEngine
public import SignInFlow
import SignInModel
import SignInWire

extension ProductsHome: HomeScreen {
  public static var app: AppName { .product }

  public func view(_ localizer: Localizer) -> HomeView {
    var shown: HomeView
    switch view {
    case .list: shown = list(localizer)
    case .card(let id): shown = beside(id, card(id, localizer), localizer)
    case .request(let id, let form): shown = beside(id, request(id, form, localizer), localizer)
    case .transfer(let id, let form): shown = beside(id, transfer(id, form, localizer), localizer)
    case .confirmation(let id, let form):
      shown = beside(id, confirmation(id, form, localizer), localizer)
    }
    shown.statusBar = statusBar(localizer)
    return shown
  }

  /// The page of a product, beside the list.
  private func beside(_ id: String, _ page: HomeView, _ localizer: Localizer) -> HomeView {
    guard kept.asOf != nil, !isSealed(at: localizer.now) else { return page }
    var shown = page
    let list = notStoredBanner(localizer) + listParts(localizer)
    shown.parts = [.beside(list, page.parts, chosen: id)]
    return shown
  }

  /// Every screen shows the bar as long as there is no connection (O-01).
  private func statusBar(_ localizer: Localizer) -> StatusBar? {
    let now = localizer.now
    guard let asOf = kept.asOf, !isSealed(at: now) else {
      return reachability.isOffline ? bar(Phrase(localizer.say(.offlineMode))) : nil
    }
    let moment = Phrase.Piece.moment(localizer.moment(asOf, .dateAndTime))
    if reachability.isOffline {
      return bar(Phrase(localizer.say(.offlineModeAsOf), filling: moment))
    }
    // If a sync fails for another reason, the copy is shown without a message (O-08).
    return nil
  }

  private func bar(_ text: Phrase) -> StatusBar { StatusBar(id: "status", text: text) }

  // MARK: List

  private func list(_ localizer: Localizer) -> HomeView {
    let parts = notStoredBanner(localizer) + listParts(localizer)
    var view = HomeView(id: "products", place: .myProducts, parts: parts)
    if kept.asOf != nil { view = view.choosing(.chooseProduct, localizer) }
    if let notice { view.parts.insert(.banner(localizer.banner(notice)), at: 0) }
    return view
  }

  /// Says that the copy is not stored on the device.
  private func notStoredBanner(_ localizer: Localizer) -> [Part] {
    kept.isMemoryOnly ? [.banner(localizer.lasting(.copyNotStored, id: "not-stored"))] : []
  }

  private func listParts(_ localizer: Localizer) -> [Part] {
    guard let asOf = kept.asOf else { return nothingYet(localizer) }
    if isSealed(at: localizer.now) { return localizer.sealed(refresh(localizer, .primary)) }
    let toolbar = localizer.toolbar(
      asOf, isRefreshFailed: isRefreshFailed, refresh(localizer, .secondary))
    guard kept.list.count > 0 else {
      return [
        toolbar,
        .empty(
          id: "none", symbol: .parcel, title: localizer.say(.noProductsTitle),
          text: localizer.say(.noProductsAdvice)
        ),
      ]
    }
    return [
      toolbar, .field(searchField(localizer)), filters(localizer),
      .note(
        id: "found",
        text: localizer.products(
          found: kept.list.shownCount, of: kept.list.count, isSearched: !query.isEmpty)),
      rows(localizer),
    ]
  }

  /// If there was never a sync, the screen says what to do instead of an empty list (O-04).
  private func nothingYet(_ localizer: Localizer) -> [Part] {
    if reachability.isOffline {
      return [
        .empty(
          id: "unsynced", symbol: .cloud, title: localizer.say(.firstSyncTitle),
          text: localizer.say(.firstSyncAdvice)
        ), .button(refresh(localizer, .primary)),
      ]
    }
    if let problem = kept.problem, kept.syncing == nil {
      return [
        .empty(
          id: "unknown", symbol: .cloud, title: localizer.say(.productsUnknownTitle),
          text: localizer.notice(problem)
        ), .button(refresh(localizer, .primary)),
      ]
    }
    let note = kept.syncing.map { localizer.patience($0, veryLong: .takingLong) } ?? ""
    return [
      .progress(id: "loading", label: localizer.say(.loadingProducts)),
      .note(id: "note", text: note),
    ]
  }

  private func refresh(_ localizer: Localizer, _ kind: Button.Kind) -> Button {
    let isBusy = kept.syncing != nil
    var button = localizer.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }

  private func filters(_ localizer: Localizer) -> Part {
    func choice(_ status: WarrantyStatus?, _ label: String) -> TabChoice {
      TabChoice(
        item: status?.rawValue ?? "all", label: label,
        button: ButtonName.filterProducts.rawValue, isCurrent: status == self.status)
    }
    let choices = Self.filters.map { choice($0, localizer.badge($0).text) }
    return .tabs(
      id: "filters", label: localizer.say(.warrantyFilter),
      [choice(nil, localizer.say(.allProducts))] + choices)
  }

  private func searchField(_ localizer: Localizer) -> Field {
    Field(
      id: FieldName.search.rawValue, kind: .search, label: localizer.say(.searchProducts),
      value: query, autofill: "off"
    )
  }

  private func rows(_ localizer: Localizer) -> Part {
    let (first, items) = kept.list.window(at: firstRow)
    let today = localizer.today
    return .window(
      id: "rows", label: localizer.say(.myProducts), total: Int64(kept.list.shownCount),
      first: Int64(first), rows: items.map { localizer.row($0, on: today) }
    )
  }
}

// MARK: - Card

extension ProductsHome {
  private func product(_ id: String, _ localizer: Localizer) -> ProductEntry? {
    isSealed(at: localizer.now) ? nil : kept.list.item(id)
  }

  private func card(_ id: String, _ localizer: Localizer) -> HomeView {
    var parts = [Part.button(localizer.backButton(.backToProducts))]
    if kept.asOf == nil || isSealed(at: localizer.now) {
      return HomeView(
        id: "card", place: .warrantyCard, back: .back, parts: parts + listParts(localizer))
    }
    if let notice { parts.append(.banner(localizer.banner(notice))) }
    if let product = product(id, localizer) {
      if let photo = product.photo {
        parts.append(.photo(id: "photo", digest: photo.digest))
      }
      parts.append(localizer.card(product, on: localizer.today))
      parts.append(.button(action(.raiseRequest, .raiseRequest, .primary, localizer)))
      parts.append(.button(action(.transferOwnership, .transferOwnership, .secondary, localizer)))
    } else {
      parts.append(localizer.gone)
    }
    let name = product(id, localizer)?.name
    return HomeView(id: "card", place: .warrantyCard, subject: name, back: .back, parts: parts)
  }

  /// The button is disabled while offline.
  ///
  /// A press then shows the reason (O-03).
  private func action(
    _ name: ButtonName, _ label: Sentence, _ kind: Button.Kind, _ localizer: Localizer
  ) -> Button {
    var button = localizer.button(name, label, kind)
    button.isEnabled = !reachability.isOffline
    button.explainsItself = reachability.isOffline
    if reachability.isOffline, explained == name { button.reason = localizer.say(.needsConnection) }
    return button
  }

  // MARK: Forms

  private func request(_ id: String, _ form: ProductForm, _ localizer: Localizer) -> HomeView {
    guard let product = product(id, localizer) else { return card(id, localizer) }
    let isSending = form.sending != nil
    var parts = [
      Part.button(localizer.backButton(.back)), localizer.about(product),
      .field(
        Field(
          id: FieldName.description.rawValue, kind: .lines, label: localizer.say(.whatIsWrong),
          value: form.text, help: localizer.say(.requestAdvice),
          error: form.mistake.map { localizer.mistake($0) }, isEnabled: !isSending, autofill: "off"
        )),
    ]
    if let problem = form.problem { parts.append(.banner(localizer.lasting(problem))) }
    var send = action(.sendRequest, isSending ? .sendingRequest : .sendRequest, .primary, localizer)
    send.isBusy = isSending
    parts.append(.button(send))
    return HomeView(id: "request", place: .raiseRequest, back: .back, parts: parts)
  }

  private func transfer(_ id: String, _ form: ProductForm, _ localizer: Localizer) -> HomeView {
    guard let product = product(id, localizer) else { return card(id, localizer) }
    let parts = [
      Part.button(localizer.backButton(.back)), localizer.about(product),
      .field(
        Field(
          id: FieldName.receiver.rawValue, kind: .email, label: localizer.say(.receiver),
          value: form.text, placeholder: localizer.say(.emailPlaceholder),
          help: localizer.say(.receiverAdvice), error: form.mistake.map { localizer.mistake($0) },
          autofill: "off"
        )),
      .button(action(.continueTransfer, .continueTransfer, .primary, localizer)),
    ]
    return HomeView(id: "transfer", place: .transferOwnership, back: .back, parts: parts)
  }

  private func confirmation(_ id: String, _ form: ProductForm, _ localizer: Localizer) -> HomeView {
    guard let product = product(id, localizer) else { return card(id, localizer) }
    let isSending = form.sending != nil
    var parts = [
      Part.button(localizer.backButton(.back)), localizer.about(product),
      .fact(
        id: "confirmation", symbol: .person,
        text: Phrase(localizer.say(.transferQuestion), filling: .unbroken(form.text))
      ),
      .text(id: "warning", text: Phrase(localizer.say(.transferWarning)), tone: .body),
    ]
    if let problem = form.problem { parts.append(.banner(localizer.lasting(problem))) }
    var confirm = action(
      .confirmTransfer, isSending ? .transferring : .confirmTransfer, .dangerous, localizer
    )
    confirm.isBusy = isSending
    var cancel = localizer.button(.cancel, .cancel, .quiet)
    cancel.isEnabled = !isSending
    parts += [.button(confirm), .button(cancel)]
    return HomeView(id: "confirmation", place: .transferOwnership, back: .back, parts: parts)
  }
}
