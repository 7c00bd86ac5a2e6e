internal import SignInModel
public import SignInService
public import SignInWire

extension ProductQuery {
  /// Whether the query finds the product, in the plainest way.
  public func finds(_ product: Product) -> Bool {
    if let account, product.owner != account { return false }
    return words.isEmpty || words.match(product.searchText)
  }
}

extension ServiceRequestQuery {
  /// Whether the query finds the request, in the plainest way.
  public func finds(_ request: ServiceRequestEntry) -> Bool {
    if let account, request.account != account { return false }
    guard let number else { return true }
    return SearchPrefix.number(request.id).utf8.starts(with: number.text.utf8)
  }
}
