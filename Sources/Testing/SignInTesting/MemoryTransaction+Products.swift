internal import SignInModel
internal import SignInService
internal import SignInWire

extension MemoryTransaction: ProductRecords {
  func product(_ id: ProductID) -> Product? { tables.products[id] }

  func product(shownAs id: ProductID, to owner: AccountID) -> Product? {
    tables.products.values.first { $0.owner == owner && $0.ownersEntry.id == id }
  }

  func products(named id: String, limit: Int) -> [Product] {
    let found = tables.products.values.filter { $0.organization != nil && $0.entry.id.text == id }
    return Array(found.sorted { $0.id.text < $1.id.text }.prefix(limit))
  }

  func products(_ query: ProductQuery, after position: ListCursor?, limit: Int) -> [Product] {
    newest(tables.products.values.filter(query.finds), after: position, limit: limit) {
      ListCursor(createdAt: $0.createdAt, id: $0.id.text)
    }
  }

  func products(
    of owner: AccountID, expiringOn days: ClosedRange<CalendarDay>
  ) -> [Product] {
    tables.products.values
      .filter { product in
        product.owner == owner
          && product.entry.warrantyExpiresOn.map { days.contains($0) } ?? false
      }
      .sorted { $0.id.text < $1.id.text }
  }

  func products(awaiting address: EmailAddress) -> [Product] {
    tables.products.values.filter { $0.holder == .awaiting(address) }
      .sorted { $0.id.text < $1.id.text }
  }

  func save(_ product: Product) throws(StoreFault) {
    try write { tables in
      if let owner = product.owner {
        let place = MemoryTables.RemovalPlace(
          owner: owner, product: product.ownersEntry.id, key: product.key)
        tables.removals[place] = nil
      }
      tables.products[product.id] = product
    }
  }

  func removeProduct(_ id: ProductID) throws(StoreFault) {
    try write { tables in
      tables.products[id] = nil
      tables.photos[id] = nil
    }
  }
}

extension MemoryTransaction: ProductPhotoRecords {
  func photo(of product: ProductID) -> ProductPhotoContent? { tables.photos[product] }

  func save(_ photo: ProductPhotoContent) throws(StoreFault) {
    try write { tables in tables.photos[photo.product] = photo }
  }

  func removePhoto(of product: ProductID) throws(StoreFault) {
    try write { tables in tables.photos[product] = nil }
  }
}

extension MemoryTransaction: ProductFeedRecords {
  func productFeed(of owner: AccountID) -> ProductFeed {
    tables.feeds[owner] ?? ProductFeed(owner: owner)
  }

  func save(_ feed: ProductFeed) throws(StoreFault) {
    try write { tables in tables.feeds[feed.owner] = feed }
  }

  func products(of owner: AccountID, changedAfter position: Int64, limit: Int) -> [Product] {
    let changed = tables.products.values
      .filter { $0.owner == owner && $0.position > position }
      .sorted { $0.position < $1.position }
    return Array(changed.prefix(limit))
  }

  func productRemovals(
    of owner: AccountID, after position: Int64, limit: Int
  ) -> [ProductRemoval] {
    let made = tables.removals.values
      .filter { $0.owner == owner && $0.position > position }
      .sorted { $0.position < $1.position }
    return Array(made.prefix(limit))
  }

  func save(_ removal: ProductRemoval) throws(StoreFault) {
    try write { tables in
      let place = MemoryTables.RemovalPlace(
        owner: removal.owner, product: removal.product, key: removal.key)
      tables.removals[place] = removal
    }
  }

  func removeProductRemovals(
    madeBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.removals.remove(limit, by: { $0.removedAt }, where: { $0.removedAt < moment })
    }
  }
}

extension MemoryTransaction: ServiceRequestRecords {
  func insert(_ request: ServiceRequestEntry) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.serviceRequests.insertNew(request, for: request.id)
    }
  }

  func serviceRequest(_ id: String) -> ServiceRequestEntry? { tables.serviceRequests[id] }

  func serviceRequests(
    _ query: ServiceRequestQuery, after position: ListCursor?, limit: Int
  ) -> [ServiceRequestEntry] {
    newest(tables.serviceRequests.values.filter(query.finds), after: position, limit: limit) {
      ListCursor(createdAt: $0.createdAt, id: $0.id)
    }
  }
}
