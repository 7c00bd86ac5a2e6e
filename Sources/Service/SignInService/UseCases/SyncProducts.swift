import Cryptography
import JSONText
import SignInModel
public import SignInWire

/// What a sync came to.
public enum ProductSync: Sendable {
  /// A page, and the validator of what the whole answer rests on.
  case page(ProductsAnswer, tag: String)
  /// What the app has is what there is.
  case unchanged(tag: String)
}

/// What changed on the shelf of whoever is signed in since `cursor`, at most a page (O-05, O-08).
///
/// Without a cursor it begins at the beginning. One that is not ours, of somebody else or too old
/// is refused as unknown: the app then fetches everything anew.
///
/// `tags` are the validators the app names (`If-None-Match`).
public func syncProducts(
  _ access: Access, cursor text: String?, tags: [String], in world: World
) async -> Outcome<ProductSync> {
  let now = world.clock.now()
  let account = access.account
  var start = ProductCursor(position: 0, writtenAt: now)
  if let text, !text.isEmpty {
    guard let cursor = ProductCursor(parsing: text, of: account.id, keyring: world.keyring),
      cursor.writtenAt.adding(seconds: ProductFeed.keptSeconds) > now
    else { return .refusal(.unknownCursor) }
    start = cursor
  }
  let after = start.position
  var read = await readFeed(of: account, after: after, at: now, in: world)
  if read == .success(nil) {
    if case .refusal(let refusal) = await turnFeed(of: account, at: now, in: world) {
      return .refusal(refusal)
    }
    read = await readFeed(of: account, after: after, at: now, in: world)
  }
  switch read {
  case .refusal(let refusal): return .refusal(refusal)
  case .success(nil): return .refusal(.overloaded(retrySeconds: 1))
  case .success(let page?):
    let tag = page.tag(access, from: text, at: now, world)
    if tags.contains(tag) { return .success(.unchanged(tag: tag)) }
    return .success(.page(page.answer(to: access, from: start, at: now, world), tag: tag))
  }
}

/// Nil when the feed has to be turned to today first.
private func readFeed(
  of account: Account, after position: Int64, at now: Instant, in world: World
) async -> Outcome<FeedPage?> {
  await world.look { (transaction) throws(StoreFault) in
    let feed = try transaction.productFeed(of: account.id)
    guard let day = feed.day, day >= CalendarDay(now) else { return .success(nil) }
    // Only an older backup knows fewer changes than an app has seen.
    guard position <= feed.position else { return .refusal(.unknownCursor) }
    return .success(try FeedPage(of: feed, after: position, transaction))
  }
}

/// Puts the products whose warranty turned since the feed's day into the feed, once a day and
/// owner, and takes in what waited for the owner's address.
private func turnFeed(
  of account: Account, at now: Instant, in world: World
) async -> Outcome<Bool> {
  let today = CalendarDay(now)
  return await world.decide { (transaction) throws(StoreFault) in
    var feed = try transaction.productFeed(of: account.id)
    for days in feed.turnedDays(by: today) {
      for var product in try transaction.products(of: account.id, expiringOn: days) {
        product.position = feed.next()
        try transaction.save(product)
      }
    }
    if let address = account.email {
      for var product in try transaction.products(awaiting: address) {
        product.holder = .owner(account.id)
        product.version = try transaction.nextVersion()
        product.position = feed.next()
        try transaction.save(product)
      }
    }
    feed.day = max(today, feed.day ?? today)
    try transaction.save(feed)
    return .success(true)
  }
}

/// The changes after one position, in their order, as far as a page holds them.
private struct FeedPage: Equatable, Sendable {
  let feed: ProductFeed
  private(set) var products: [ProductEntry] = []
  private(set) var removed: [ProductID] = []
  /// Of the last change on the page.
  private(set) var position: Int64

  init(
    of feed: ProductFeed, after start: Int64, _ transaction: any Transaction
  ) throws(StoreFault) {
    self.feed = feed
    position = start
    guard start < feed.position else { return }
    let limit = ProductFeed.pageLimit
    let owner = feed.owner
    var present = try transaction.products(of: owner, changedAfter: start, limit: limit)[...]
    // Whoever has nothing has nothing to lose.
    var gone =
      start == 0
      ? [] : try transaction.productRemovals(of: owner, after: start, limit: limit)[...]
    for _ in 0..<limit {
      if let product = present.first, product.position < (gone.first?.position ?? Int64.max) {
        products.append(product.entry)
        position = product.position
        present.removeFirst()
      } else if let removal = gone.popFirst() {
        removed.append(removal.product)
        position = removal.position
      } else {
        // What was changed again, or removed, left its earlier positions empty.
        position = feed.position
        break
      }
    }
  }

  var isComplete: Bool { position == feed.position }

  /// Equal for equal answers to the same query, but for the lease: it changes with every thirtieth
  /// of the lease's life, so that an app with nothing to fetch still gets a new one.
  func tag(_ access: Access, from cursor: String?, at now: Instant, _ world: World) -> String {
    let life = access.client.offlineSeconds
    let span = max(1, life / 30)
    let text =
      "\(access.session.id.text)|\(cursor ?? "")|\(feed.position)|\(feed.day?.number ?? 0)|"
      + "\(life)|\(now.seconds / span)"
    let mac = HMACSHA256.code(for: Array(text.utf8), key: world.keyring.cursors)
    return "W/\"" + Base64URL.encode(Array(mac.prefix(16))) + "\""
  }

  func answer(
    to access: Access, from start: ProductCursor, at now: Instant, _ world: World
  ) -> ProductsAnswer {
    ProductsAnswer(
      products: products, removed: removed,
      cursor: ProductCursor(position: position, writtenAt: now)
        .text(of: access.account.id, keyring: world.keyring),
      isComplete: isComplete, syncedAt: now, today: CalendarDay(now),
      lease: grantLease(of: .products, to: access, at: now, in: world)
    )
  }
}

extension ErrorAnswer {
  static var unknownCursor: ErrorAnswer {
    ErrorAnswer(.unknownCursor, "start over without a cursor")
  }

  static var noSuchProduct: ErrorAnswer { ErrorAnswer(.productNotFound, "no such product") }
}
