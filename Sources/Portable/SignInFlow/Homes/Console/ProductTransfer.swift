import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// The transfer of any person's product to an e-mail address, at the decision of an administrator.
///
///     closed ──asked──▶ asking ──confirmed──▶ sending ──answer──▶ closed, with the result
///        ▲              │    ▲                     │
///        └──cancelled───┘    └───address refused───┘
public struct ProductTransfer: Equatable, Sendable {
  private enum Stage: Equatable, Sendable {
    case closed
    case asking(TransferFault?)
    case sending(Wait)
  }

  /// A running request for the new owner of a product.
  private struct Reading: Equatable, Sendable {
    let request: RequestID
    let product: ProductID
  }

  /// The product of the last question.
  private var held: HeldProductEntry?
  /// The typed e-mail address.
  public private(set) var receiver = ""
  /// The result of the last transfer.
  public private(set) var notice: ConsoleNotice?
  private var stage = Stage.closed
  /// The idempotency key, so that the transfer can be sent again after a lost answer.
  ///
  /// Another address is a new request and gets another key.
  private var key: String?
  private var readings: [Reading] = []

  public var entry: ProductEntry? { held?.entry }

  /// The id, with the organization in front if there is one.
  public var product: ProductID? { held?.id }

  /// Whether the question is shown.
  public var isOpen: Bool { stage != .closed }
  public var waiting: Wait? { if case .sending(let wait) = stage { wait } else { nil } }
  /// Why the typed address was refused.
  public var fault: TransferFault? { if case .asking(let fault) = stage { fault } else { nil } }

  func isFor(_ id: RequestID) -> Bool {
    readings.contains { $0.request == id } || (waiting?.isFor(id) ?? false)
  }

  mutating func ask(_ held: HeldProductEntry, _ context: inout FlowContext) {
    guard stage == .closed else { return }
    if product != held.id { forget() }
    self.held = held
    notice = nil
    stage = .asking(nil)
    context.moveFocus(to: .question)
  }

  mutating func type(_ text: String) {
    guard case .asking = stage else { return }
    receiver = text
    key = nil
    stage = .asking(nil)
  }

  mutating func cancel(_ context: inout FlowContext) {
    guard case .asking = stage else { return }
    stage = .closed
    forget()
    context.moveFocus(to: .record)
  }

  private mutating func forget() { (receiver, key) = ("", nil) }

  mutating func dismiss() { notice = nil }

  mutating func confirm(_ context: inout FlowContext) -> [PageEffect] {
    guard case .asking = stage, let product else { return [] }
    do throws(Malformed) { _ = try EmailAddress(parsing: receiver) } catch {
      return refuse(TypedText.isBlank(receiver) ? .addressNeeded : .addressMalformed, &context)
    }
    let key = self.key ?? context.makeIdempotencyKey()
    self.key = key
    let request = APIRequest.post(
      .adminProductTransfer(HeldProductEntry.segment(of: product)),
      TransferBody { $0.to = receiver }.json, idempotencyKey: key)
    stage = .sending(Wait(request: context.ask(request), since: context.now))
    return [.announce(.transferring)]
  }

  private mutating func refuse(
    _ fault: TransferFault, _ context: inout FlowContext
  ) -> [PageEffect] {
    stage = .asking(fault)
    context.moveFocus(to: .receiver)
    return [.announce(.console(.transferRefused(fault)))]
  }

  /// Handles the answer to the transfer.
  ///
  /// The address and its key stay if the transfer failed, so that it can be sent again.
  mutating func sent(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    switch answer.refusal {
    case .alreadyOwner: return refuse(.alreadyOwner, &context)
    case .accountNotFound: return refuse(.accountUnknown, &context)
    default: break
    }
    stage = .closed
    var said = ConsoleNotice.productTransferred
    if answer.success == nil {
      said = ConsoleNotice(answer, at: context.now)
    } else {
      forget()
      if let product {
        let request = APIRequest.get(.adminRecord(.products, HeldProductEntry.segment(of: product)))
        readings.append(Reading(request: context.ask(request), product: product))
      }
    }
    notice = said
    context.moveFocus(to: .record)
    return [.announce(.console(.notice(said)))]
  }

