import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// An owner's products and their warranty cards, with or without a network (O-01, O-02).
///
///     list ⇄ card ⇄ service request
///              ⇄ transfer ⇄ its confirmation
public struct ProductsHome: FormHome, EventHandler {
  public indirect enum View: Equatable, Sendable {
    case list
    case card(String)
    case request(String, ProductForm)
    case transfer(String, ProductForm)
    case confirmation(String, ProductForm)
  }

  public internal(set) var kept = SyncedList<ProductEntry>()
  private var photos = ProductPhotos()
  public private(set) var reachability = ServerReachability()
  public private(set) var view = View.list
  public internal(set) var query = ""
  /// The status of the shown products; `nil` if all are shown.
  public internal(set) var status: WarrantyStatus?
  /// The first visible row.
  public private(set) var firstRow = 0
  /// What happened, shown above the list or the card.
  public private(set) var notice: Notice?
  /// The action that the person tried without a network.
  ///
  /// The screen explains why it needs one.
  public private(set) var explained: ButtonName?
  /// Whether the last refresh that the person requested has failed (O-08).
  public private(set) var isRefreshFailed = false
  /// Whether the person requested the running sync.
  private var isRequested = false

  public init() {}

  public mutating func open(_ context: inout FlowContext) -> [PageEffect] {
    showStatus(context)
    return kept.open(context)
  }

  public func isFor(_ id: RequestID) -> Bool { reachability.isFor(id) }

  public mutating func storeAgain() -> [PageEffect] {
    photos.storeAgain()
    return kept.storeAgain()
  }

  /// Whether the offline copy cannot be read until the server answers.
  public func isSealed(at now: Instant) -> Bool {
    kept.isSealed(at: now, isOffline: reachability.isOffline)
  }

  public mutating func handle(_ event: Event, _ context: inout FlowContext) -> [PageEffect] {
    dispatch(event, &context)
  }

  mutating func bannerDismissed() { notice = nil }

