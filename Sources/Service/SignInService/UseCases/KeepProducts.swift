import JSONText
public import SignInModel
public import SignInWire

/// How many products one request may bring: with long names they still fit into its body.
public enum ProductImport {
  public static let limit = 200
}

/// A product as administrators see it, with whoever has it.
public struct HeldProduct: Sendable {
  public let product: Product
  /// The day that its status is of.
  public let today: CalendarDay
}

/// Products, newest first, a page at a time.
///
/// An administrator of organizations sees those that accounts of these have.
public func listProducts(
  cursor: String?, limit: Int, keeper: AccountKeeper, in world: World
) async -> Outcome<ListPage<HeldProduct>> {
  let today = CalendarDay(world.clock.now())
  switch readPosition(cursor, limit: limit) {
  case .refusal(let refusal): return .refusal(refusal)
  case .success(let position):
    return await world.look { (transaction) throws(StoreFault) in
      let permission = try keeper.permission(transaction)
      var seen = SeenAccounts(permission)
      return .success(
        try ListPage<HeldProduct>.narrowed(
          limit: limit, from: position, for: permission
        ) { (position, count) throws(StoreFault) in
          try transaction.products(after: position, limit: count)
        } position: {
          ListPosition(createdAt: $0.createdAt, id: $0.id.text)
        } cursor: {
          $0.cursor
        } isSeen: { (product) throws(StoreFault) in
          try seen.contains(product.owner, transaction)
        } entry: { (product) throws(StoreFault) in
          HeldProduct(product: product, today: today)
        }
      )
    }
  }
}

/// Puts products on the shelf of whoever has this address, or changes those they have already, in
/// one decision: at most `ProductImport.limit`.
///
/// - Returns: How many there were.
public func importProducts(
  _ entries: [ProductEntry], to address: EmailAddress, once: OnceOnly?, keeper: AccountKeeper,
  in world: World
) async -> Outcome<Int64> {
  guard (1...ProductImport.limit).contains(entries.count) else {
    return .refusal(
      ErrorAnswer(.invalidRequest, "products has 1 to \(ProductImport.limit) entries")
    )
  }
  let now = world.clock.now()
  return await world.decideOnce(
    once, at: now, json: { .int($0) }, read: { $0.number }
  ) { (transaction) throws(StoreFault) in
    guard let named = try transaction.account(email: address) else {
      return .refusal(.noSuchAccount)
    }
    let owner: Account
    switch try transaction.account(named.id, changedBy: keeper, needing: .administrator) {
    case .success(let found): owner = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    var feed = try transaction.productFeed(of: owner.id)
    for entry in entries {
      let known = try transaction.product(entry.id)
      guard known == nil || known?.owner == owner.id else {
        return .refusal(
          ErrorAnswer(.invalidRequest, "a product of this id belongs to somebody else")
        )
      }
      try transaction.save(
        Product(
          entry: entry, createdAt: known?.createdAt ?? now, holder: .owner(owner.id),
          position: feed.next(), version: try transaction.nextVersion()
        )
      )
    }
    try transaction.save(feed)
    return .success(Int64(entries.count))
  }
}