  /// Returns the product whose new owner was asked for with the request.
  mutating func read(_ id: RequestID) -> ProductID? {
    guard let index = readings.firstIndex(where: { $0.request == id }) else { return nil }
    return readings.remove(at: index).product
  }

  /// Shows the result above the list, because the product is no longer shown.
  mutating func keep(_ notice: ConsoleNotice?) { self.notice = notice }
}

extension ConsoleHome {
  /// Whether the administrator may transfer the opened product.
  ///
  /// Without a global permission this needs the permission to change the account of the owner.
  public var mayTransfer: Bool {
    guard let own, let openedProduct else { return false }
    if own.has(.administrator, in: nil) { return true }
    guard case .owner(let id) = openedProduct.holder,
      let owner = named.first(where: { $0.id == id })
    else { return false }
    return own.mayChange(owner, needing: .administrator)
  }

  mutating func askToTransfer(_ context: inout FlowContext) {
    guard mayTransfer, !isBusy, let openedProduct else { return }
    transfer.ask(openedProduct, &context)
  }

  mutating func listedProducts(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    let wasShown = products.entries != nil
    let effects = products.answered(answer, .products, { HeldProductEntry(json: $0) }, context)
    guard answer.success != nil else { return effects }
    askOwners(&context)
    findRecord(in: .products, &context)
    // While pages are read to find a record, the list is not complete.
    guard wasShown, tab == .products, products.loading == nil else { return effects }
    return effects + [.announce(.console(.productsListed(Int64(products.entries?.count ?? 0))))]
  }

  private mutating func askOwners(_ context: inout FlowContext) {
    askNames([productFilter.account] + (products.entries?.map { $0.owner } ?? []), &context)
  }

  mutating func listedRequests(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    let effects = requests.answered(
      answer, .serviceRequests, { ServiceRequestEntry(json: $0) }, context)
    guard answer.success != nil else { return effects }
    askNames(requests.entries?.map { $0.account } ?? [], &context)
    findRecord(in: .requests, &context)
    return effects
  }

  /// Handles the answer to the transfer, or the new owner after it.
  mutating func transferAnswered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if transfer.waiting?.isFor(id) == true {
      let effects = transfer.sent(answer, &context)
      // A running request for the list can have been answered before the transfer.
      if answer.success != nil, products.loading.isPresent, !products.isReadingOn {
        loadProducts(&context)
      }
      return effects
    }
    guard let product = transfer.read(id) else { return [] }
    adopt(answer, of: product, &context)
    return []
  }

  /// Shows the new owner of the product.
  ///
  /// The product leaves a list of the products of the former owner, and the list of an
  /// administrator who no longer sees it. If the owner cannot be read for another reason, the list
  /// is read again.
  private mutating func adopt(
    _ answer: Answer, of product: ProductID, _ context: inout FlowContext
  ) {
    guard var entries = products.entries,
      let index = entries.firstIndex(where: { $0.id == product })
    else { return }
    if let body = answer.success, let holder = HeldProductEntry.Holder(json: body) {
      entries[index].holder = holder
      products.change(entries)
      askOwners(&context)
      if let owner = productFilter.account, holder != .owner(owner) { leave(product, &context) }
    } else if answer.refusal == .productNotFound {
      leave(product, &context)
    } else {
      loadProducts(&context)
    }
  }

  /// Takes a transferred product out of the list, and shows the result above it.
  private mutating func leave(_ product: ProductID, _ context: inout FlowContext) {
    products.change(products.entries?.filter { $0.id != product } ?? [])
    guard opened?.hasSameBytes(as: product.text) == true, tab == .products else { return }
    let said = transfer.notice
    opened = nil
    transfer.keep(said)
    context.moveFocus(to: .heading)
  }
}