  mutating func handle(_ event: HomeEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .offlineCopy(let event): return kept.handle(event, &context)
    case .networkChanged: return reachability.networkChanged(&context)
    case .itemPressed(let button, let item): return pressed(button, item, &context)
    case .rowsShown(let first): firstRow = first < 0 ? 0 : Int(clamping: first)
    case .placeOpened, .screenStateRead, .requestMade, .tokenAsked: break
    }
    return []
  }

  mutating func handle(_ event: DeviceEvent, _ context: inout FlowContext) -> [PageEffect] {
    switch event {
    case .networkReturned: return reachability.networkChanged(&context)
    case .shown: kept.sync(&context)
    case .hidden, .used, .userActiveInOtherTab: break
    }
    return []
  }

  // MARK: Syncing

  mutating func tick(_ context: inout FlowContext) -> [PageEffect] {
    showStatus(context)
    let probing = reachability.tick(&context)
    if !reachability.isOffline {
      kept.tick(&context)
      fetchPhoto(&context)
    }
    return probing + (kept.asOf == nil ? kept.syncing?.reports(context).inApp() ?? [] : [])
  }

  mutating func answered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if reachability.isFor(id) {
      if reachability.probed(answer, context) { return cameBack(&context) }
      return []
    }
    if kept.isFor(id) {
      let hadCopy = kept.asOf != nil
      let wasOffline = reachability.isOffline
      let isBack = reachability.learn(answer, context)
      var (effects, isWhole) = kept.answered(answer, &context)
      if isWhole {
        // The photos are part of the copy (O-06).
        effects += photos.choose(
          from: kept.isStorable ? kept.list.items(withField: ProductEntry.photoFieldIndex) : [])
        fetchPhoto(&context)
      }
      if isBack { explained = nil }
      let isRequestedRefreshFailed = settleRequestedRefresh(isWhole: isWhole, hadCopy: hadCopy)
      if isWhole, !hadCopy {
        return effects + [.announce(.productsListed(Int64(kept.list.count)))]
      }
      if reachability.isOffline, !wasOffline { return effects + [.announce(.offlineMode)] }
      return effects + (isRequestedRefreshFailed ? [.announce(.refreshFailed)] : [])
    }
    if photos.isFor(id) {
      photos.take(answer)
      fetchPhoto(&context)
      return []
    }
    return formAnswered(id, answer, &context)
  }

  private mutating func fetchPhoto(_ context: inout FlowContext) {
    var opened: ProductEntry?
    if case .card(let id) = view { opened = kept.list.item(id) }
    photos.fetch(opened: opened, &context)
  }

  /// Records the result of a refresh that the person requested.
  ///
  /// Returns true if it has just failed and there is a copy to show.
  private mutating func settleRequestedRefresh(isWhole: Bool, hadCopy: Bool) -> Bool {
    guard kept.syncing == nil else { return false }
    let isFailed = isRequested && hadCopy && !isWhole
    isRequested = false
    isRefreshFailed = !isWhole && (isRefreshFailed || isFailed)
    return isFailed
  }

  private mutating func cameBack(_ context: inout FlowContext) -> [PageEffect] {
    explained = nil
    kept.sync(&context)
    return [.announce(.onlineAgain)]
  }

  // MARK: Buttons

  private mutating func pressed(
    _ button: ButtonName, _ item: String, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch button {
    case .openProduct where kept.list.item(item) != nil && !isSending: show(.card(item), &context)
    case .filterProducts:
      status = Self.filters.first { $0.rawValue == item }
      firstRow = 0
      showStatus(context)
    default: break
    }
    return []
  }

  /// The statuses that the list can be filtered by.
  public static var filters: [WarrantyStatus] { [.expiring, .expired] }

  /// Filters by today, so that a list that stays open is right on the next day too.
  mutating func showStatus(_ context: FlowContext) {
    let today = context.wallClock.calendarDay(of: context.now)
    var named: [NamedFilter] = []
    for status in Self.filters {
      if let filter = status.filter(on: today) {
        named.append(NamedFilter(status.searchedWords(in: context.locale.language), filter))
      }
    }
    kept.show(only: status?.filter(on: today), named: named)
  }

  mutating func pressed(_ button: ButtonName, _ context: inout FlowContext) -> [PageEffect] {
    switch (button, view) {
    case (.refresh, _):
      guard kept.syncing == nil else { return [] }
      kept.sync(&context)
      isRequested = kept.syncing != nil
      return [.announce(.updatingProducts)]
    case (.back, .card):
      show(.list, &context)
      return []
    case (.back, .request(let id, let form)), (.back, .transfer(let id, let form)):
      guard form.sending == nil else { return [] }
      show(.card(id), &context)
      return []
    case (.back, .confirmation(let id, let form)):
      guard form.sending == nil else { return [] }
      show(.transfer(id, form), &context)
      return []
    case (.cancel, .confirmation(let id, let form)):
      guard form.sending == nil else { return [] }
      show(.card(id), &context)
      return []
    case (.raiseRequest, .card(let id)):
      return start(button, &context) { .request(id, ProductForm()) }
    case (.transferOwnership, .card(let id)):
      return start(button, &context) { .transfer(id, ProductForm()) }
    case (.sendRequest, .request(let id, let form)):
      return send(.request(id, form), form, button, &context)
    case (.continueTransfer, .transfer(let id, let form)):
      return check(id, form, &context)
    case (.confirmTransfer, .confirmation(let id, let form)):
      return send(.confirmation(id, form), form, button, &context)
    default: return []
    }
  }

  /// Opens a form, or explains why it cannot be used (O-03).
  private mutating func start(
    _ button: ButtonName, _ context: inout FlowContext, _ view: () -> View
  ) -> [PageEffect] {
    guard !reachability.isOffline else { return explain(button) }
    show(view(), &context)
    return []
  }

  private mutating func explain(_ button: ButtonName) -> [PageEffect] {
    explained = button
    return [.announce(.needsConnection)]
  }

  mutating func show(_ next: View, _ context: inout FlowContext) {
    view = next
    notice = nil
    explained = nil
    fetchPhoto(&context)
    context.moveFocus(to: next == .list ? .heading : .record)
  }

  mutating func edited(
    _ field: FieldName, _ text: Secret, _ context: inout FlowContext
  ) -> [PageEffect] {
    let text = text.revealed
    switch (field, view) {
    case (.search, _):
      query = text
      firstRow = 0
      showStatus(context)
      kept.search(text)
    case (.description, .request(let id, var form)) where form.sending == nil:
      form.edit(text)
      view = .request(id, form)
    case (.receiver, .transfer(let id, var form)) where form.sending == nil:
      form.edit(text)
      view = .transfer(id, form)
    default: break
    }
    return []
  }
}

