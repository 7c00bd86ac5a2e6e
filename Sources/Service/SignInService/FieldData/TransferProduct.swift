public import SignInModel
public import SignInWire

private typealias TransferRecords =
  AccountRecords & ChangeRecords & EventRecords & ProductFeedRecords & ProductRecords
  & VersionRecords

/// Transfers a product to the account that has proved this e-mail address, at once (O-03).
///
/// The answer, and the owner's later view, is the same with and without such an account. Without
/// one, the product waits until an account proves the address. So a transfer does not reveal who has an account (T-03).
/// An administrator sees the waiting products and can transfer them again.
///
/// An owner transfers their own products. An administrator of single organizations transfers
/// products of accounts in them, to accounts in them.
public func transferProduct(
  _ id: ProductID, to address: EmailAddress, giver: TransferSender, once: IdempotencyKey?,
  in world: World
) async throws(Refusal) -> TransferEntry {
  let now = world.clock.now()
  return try await world.decideIdempotently(
    once, about: [.product(id), .email(address), giver.subject], json: { $0.json },
    read: { TransferEntry(json: $0) }
  ) { (transaction: any TransferRecords) throws in
    guard let product = try transaction.product(id) else { throw Refusal.noSuchProduct }
    try giver.check(giving: product, to: address, transaction)
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
          at: now, kind: .product, id: id.text, act: .transferred, account: owner,
          version: try transaction.product(id)?.version
        ))
    }
    let concerned = product.owner ?? giver.owner
    try transaction.record(
      .productTransferred, about: concerned, detail: id.text, by: giver.caller, at: now
    )
    return TransferEntry(product: id, to: address, transferredAt: now)
  }
}

/// The sender of a transfer.
public enum TransferSender: Sendable {
  case owner(AccountID, Caller)
  case administrator(AccountEditingRules)

  fileprivate var owner: AccountID? {
    switch self {
    case .owner(let account, _): account
    case .administrator: nil
    }
  }

  fileprivate var caller: Caller {
    switch self {
    case .owner(_, let caller): caller
    case .administrator(let rules): rules.caller
    }
  }

  fileprivate var subject: Subject {
    switch self {
    case .owner(let account, _): .account(account)
    case .administrator(let rules): rules.subject
    }
  }

  fileprivate func check(
    giving product: Product, to address: EmailAddress, _ transaction: any AccountRecords
  ) throws {
    switch self {
    case .owner(let account, _):
      guard product.owner == account else { throw Refusal.noSuchProduct }
    case .administrator(let rules):
      let permission = try rules.permission(transaction)
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
      guard receiver.proof(of: .email(address)) != nil else {
        throw Refusal.addressNotProved
      }
    }
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
    moved.version = try nextVersion()
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
      ProductRemoval(owner: owner, product: product.id, position: feed.next(), removedAt: now)
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
    }
    try save(product)
  }
}
