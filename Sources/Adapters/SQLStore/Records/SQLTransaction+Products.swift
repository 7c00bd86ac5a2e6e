internal import SignInModel
internal import SignInService
internal import SignInWire

extension SQLTransaction: ProductRecords {
  func product(_ id: ProductID) throws(StoreFault) -> Product? {
    try connection.first(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE id = ?
      """,
      bind: { $0.bind(id.text) }, read: Product.init)
  }

  func product(shownAs id: ProductID, to owner: AccountID) throws(StoreFault) -> Product? {
    try connection.first(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE owner = ? AND coalesce(shown_id, id) = ?
      """,
      bind: {
        $0.bind(owner.text)
        $0.bind(id.text)
      }, read: Product.init)
  }

  func products(named id: String, limit: Int) throws(StoreFault) -> [Product] {
    try connection.all(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE substr(id, instr(id, '~') + 1) = ? AND instr(id, '~') > 0
      ORDER BY id LIMIT ?
      """,
      bind: {
        $0.bind(id)
        $0.bind(Int64(limit))
      }, read: Product.init)
  }

  func products(
    of owner: AccountID, expiringOn days: ClosedRange<CalendarDay>
  ) throws(StoreFault) -> [Product] {
    try connection.all(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE owner = ? AND warranty_expires_on BETWEEN ? AND ? ORDER BY id
      """,
      bind: {
        $0.bind(owner.text)
        $0.bind(days.lowerBound.number)
        $0.bind(days.upperBound.number)
      }, read: Product.init)
  }

