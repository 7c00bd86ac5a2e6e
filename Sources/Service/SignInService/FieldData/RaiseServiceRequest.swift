public import SignInModel
public import SignInWire

/// Records an owner's request for service on a product (O-03).
public func raiseServiceRequest(
  about id: ProductID, _ description: ServiceDescription, _ access: Access, once: IdempotencyKey?,
  peer: String?, in world: World
) async throws(Refusal) -> ServiceRequestEntry {
  let now = world.clock.now()
  let account = access.account.id
  let number = world.handle(bytes: 12)
  return try await world.decideIdempotently(
    once, about: [.account(account)], json: { $0.json }, read: { ServiceRequestEntry(json: $0) }
  ) { (transaction: any FieldDataTransaction) throws in
    guard let product = try transaction.product(id), product.owner == account else {
      throw Refusal.noSuchProduct
    }
    let request = ServiceRequestEntry(
      id: number, product: id, productName: product.entry.name, account: account,
      description: description.text, createdAt: now
    )
    try transaction.insert(request)
    try transaction.append(
      DataChange(at: now, kind: .serviceRequest, id: number, act: .requested, account: account))
    try transaction.record(
      .serviceRequested, about: account, detail: id.text, by: access.caller(peer: peer), at: now
    )
    return request
  }
}

/// Service requests, newest first, one page at a time.
///
/// An administrator of organizations sees the requests of the accounts in them.
public func listServiceRequests(
  cursor: String?, limit: Int, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<ServiceRequestEntry> {
  let position = try readPosition(cursor, limit: limit)
  return try await world.read { (transaction: any FieldDataTransaction) throws in
    let permission = try rules.permission(transaction)
    var seen = VisibleAccounts(permission)
    return try ListPage<ServiceRequestEntry>.narrowed(
      limit: limit, from: position, for: permission
    ) { (position, count) throws(StoreFault) in
      try transaction.serviceRequests(after: position, limit: count)
    } position: {
      ListPosition(createdAt: $0.createdAt, id: $0.id)
    } cursor: {
      $0.cursor
    } isSeen: { (request) throws(StoreFault) in
      try seen.contains(request.account, transaction)
    } entry: { (request) throws(StoreFault) in
      request
    }
  }
}
