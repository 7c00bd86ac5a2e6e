import Cryptography
import JSONText
import SignInModel
public import SignInWire

/// The result of one request of a sync.
public enum ProductSync: Sendable {
  /// A page of changes, with its entity tag.
  case page(ProductsAnswer, tag: String)
  /// The app has the current data already.
  case unchanged(tag: String)
}

/// The changes to the signed-in owner's products since a cursor, one page at most (O-05, O-08).
///
/// Without a cursor it starts from the beginning. A cursor that is too old is refused as unknown.
/// The app then fetches everything again.
///
/// A session that is limited to an organization gets the products of it, and their removals.
///
/// `tags` are the entity tags of the request (`If-None-Match`). `readCursor` reads its cursor,
/// after the session was checked.
public func syncProducts(
  _ claim: AccessClaim, tags: [String], in world: World,
  since readCursor: @escaping @Sendable (Access) throws(Refusal) -> ProductCursor?
) async throws(Refusal) -> ProductSync {
  let now = world.clock.now()
  let read = try await claim.read(in: world) { access, transaction in
    let cursor = try readCursor(access)
    let page = try readFeed(of: access, since: cursor, at: now, in: world, transaction)
    return (cursor: cursor, page: page)
  }
  let (access, cursor) = (read.access, read.value.cursor)
  if let page = read.value.page {
    return page.result(for: access, from: cursor, tags: tags, at: now, world)
  }
  return try await syncProducts(access, since: cursor, tags: tags, in: world)
}

/// The same for a session that was checked before.
func syncProducts(
  _ access: Access, since cursor: ProductCursor?, tags: [String], in world: World
) async throws(Refusal) -> ProductSync {
  let now = world.clock.now()
  func read() async throws(Refusal) -> FeedPage? {
    try await world.read { transaction in
      try readFeed(of: access, since: cursor, at: now, in: world, transaction)
    }
  }
  var found = try await read()
  if found == nil {
    _ = try await addWarrantyChanges(of: access.account, at: now, in: world)
    found = try await read()
  }
  guard let page = found else { throw Refusal.overloaded(retrySeconds: 1) }
  return page.result(for: access, from: cursor, tags: tags, at: now, world)
}

extension Access {
  /// The position that an app of this session sent as text; nil if it is unknown.
  public func productCursor(parsing text: String, in world: World) -> ProductCursor? {
    ProductCursor(
      parsing: text, of: account.id, within: world.limit(of: session, account),
      keyring: world.keyring)
  }
}

/// Nil if `addWarrantyChanges` must update the feed for today first.
private func readFeed(
  of access: Access, since cursor: ProductCursor?, at now: Instant, in world: World,
  _ transaction: any ProductFeedRecords
) throws -> FeedPage? {
  if let cursor, cursor.writtenAt.adding(seconds: ProductFeed.retentionSeconds) <= now {
    throw Refusal.unknownCursor
  }
  let (position, account) = (cursor?.position ?? 0, access.account)
  let feed = try transaction.productFeed(of: account.id)
  guard let day = feed.day, day >= CalendarDay.earliest(at: now) else { return nil }
  // If an app has seen more changes than the feed has, an older backup was restored.
  guard position <= feed.position else { throw Refusal.unknownCursor }
  return try FeedPage(
    of: feed, within: world.limit(of: access.session, account), after: position, transaction)
}

/// Adds changes of the warranty status since the feed's day, and products that waited for the
/// owner's proved address.
///
/// It runs once a day for each owner.
private func addWarrantyChanges(
  of account: Account, at now: Instant, in world: World
) async throws(Refusal) -> Bool {
  let today = CalendarDay.earliest(at: now)
  let (id, address) = (account.id, account.email.map { Subject.email($0) })
  return try await world.decide(about: [.account(id), address].compactMap { $0 }) {
    (transaction: any AccountRecords & WaitingProductRecords) throws in
    // The proof of the address may have changed since the request was authorized.
    if let account = try transaction.account(id) {
      try transaction.deliverWaitingProducts(to: account)
    }
    var feed = try transaction.productFeed(of: id)
    for days in feed.daysWithChangedWarranty(by: today) {
      for var product in try transaction.products(of: id, expiringOn: days) {
        product.position = feed.next()
        try transaction.save(product)
      }
    }
    feed.day = max(today, feed.day ?? today)
    try transaction.save(feed)
    return true
  }
}

