import SignInModel
import SignInWire

/// The records that the delivery of waiting products changes.
public protocol WaitingProductRecords: ProductFeedRecords, ProductRecords, VersionRecords {}

extension WaitingProductRecords {
  /// Gives the account the products that wait for its address, if it has proved the address.
  func deliverWaitingProducts(to account: Account) throws(StoreFault) {
    guard account.receivesWaitingProducts, let address = account.email else { return }
    let waiting = try products(awaiting: address)
    guard !waiting.isEmpty else { return }
    var feed = try productFeed(of: account.id)
    for var product in waiting {
      product.holder = .owner(account.id)
      product.version = try nextVersion(in: product.organization)
      product.position = feed.next()
      try showApart(&product)
      try save(product)
    }
    try save(feed)
  }
}
