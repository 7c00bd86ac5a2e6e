public import SignInModel

/// What an owner wants done about a product, for whoever answers such wishes.
public struct ServiceRequest: Equatable, Sendable {
  public let id: String
  public let product: ProductID
  /// As it was called when the wish was taken down.
  public let productName: String
  public let account: AccountID
  public let description: String
  public let createdAt: Instant

  public init(
    id: String, product: ProductID, productName: String, account: AccountID, description: String,
    createdAt: Instant
  ) {
    self.id = id
    self.product = product
    self.productName = productName
    self.account = account
    self.description = description
    self.createdAt = createdAt
  }
}
