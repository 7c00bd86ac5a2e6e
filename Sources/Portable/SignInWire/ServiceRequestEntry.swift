public import JSONText
public import SignInModel

/// A service request: what an owner asks to be done about a product.
public struct ServiceRequestEntry: Equatable, Sendable {
  public let id: String
  public var product: ProductID
  /// The organization of the product; `nil` if it has none.
  public let organization: OrganizationID?
  /// The name of the product when the request was recorded.
  public let productName: String
  public let account: AccountID
  public let description: String
  public let createdAt: Instant

  public init(
    id: String, product: ProductID, productName: String, account: AccountID, description: String,
    createdAt: Instant, organization: OrganizationID? = nil
  ) {
    self.id = id
    self.product = product
    self.productName = productName
    self.account = account
    self.description = description
    self.createdAt = createdAt
    self.organization = organization
  }

  public var json: JSON {
    .members([
      JSONMember(.id, id), JSONMember(.productID, product.text),
      JSONMember(.organization, ifPresent: organization?.text),
      JSONMember(.productName, productName), JSONMember(.account, account.text),
      JSONMember(.description, description), JSONMember(.createdAt, createdAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard let id = json.text(.id), let product = json.text(.productID),
      let productName = json.text(.productName), let account = json.text(.account),
      let description = json.text(.description), let createdAt = json.unixSeconds(.createdAt)
    else { return nil }
    self.init(
      id: id, product: ProductID(product), productName: productName, account: AccountID(account),
      description: description, createdAt: Instant(seconds: createdAt),
      organization: json.text(.organization).map { OrganizationID($0) }
    )
  }
}

/// A product was transferred to this e-mail address, whether or not an account with it exists.
public struct TransferEntry: Equatable, Sendable {
  public let product: ProductID
  public let to: EmailAddress
  public let transferredAt: Instant

  public init(product: ProductID, to: EmailAddress, transferredAt: Instant) {
    self.product = product
    self.to = to
    self.transferredAt = transferredAt
  }

  public var json: JSON {
    .members([
      JSONMember(.productID, product.text), JSONMember(.to, to.text),
      JSONMember(.transferredAt, transferredAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard let product = json.text(.productID), let text = json.text(.to),
      let transferredAt = json.unixSeconds(.transferredAt)
    else { return nil }
    do throws(Malformed) {
      self.init(
        product: ProductID(product), to: try EmailAddress(stored: text),
        transferredAt: Instant(seconds: transferredAt)
      )
    } catch {
      return nil
    }
  }
}
