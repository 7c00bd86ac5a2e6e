import JSONText
public import SignInModel
public import SignInWire

/// The number of products in one request.
///
/// With long names they still fit into its body.
public enum ProductImport {
  public static let limit = 200
}

/// A product as administrators see it, with its holder.
public struct ListedProduct: Sendable {
  public let product: Product
  /// The day for which its warranty status is shown.
  public let today: CalendarDay
}

/// Products, newest first, one page at a time.
///
/// An administrator of organizations sees the products of the accounts in them.
public func listProducts(
  cursor: String?, limit: Int, rules: AccountEditingRules, in world: World
) async -> Outcome<ListPage<ListedProduct>> {
  let today = CalendarDay(world.clock.now())
  switch readPosition(cursor, limit: limit) {
  case .refusal(let refusal): return .refusal(refusal)
  case .success(let position):
    return await world.read { (transaction) throws(StoreFault) in
      let permission = try rules.permission(transaction)
      var seen = VisibleAccounts(permission)
      return .success(
        try ListPage<ListedProduct>.narrowed(
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
          ListedProduct(product: product, today: today)
        }
      )
    }
  }
}

/// Adds products to the account with this address, or changes existing ones, in one transaction: at
/// most `ProductImport.limit`.
///
/// - Returns: The number of products in `entries`.
public func importProducts(
  _ entries: [ProductEntry], to address: EmailAddress, once: IdempotencyKey?,
  rules: AccountEditingRules,
  in world: World
) async -> Outcome<Int64> {
  guard (1...ProductImport.limit).contains(entries.count) else {
    return .refusal(
      ErrorAnswer(.invalidRequest, "products has 1 to \(ProductImport.limit) entries")
    )
  }
  let now = world.clock.now()
  return await world.decideIdempotently(
    once, at: now, json: { .int($0) }, read: { $0.number }
  ) { (transaction) throws(StoreFault) in
    guard let named = try transaction.account(email: address) else {
      return .refusal(.noSuchAccount)
    }
    let owner: Account
    switch try transaction.account(named.id, changedBy: rules, needing: .administrator) {
    case .success(let found): owner = found
    case .refusal(let refusal): return .refusal(refusal)
    }
    var feed = try transaction.productFeed(of: owner.id)
    for entry in entries {
      let known = try transaction.product(entry.id)
      guard known == nil || known?.owner == owner.id else {
        return .refusal(
          ErrorAnswer(.invalidRequest, "another account owns the product with this id")
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