  func products(awaiting address: EmailAddress) throws(StoreFault) -> [Product] {
    try connection.all(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE awaited_address = ? ORDER BY id
      """,
      bind: { $0.bind(address.text) }, read: Product.init)
  }

  func save(_ product: Product) throws(StoreFault) {
    let shownID = product.ownersEntry.id
    try write("DELETE FROM product_removals WHERE owner = ? AND product = ?") {
      $0.bind(product.owner?.text)
      $0.bind(ProductRemoval.place(of: shownID, product.key))
    }
    try write(
      """
      INSERT INTO products
        (id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id, search_text)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, model = excluded.model, serial_number = excluded.serial_number,
        category = excluded.category, warranty_provider = excluded.warranty_provider,
        purchased_on = excluded.purchased_on, warranty_expires_on = excluded.warranty_expires_on,
        created_at = excluded.created_at, owner = excluded.owner,
        awaited_address = excluded.awaited_address, position = excluded.position,
        version = excluded.version, photo_digest = excluded.photo_digest,
        photo_bytes = excluded.photo_bytes, shown_id = excluded.shown_id,
        search_text = excluded.search_text
      """, bind: product.bind)
  }

  func removeProduct(_ id: ProductID) throws(StoreFault) {
    try removePhoto(of: id)
    try write("DELETE FROM products WHERE id = ?") { $0.bind(id.text) }
  }
}

extension Product {
  init(_ row: inout Row) throws(StoreFault) {
    let key = RecordKey(stored: row.text())
    var entry = ProductEntry(
      id: ProductID(key.id), name: row.text(), model: row.text(), serialNumber: row.text(),
      category: row.text(), warrantyProvider: row.textIfAny(), purchasedOn: row.dayIfAny(),
      warrantyExpiresOn: row.dayIfAny()
    )
    let createdAt = row.moment()
    let owner: AccountID? = row.identifierIfAny()
    let holder: Holder
    switch (owner, try row.emailIfAny()) {
    case (let owner?, nil): holder = .owner(owner)
    case (nil, let address?): holder = .awaiting(address)
    case (nil, nil), (.some, .some): throw row.unreadable()
    }
    let (position, version) = (row.number(), row.number())
    let (digest, bytes) = (row.textIfAny(), row.numberIfAny())
    if let digest, let bytes { entry.photo = ProductPhoto(digest: digest, bytes: bytes) }
    self.init(
      entry: entry, createdAt: createdAt, holder: holder, position: position, version: version,
      organization: key.organization, shownID: row.identifierIfAny())
  }

  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(id.text)
    parameters.bind(entry.name)
    parameters.bind(entry.model)
    parameters.bind(entry.serialNumber)
    parameters.bind(entry.category)
    parameters.bind(entry.warrantyProvider)
    parameters.bind(entry.purchasedOn?.number)
    parameters.bind(entry.warrantyExpiresOn?.number)
    parameters.bind(createdAt)
    switch holder {
    case .owner(let account):
      parameters.bind(account.text)
      parameters.bind(nil as String?)
    case .awaiting(let address):
      parameters.bind(nil as String?)
      parameters.bind(address.text)
    }
    parameters.bind(position)
    parameters.bind(version)
    parameters.bind(entry.photo?.digest)
    parameters.bind(entry.photo?.bytes)
    parameters.bind(shownID?.text)
    parameters.bind(String(decoding: searchText, as: UTF8.self))
  }
}

// MARK: - Photos

extension SQLTransaction: ProductPhotoRecords {
  func photo(of product: ProductID) throws(StoreFault) -> ProductPhotoContent? {
    try connection.first(
      "SELECT product, format, content FROM product_photos WHERE product = ?",
      bind: { $0.bind(product.text) },
      read: { row throws(StoreFault) in
        ProductPhotoContent(
          product: row.identifier(), format: try row.word(), content: row.bytes())
      })
  }

  func save(_ photo: ProductPhotoContent) throws(StoreFault) {
    try write(
      """
      INSERT INTO product_photos (product, format, content) VALUES (?, ?, ?)
      ON CONFLICT (product) DO UPDATE SET format = excluded.format, content = excluded.content
      """
    ) {
      $0.bind(photo.product.text)
      $0.bind(photo.format.rawValue)
      $0.bind(photo.content)
    }
  }

  func removePhoto(of product: ProductID) throws(StoreFault) {
    try write("DELETE FROM product_photos WHERE product = ?") { $0.bind(product.text) }
  }
}

// MARK: - Feeds

extension SQLTransaction: ProductFeedRecords {
  func productFeed(of owner: AccountID) throws(StoreFault) -> ProductFeed {
    let known = try connection.first(
      "SELECT position, day FROM product_feeds WHERE owner = ?",
      bind: { $0.bind(owner.text) },
      read: { row in ProductFeed(owner: owner, position: row.number(), day: row.dayIfAny()) })
    return known ?? ProductFeed(owner: owner)
  }

  func save(_ feed: ProductFeed) throws(StoreFault) {
    try write(
      """
      INSERT INTO product_feeds (owner, position, day) VALUES (?, ?, ?)
      ON CONFLICT (owner) DO UPDATE SET
        position = excluded.position, day = excluded.day
      """
    ) {
      $0.bind(feed.owner.text)
      $0.bind(feed.position)
      $0.bind(feed.day?.number)
    }
  }

  func products(
    of owner: AccountID, changedAfter position: Int64, limit: Int
  ) throws(StoreFault) -> [Product] {
    try connection.all(
      """
      SELECT id, name, model, serial_number, category, warranty_provider, purchased_on,
        warranty_expires_on, created_at, owner, awaited_address, position,
        version, photo_digest, photo_bytes, shown_id
      FROM products WHERE owner = ? AND position > ? ORDER BY position LIMIT ?
      """,
      bind: {
        $0.bind(owner.text)
        $0.bind(position)
        $0.bind(Int64(limit))
      }, read: Product.init)
  }

  func productRemovals(
    of owner: AccountID, after position: Int64, limit: Int
  ) throws(StoreFault) -> [ProductRemoval] {
    try connection.all(
      """
      SELECT owner, product, position, removed_at FROM product_removals
      WHERE owner = ? AND position > ? ORDER BY position LIMIT ?
      """,
      bind: {
        $0.bind(owner.text)
        $0.bind(position)
        $0.bind(Int64(limit))
      },
      read: ProductRemoval.init)
  }

  func save(_ removal: ProductRemoval) throws(StoreFault) {
    try write(
      """
      INSERT INTO product_removals (owner, product, position, removed_at)
      VALUES (?, ?, ?, ?)
      ON CONFLICT (owner, product) DO UPDATE SET
        position = excluded.position, removed_at = excluded.removed_at
      """
    ) {
      $0.bind(removal.owner.text)
      $0.bind(ProductRemoval.place(of: removal.product, removal.key))
      $0.bind(removal.position)
      $0.bind(removal.removedAt)
    }
  }

  func removeProductRemovals(
    madeBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM product_removals WHERE (owner, product) IN
        (SELECT owner, product FROM product_removals WHERE removed_at < ?
        ORDER BY removed_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

// MARK: - Service requests

extension SQLTransaction: ServiceRequestRecords {
  func insert(_ request: ServiceRequestEntry) throws(StoreFault) {
    try write(
      """
      INSERT INTO service_requests
        (id, product, product_name, account, description, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(request.id)
      $0.bind(RecordKey(request.organization, request.product.text).text)
      $0.bind(request.productName)
      $0.bind(request.account.text)
      $0.bind(request.description)
      $0.bind(request.createdAt)
    }
  }

  func serviceRequest(_ id: String) throws(StoreFault) -> ServiceRequestEntry? {
    try connection.first(
      """
      SELECT id, product, product_name, account, description, created_at
      FROM service_requests WHERE id = ?
      """,
      bind: { $0.bind(id) }, read: ServiceRequestEntry.init)
  }
}

extension ServiceRequestEntry {
  init(_ row: inout Row) throws(StoreFault) {
    let (id, product) = (row.text(), RecordKey(stored: row.text()))
    self.init(
      id: id, product: ProductID(product.id), productName: row.text(),
      account: row.identifier(), description: row.text(), createdAt: row.moment(),
      organization: product.organization
    )
  }
}

extension ProductRemoval {
  /// The stored name of a removal: the key of the product and its id in the app, as in `north~x/x`.
  ///
  /// No key and no id has a slash.
  fileprivate static func place(of product: ProductID, _ key: RecordKey) -> String {
    key.text + "/" + product.text
  }

  fileprivate init(_ row: inout Row) throws(StoreFault) {
    let owner: AccountID = row.identifier()
    guard let (key, id) = row.text().cut(at: "/") else { throw row.unreadable() }
    self.init(
      owner: owner, product: ProductID(id), key: RecordKey(stored: key), position: row.number(),
      removedAt: row.moment())
  }
}
