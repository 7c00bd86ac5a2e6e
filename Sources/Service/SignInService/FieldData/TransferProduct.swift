public import SignInModel
public import SignInWire

private typealias TransferRecords =
  AccountRecords & ChangeRecords & DataRecord.Records & EventRecords & ProductFeedRecords
  & VersionRecords

/// Transfers a product to the account that has proved this e-mail address, at once (O-03).
///
/// The answer, and the owner's later view, is the same with and without such an account. Without
/// one, the product waits until an account proves the address. So a transfer does not
/// reveal who has an account (T-03). An administrator sees the waiting products and can transfer
/// them again.
///
/// An owner names the product by its id in the app, and in a session that is limited to an
/// organization transfers the products of it only. An administrator of single organizations
/// transfers products of accounts in them, to accounts in them.
public func transferProduct(
  _ name: RecordName, to address: EmailAddress, giver: TransferSender, once: IdempotencyKey?,
  in world: World
) async throws(Refusal) -> TransferEntry {
  let now = world.clock.now()
  return try await world.decideIdempotently(
    once, about: [.product(ProductID(name.id)), .email(address), giver.subject],
    form: RememberedForm(json: { $0.json }, read: { TransferEntry(json: $0) }),
    permit: { try giver.permit(to: address, $0) }
  ) { (transaction: any TransferRecords) throws in
    let product = try giver.product(name, to: address, transaction)
    let found = try transaction.account(email: address)
    let receiver = found.flatMap { $0.receivesWaitingProducts ? $0.id : nil }
    // An owner who has not proved the own address must not lose the product.
    if let owner = product.owner, owner == found?.id {
      throw Refusal.alreadyOwner
    }
    try transaction.move(product, to: receiver.map { .owner($0) } ?? .awaiting(address), at: now)
    if let owner = giver.owner {
      try transaction.append(
        DataChange(
          at: now, kind: .product, key: product.key, act: .transferred, account: owner,
          version: try transaction.product(product.id)?.version
        ))
    }
    let concerned = product.owner ?? giver.owner
    try transaction.record(
      .productTransferred, about: concerned, detail: product.id.text, by: giver.caller, at: now
    )
    return TransferEntry(product: ProductID(name.text), to: address, transferredAt: now)
  }
}

/// The sender of a transfer.
public enum TransferSender: Sendable {
  /// `within` is the organization to which the session is limited; nil if it is not.
  case owner(AccountID, Caller, within: OrganizationID? = nil)
  case administrator(AccountEditingRules)

  /// The person with this session.
  public init(owner access: Access, peer: String?, in world: World) {
    self = .owner(
      access.account.id, access.caller(peer: peer),
      within: world.limit(of: access.session, access.account))
  }

  fileprivate var owner: AccountID? {
    switch self {
    case .owner(let account, _, _): account
    case .administrator: nil
    }
  }

  fileprivate var caller: Caller {
    switch self {
    case .owner(_, let caller, _): caller
    case .administrator(let rules): rules.caller
    }
  }

  fileprivate var subject: Subject {
    switch self {
    case .owner(let account, _, _): .account(account)
    case .administrator(let rules): rules.subject
    }
  }

  /// Refuses a sender who may transfer nothing to this address.
  fileprivate func permit(to address: EmailAddress, _ transaction: any AccountRecords) throws {
    switch self {
    case .owner(let id, _, _):
      guard try transaction.account(id)?.status == .active else { throw Refusal.noSuchProduct }
    case .administrator(let rules):
      let permission = try rules.permission(transaction)
      if permission.hasEverywhere(.administrator) { return }
      guard let receiver = try transaction.account(email: address), permission.sees(receiver) else {
        throw Refusal.noSuchAccount
      }
      try permission.check(changing: receiver, needing: .administrator)
    }
  }

  /// The product that the request names, if this sender may give it to this address.
  fileprivate func product(
    _ name: RecordName, to address: EmailAddress,
    _ transaction: any AccountRecords & DataRecord.Records
  ) throws -> Product {
    switch self {
    case .owner(let account, _, let limit):
      guard
        let product = try transaction.product(shownAs: ProductID(name.text), to: account),
        product.isShown(within: limit)
      else { throw Refusal.noSuchProduct }
      return product
    case .administrator(let rules):
      let permission = try rules.permission(transaction)
      let principal = DataPrincipal(client: nil, permission: permission, level: .viewer)
      let found = try transaction.records(.products, name, of: principal, orShared: true)
      if found.count > 1 { throw Refusal.severalRecords }
      guard case .product(let product)? = found.first else { throw Refusal.noSuchProduct }
      try check(giving: product, to: address, permission, transaction)
      return product
    }
  }

  private func check(
    giving product: Product, to address: EmailAddress, _ permission: Permission,
    _ transaction: any AccountRecords
  ) throws {
    if permission.hasEverywhere(.administrator) { return }
    guard
      let owner = try product.owner.flatMap({ (id) throws(StoreFault) in
        try transaction.account(id)
      }), permission.sees(owner)
    else {
      throw permission.hasEverywhere(.viewer) ? Refusal.permissionDenied : .noSuchProduct
    }
    try permission.check(changing: owner, needing: .administrator)
    guard let receiver = try transaction.account(email: address), permission.sees(receiver) else {
      throw Refusal.noSuchAccount
    }
    try permission.check(changing: receiver, needing: .administrator)
    // A waiting product would belong to no organization, so this administrator would lose it.
    guard receiver.proof(of: .email(address)) != nil else { throw Refusal.addressNotProved }
  }
}

extension ProductRecords where Self: ProductFeedRecords & VersionRecords {
  /// Removes a product from its owner's feed and adds it to that of the next owner.
  func move(
    _ product: Product, to holder: Product.Holder, at now: Instant
  ) throws(StoreFault) {
    try leave(product, at: now)
    var moved = product
    moved.holder = holder
    moved.shownID = nil
    moved.version = try nextVersion(in: product.organization)
    try put(moved)
  }
}

extension ProductRecords where Self: ProductFeedRecords {
  /// Adds a removal to the owner's feed, so that the owner's apps remove the product.
  ///
  /// It does nothing without an owner.
  func leave(_ product: Product, at now: Instant) throws(StoreFault) {
    guard let owner = product.owner else { return }
    var feed = try productFeed(of: owner)
    try save(
      ProductRemoval(
        owner: owner, product: product.ownersEntry.id, key: product.key, position: feed.next(),
        removedAt: now)
    )
    try save(feed)
  }

  /// Saves a new or changed product as the newest change of its owner's feed.
  func put(_ product: Product) throws(StoreFault) {
    var product = product
    if let owner = product.owner {
      var feed = try productFeed(of: owner)
      product.position = feed.next()
      try save(feed)
      try showApart(&product)
    }
    try save(product)
  }
}

extension ProductRecords {
  /// Gives the product an id in its owner's app that none of the owner's other products has.
  ///
  /// It stays the same as long as the owner has the product.
  func showApart(_ product: inout Product) throws(StoreFault) {
    guard let owner = product.owner else { return }
    let wanted = product.shownID ?? product.entry.id
    let other = try self.product(shownAs: wanted, to: owner)
    let isFree = other == nil || other?.id == product.id
    product.shownID = isFree ? wanted : ProductID(product.key.fullText)
  }
}
