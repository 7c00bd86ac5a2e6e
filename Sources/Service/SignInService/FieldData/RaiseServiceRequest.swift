public import SignInModel
public import SignInWire

private typealias RaisingRecords =
  ChangeRecords & EventRecords & ProductRecords & ServiceRequestRecords

/// A request for service that an owner writes.
public struct ServiceRequestDraft: Sendable {
  public let product: ProductID
  public let description: ServiceDescription

  public init(product: ProductID, description: ServiceDescription) {
    self.product = product
    self.description = description
  }
}

/// Records an owner's request for service on a product (O-03).
public func raiseServiceRequest(
  _ draft: ServiceRequestDraft, _ access: Access, once: IdempotencyKey?, peer: String?,
  in world: World
) async throws(Refusal) -> ServiceRequestEntry {
  let now = world.clock.now()
  let account = access.account.id
  let number = world.handle(bytes: 12)
  let limit = world.limit(of: access.session, access.account)
  return try await world.decideIdempotently(
    once, about: [.account(account)],
    form: RememberedForm(json: { $0.json }, read: { ServiceRequestEntry(json: $0) }),
    permit: access.permit
  ) { (transaction: any RaisingRecords) throws in
    guard let product = try transaction.product(shownAs: draft.product, to: account),
      product.isShown(within: limit)
    else {
      throw Refusal.noSuchProduct
    }
    var request = ServiceRequestEntry(
      id: number, product: product.entry.id, productName: product.entry.name, account: account,
      description: draft.description.text, createdAt: now, organization: product.organization
    )
    try transaction.insert(request)
    try transaction.append(
      DataChange(
        at: now, kind: .serviceRequest, key: RecordKey(product.organization, number),
        act: .requested, account: account))
    try transaction.record(
      .serviceRequested, about: account, detail: product.id.text, by: access.caller(peer: peer),
      at: now
    )
    request.product = draft.product
    return request
  }
}

/// The service requests that match `query`, newest first, one page at a time.
///
/// An administrator of organizations sees the requests of the accounts in them. A search reads all
/// requests that match.
public func listServiceRequests(
  _ query: ServiceRequestQuery = ServiceRequestQuery(), _ page: PageRequest<ListCursor>,
  rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<ServiceRequestEntry, ListCursor> {
  try await world.read(
    isLong: query.number != nil, by: rules
  ) { (transaction: any AccountRecords & ServiceRequestRecords) throws in
    let permission = try rules.permission(transaction)
    var seen = VisibleAccounts(permission)
    guard try seen.mayContainRecords(of: query.account, transaction) else {
      return ListPage(entries: [], cursor: nil)
    }
    return try ListPage.narrowed(page, for: permission) { (cursor, count) throws(StoreFault) in
      try transaction.serviceRequests(query, after: cursor, limit: count)
    } cursor: {
      ListCursor(createdAt: $0.createdAt, id: $0.id)
    } isSeen: { (request) throws(StoreFault) in
      guard permission.seesRecords(of: request.organization) else { return false }
      return try seen.contains(request.account, transaction)
    }
  }
}
