import JSONText
public import SignInModel
public import SignInWire

private typealias ImportRecords =
  AccountRecords & ProductFeedRecords & ProductRecords & VersionRecords

/// The limit of an import.
public enum ProductImport {
  /// The most products in one request.
  ///
  /// So many products with long names still fit into the largest body.
  public static let limit = 200
}

/// A product as administrators see it, with its holder.
public struct ListedProduct: Sendable {
  public let product: Product
  /// The day for which its warranty status is shown.
  public let today: CalendarDay
}

/// The products that match `query`, newest first, one page at a time.
///
/// An administrator of organizations sees the products of the accounts in them. A search reads all
/// products that match.
public func listProducts(
  _ query: ProductQuery = ProductQuery(), _ page: PageRequest<ListCursor>,
  rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<ListedProduct, ListCursor> {
  let today = CalendarDay.earliest(at: world.clock.now())
  return try await world.read(
    isLong: !query.words.isEmpty, by: rules
  ) { (transaction: any AccountRecords & ProductRecords) throws in
    let permission = try rules.permission(transaction)
    var seen = VisibleAccounts(permission)
    guard try seen.mayContainRecords(of: query.account, transaction) else {
      return ListPage(entries: [], cursor: nil)
    }
    return try ListPage.narrowed(page, for: permission) { (cursor, count) throws(StoreFault) in
      try transaction.products(query, after: cursor, limit: count)
    } cursor: {
      ListCursor(createdAt: $0.createdAt, id: $0.id.text)
    } isSeen: { (product) throws(StoreFault) in
      guard permission.seesRecords(of: product.organization) else { return false }
      return try seen.contains(product.owner, transaction)
    }.map { ListedProduct(product: $0, today: today) }
  }
}

/// Adds products to the account with this address, or changes existing ones, in one transaction: at
/// most `ProductImport.limit`.
///
/// They belong to the organization of an administrator who has only one of the account's.
///
/// - Returns: The number of products in `entries`.
public func importProducts(
  _ entries: [ProductEntry], to address: EmailAddress, once: IdempotencyKey?,
  rules: AccountEditingRules,
  in world: World
) async throws(Refusal) -> Int64 {
  guard (1...ProductImport.limit).contains(entries.count) else {
    throw Refusal.invalidRequest("products has 1 to \(ProductImport.limit) entries")
  }
  let now = world.clock.now()
  return try await world.decideIdempotently(
    once, about: [.email(address), rules.subject] + entries.map { .product($0.id) },
    form: RememberedForm(json: { .int($0) }, read: { $0.number }),
    permit: { try $0.checkImport(to: address, by: rules) }
  ) { (transaction: any ImportRecords) throws in
    guard let named = try transaction.account(email: address) else {
      throw Refusal.noSuchAccount
    }
    let owner = try transaction.account(named.id, changedBy: rules, needing: .administrator)
    guard owner.proof(of: .email(address)) != nil else { throw Refusal.addressNotProved }
    let principal = DataPrincipal(
      client: nil, permission: try rules.permission(transaction), level: .administrator)
    let organization = principal.organization(ofWorkFor: owner)
    func known(_ entry: ProductEntry) throws(StoreFault) -> Product? {
      try transaction.product(ProductID(RecordKey(organization, entry.id.text).text))
    }
    // All checks come before the first write, because a refusal does not undo a write.
    for entry in entries {
      guard let known = try known(entry) else { continue }
      guard known.owner == owner.id else {
        throw Refusal.invalidRequest("another account owns the product with this id")
      }
    }
    var feed = try transaction.productFeed(of: owner.id)
    for var entry in entries {
      let known = try known(entry)
      entry.photo = known?.entry.photo
      var product = Product(
        entry: entry, createdAt: known?.createdAt ?? now, holder: .owner(owner.id),
        position: feed.next(), version: try transaction.nextVersion(in: organization),
        organization: organization, shownID: known?.shownID)
      try transaction.showApart(&product)
      try transaction.save(product)
    }
    try transaction.save(feed)
    return Int64(entries.count)
  }
}

extension AccountRecords {
  /// Refuses an administrator who may not add products to the account with this address.
  fileprivate func checkImport(to address: EmailAddress, by rules: AccountEditingRules) throws {
    guard let named = try account(email: address) else { throw Refusal.noSuchAccount }
    _ = try account(named.id, changedBy: rules, needing: .administrator)
  }
}