/// The changes after a position, in their order, up to the size of a page.
private struct FeedPage: Equatable, Sendable {
  let feed: ProductFeed
  /// The organization to which the session is limited; nil if it is not.
  let limit: OrganizationID?
  private(set) var products: [ProductEntry] = []
  private(set) var removed: [ProductID] = []
  /// The position of the last change on the page.
  private(set) var position: Int64
  /// The position of the last change that the session may know.
  private(set) var shownPosition: Int64
  /// The number of shown changes on the page.
  private var shownCount = 0
  /// Whether a shown change follows the full page.
  private var hasMore = false

  init(
    of feed: ProductFeed, within limit: OrganizationID?, after start: Int64,
    _ transaction: any ProductFeedRecords
  ) throws(StoreFault) {
    self.feed = feed
    self.limit = limit
    position = start
    shownPosition = start
    // In a limited session, hidden changes leave no gap on the page.
    for _ in 0..<(limit == nil ? 1 : ProductFeed.readLimit) where !isComplete && !hasMore {
      try add(isFromBeginning: start == 0, transaction)
    }
    // A later product can have the id of a removed one, and an app removes after it has added.
    let shown = Set(products.map(\.id))
    removed.removeAll { shown.contains($0) }
  }

  /// Adds the next changes, as many as a page can have.
  private mutating func add(
    isFromBeginning: Bool, _ transaction: any ProductFeedRecords
  ) throws(StoreFault) {
    let size = ProductFeed.pageLimit
    let owner = feed.owner
    var present = try transaction.products(of: owner, changedAfter: position, limit: size)[...]
    // An app that starts from the beginning has no products that were removed.
    var gone =
      isFromBeginning
      ? [] : try transaction.productRemovals(of: owner, after: position, limit: size)[...]
    for _ in 0..<size {
      if let product = present.first, product.position < (gone.first?.position ?? Int64.max) {
        if product.isShown(within: limit) {
          guard admit(at: product.position) else { return }
          products.append(product.ownersEntry)
        }
        position = product.position
        present.removeFirst()
      } else if let removal = gone.popFirst() {
        if removal.isShown(within: limit) {
          guard admit(at: removal.position) else { return }
          if !removed.contains(removal.product) { removed.append(removal.product) }
        }
        position = removal.position
      } else {
        // A product that changed again or was removed leaves a gap at its earlier positions.
        position = feed.position
        return
      }
    }
  }

  /// Counts a shown change, if the page has room for it.
  private mutating func admit(at changed: Int64) -> Bool {
    guard shownCount < ProductFeed.pageLimit else {
      hasMore = true
      return false
    }
    shownCount += 1
    shownPosition = changed
    return true
  }

  var isComplete: Bool { position == feed.position }

  /// The position from which the session reads on.
  ///
  /// In a limited session, what other organizations write does not move it. Only a page that has
  /// read as many hidden changes as it may ends at one of them.
  private var nextPosition: Int64 {
    limit != nil && (isComplete || hasMore) ? shownPosition : position
  }

  func result(
    for access: Access, from cursor: ProductCursor?, tags: [String], at now: Instant, _ world: World
  ) -> ProductSync {
    let tag = self.tag(access, from: cursor, at: now, world)
    if tags.contains(tag) { return .unchanged(tag: tag) }
    return .page(answer(to: access, at: now, world), tag: tag)
  }

  /// The entity tag.
  ///
  /// It is the same for equal answers to the same query.
  ///
  /// It also changes after each thirtieth of the lease's lifetime, so that an app with no new data
  /// still gets a new lease.
  func tag(
    _ access: Access, from cursor: ProductCursor?, at now: Instant, _ world: World
  ) -> String {
    let start =
      cursor?.text(of: access.account.id, within: limit, keyring: world.keyring) ?? ""
    let life = access.client.policy[.offline]
    let span = max(1, life / 30)
    // In a limited session, what other organizations write does not change it.
    let shown = "\(shownPosition) \(products.count) \(removed.count) \(isComplete)"
    let end = limit == nil ? "\(feed.position)" : shown
    let text =
      "\(access.session.id.text)|\(start)|\(end)|\(feed.day?.number ?? 0)|"
      + "\(life)|\(now.seconds / span)|\(limit?.text ?? "")"
    let mac = HMACSHA256.code(for: Array(text.utf8), key: world.keyring.cursors)
    return "W/\"" + Base64URL.encode(Array(mac.prefix(16))) + "\""
  }

  func answer(to access: Access, at now: Instant, _ world: World) -> ProductsAnswer {
    ProductsAnswer(
      products: products, removed: removed,
      cursor: ProductCursor(position: nextPosition, writtenAt: now)
        .text(of: access.account.id, within: limit, keyring: world.keyring),
      isComplete: isComplete, syncedAt: now, today: CalendarDay.earliest(at: now),
      lease: grantLease(of: .products, to: access, at: now, in: world)
    )
  }
}
