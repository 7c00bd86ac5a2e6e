internal import SignInModel
public import SignInService
public import SignInWire

extension ProductQuery {
  /// Whether the query finds the product, in the plainest way.
  public func finds(_ product: Product) -> Bool {
    if let account, product.owner != account { return false }
    guard let name else { return true }
    let number = SearchPrefix.number(product.entry.serialNumber)
    return SearchPrefix.name(product.entry.name).utf8.starts(with: name.text.utf8)
      || serialNumber.map { number.utf8.starts(with: $0.text.utf8) } ?? false
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