// MARK: - Forms

/// A form about one product: the typed text, and the result of sending it.
public struct ProductForm: Equatable, Sendable {
  public typealias Mistake = ProductFormMistake

  public private(set) var text = ""
  public var mistake: Mistake?
  public var problem: Notice?
  public var sending: Wait?
  /// The idempotency key, so that the form can be sent again after a lost answer.
  ///
  /// A changed text is a new request and gets another key.
  var key: String?

  mutating func edit(_ text: String) {
    self.text = text
    mistake = nil
    problem = nil
    key = nil
  }
}

extension ProductsHome {
  private mutating func check(
    _ id: String, _ form: ProductForm, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard !reachability.isOffline else { return explain(.continueTransfer) }
    var form = form
    do throws(Malformed) {
      _ = try EmailAddress(parsing: form.text)
      show(.confirmation(id, form), &context)
      return []
    } catch {
      let mistake = TypedText.isBlank(form.text) ? ProductForm.Mistake.noAddress : .addressMalformed
      form.mistake = mistake
      view = .transfer(id, form)
      context.moveFocus(to: .receiver)
      return [.announce(.productFormRefused(mistake))]
    }
  }

  /// Sends a change, but never without a network, even if a program presses a disabled button
  /// (O-07).
  private mutating func send(
    _ from: View, _ form: ProductForm, _ button: ButtonName, _ context: inout FlowContext
  ) -> [PageEffect] {
    guard form.sending == nil else { return [] }
    guard !reachability.isOffline else { return explain(button) }
    var form = form
    form.problem = nil
    let key = form.key ?? context.makeIdempotencyKey()
    form.key = key
    switch from {
    case .request(let id, _):
      do throws(Malformed) { _ = try ServiceDescription(parsing: form.text) } catch {
        let isLong = form.text.utf8.count > ServiceDescription.lengthLimit
        let mistake = isLong ? ProductForm.Mistake.descriptionTooLong : .noDescription
        form.mistake = mistake
        view = .request(id, form)
        context.moveFocus(to: .description)
        return [.announce(.productFormRefused(mistake))]
      }
      let body = ServiceRequestBody {
        $0.productID = id
        $0.description = form.text
      }
      let request = context.ask(.post(.serviceRequests, body.json, idempotencyKey: key))
      form.sending = Wait(request: request, since: context.now)
      view = .request(id, form)
      return [.announce(.sendingRequest)]
    case .confirmation(let id, _):
      let request = context.ask(
        .post(
          .productTransfer(Endpoint.Segment(id)),
          TransferBody { $0.to = form.text }.json, idempotencyKey: key
        ))
      form.sending = Wait(request: request, since: context.now)
      view = .confirmation(id, form)
      return [.announce(.transferring)]
    case .list, .card, .transfer: return []
    }
  }

  private mutating func formAnswered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    switch view {
    case .request(let product, var form) where form.sending?.isFor(id) == true:
      form.sending = nil
      if answer.status == 201 {
        show(.card(product), &context)
        notice = .requestSent
        return [.report(.notice(.requestSent))]
      }
      let effects = fail(answer, &form, &context)
      view = .request(product, form)
      return effects
    case .confirmation(let product, var form) where form.sending?.isFor(id) == true:
      form.sending = nil
      if answer.success != nil {
        show(.list, &context)
        notice = .productTransferred
        kept.sync(&context)
        return [.report(.notice(.productTransferred))]
      }
      if answer.refusal == .alreadyOwner {
        form.mistake = .ownAddress
        view = .transfer(product, form)
        context.moveFocus(to: .receiver)
        return [.announce(.productFormRefused(.ownAddress))]
      }
      let effects = fail(answer, &form, &context)
      view = .confirmation(product, form)
      return effects
    case .list, .card, .request, .transfer, .confirmation: return []
    }
  }

  private mutating func fail(
    _ answer: Answer, _ form: inout ProductForm, _ context: inout FlowContext
  ) -> [PageEffect] {
    _ = reachability.learn(answer, context)
    let problem = answer.refusal == .productNotFound ? .productGone : answer.notice(at: context.now)
    form.problem = problem
    return [.report(.notice(problem))]
  }
}
