import JSONText
public import SignInEngine
public import SignInModel
import SignInWire

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

  /// The product of the last question.
  public private(set) var product: ProductID?
  /// The typed e-mail address.
  public private(set) var receiver = ""
  /// The result of the last transfer.
  public private(set) var notice: ConsoleNotice?
  private var stage = Stage.closed
  /// The idempotency key, so that the transfer can be sent again after a lost answer.
  ///
  /// Another address is a new request and gets another key.
  private var key: String?
  /// The request for the new owner of the product.
  private var reading: RequestID?

  /// Whether the question is shown.
  public var isOpen: Bool { stage != .closed }
  public var waiting: Wait? { if case .sending(let wait) = stage { wait } else { nil } }
  /// Why the typed address was refused.
  public var fault: TransferFault? { if case .asking(let fault) = stage { fault } else { nil } }

  func isFor(_ id: RequestID) -> Bool { reading == id || (waiting?.isFor(id) ?? false) }

  mutating func ask(_ product: ProductID, _ context: inout FlowContext) {
    guard stage == .closed else { return }
    if self.product != product { forget() }
    self.product = product
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
      .adminProductTransfer(Endpoint.Segment(product.text)),
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
      reading = product.map {
        context.ask(.get(.adminRecord(.products, Endpoint.Segment($0.text))))
      }
    }
    notice = said
    context.moveFocus(to: .record)
    return [.announce(.console(.notice(said)))]
  }

  /// Returns the new holder of the product; `nil` if it could not be read.
  mutating func read(_ answer: Answer) -> HeldProductEntry.Holder? {
    reading = nil
    return answer.success.flatMap { HeldProductEntry.Holder(json: $0) }
  }
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
    transfer.ask(openedProduct.id, &context)
  }

  mutating func listedProducts(_ answer: Answer, _ context: inout FlowContext) -> [PageEffect] {
    let effects = products.answered(answer, .products, { HeldProductEntry(json: $0) }, context)
    guard answer.success != nil else { return effects }
    askOwners(&context)
    findRecord(in: .products, &context)
    return effects
  }

  private mutating func askOwners(_ context: inout FlowContext) {
    askNames(products.entries?.map { $0.owner } ?? [], &context)
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
  ///
  /// If the new owner cannot be read, the list is read again.
  mutating func transferAnswered(
    _ id: RequestID, _ answer: Answer, _ context: inout FlowContext
  ) -> [PageEffect] {
    if transfer.waiting?.isFor(id) == true { return transfer.sent(answer, &context) }
    guard let holder = transfer.read(answer), var entries = products.entries,
      let index = entries.firstIndex(where: { $0.id == transfer.product })
    else {
      products.load([], &context)
      return []
    }
    entries[index].holder = holder
    products.change(entries)
    askOwners(&context)
    return []
  }
}
