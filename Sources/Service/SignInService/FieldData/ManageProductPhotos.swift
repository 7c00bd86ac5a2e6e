public import SignInModel
public import SignInWire

private typealias PhotoRecords =
  AccountRecords & DataRecord.WritingRecords & ProductPhotoRecords

/// Saves the photo of a product, in place of an earlier one.
///
/// The format is that of the first bytes of `content`. The same photo again changes nothing. What
/// is stored has no metadata.
public func saveProductPhoto(
  _ name: RecordName, _ content: [UInt8], by principal: DataPrincipal, in world: World
) async throws(Refusal) -> ProductPhoto {
  guard content.count <= ProductPhoto.byteLimit else { throw Refusal.photoTooLarge }
  guard let format = PhotoFormat(of: content) else { throw Refusal.photoFormatUnknown }
  // A sender without the permission causes no work, and learns nothing about other products.
  _ = try await world.read { (transaction: any PhotoRecords) throws in
    try transaction.product(name, changedBy: principal)
  }
  let cleaned = try await world.pictures.cleaned(content, format, of: principal.client)
  let subject = Subject.product(ProductID(name.id))
  return try await world.decide(about: [subject]) { (transaction: any PhotoRecords) throws in
    var product = try transaction.product(name, changedBy: principal)
    let photo = ProductPhotoContent(product: product.id, format: format, content: cleaned)
    let summary = photo.summary
    guard product.entry.photo != summary else { return summary }
    product.entry.photo = summary
    try transaction.save(photo)
    try transaction.put(product)
    return summary
  }
}

/// Removes the photo of a product.
public func removeProductPhoto(
  _ name: RecordName, by principal: DataPrincipal, in world: World
) async throws(Refusal) {
  let subject = Subject.product(ProductID(name.id))
  try await world.decide(about: [subject]) { (transaction: any PhotoRecords) throws in
    var product = try transaction.product(name, changedBy: principal)
    guard product.entry.photo != nil else { throw Refusal.noSuchPhoto }
    product.entry.photo = nil
    try transaction.removePhoto(of: product.id)
    try transaction.put(product)
  }
}

/// The result of reading a photo.
public enum PhotoReading: Sendable {
  case photo(ProductPhotoContent, digest: String)
  /// The sender has the current photo already.
  case unchanged(digest: String)
}

/// The photo of a product, for another system or an administrator.
///
/// `isKnown` says whether the sender has the photo with a digest.
public func readProductPhoto(
  _ name: RecordName, by principal: DataPrincipal, isKnown: @escaping @Sendable (String) -> Bool,
  in world: World
) async throws(Refusal) -> PhotoReading {
  try await world.read { (transaction: any PhotoRecords) throws in
    try transaction.photo(of: try transaction.product(name, readBy: principal), isKnown)
  }
}

/// The photo of one of the signed-in owner's products.
public func readOwnProductPhoto(
  _ id: ProductID, of access: Access, isKnown: @escaping @Sendable (String) -> Bool,
  in world: World
) async throws(Refusal) -> PhotoReading {
  let owner = access.account.id
  let limit = world.limit(of: access.session, access.account)
  return try await world.read { (transaction: any ProductPhotoRecords & ProductRecords) throws in
    guard let product = try transaction.product(shownAs: id, to: owner),
      product.isShown(within: limit)
    else {
      throw Refusal.noSuchProduct
    }
    return try transaction.photo(of: product, isKnown)
  }
}

extension ProductPhotoRecords {
  fileprivate func photo(
    of product: Product, _ isKnown: (String) -> Bool
  ) throws -> PhotoReading {
    guard let digest = product.entry.photo?.digest else { throw Refusal.noSuchPhoto }
    if isKnown(digest) { return .unchanged(digest: digest) }
    guard let photo = try photo(of: product.id) else { throw Refusal.noSuchPhoto }
    return .photo(photo, digest: digest)
  }
}

extension AccountRecords where Self: DataRecord.Records {
  /// The product, if the principal may read it.
  ///
  /// Otherwise the answer is the same as for a product that does not exist.
  fileprivate func product(_ name: RecordName, readBy principal: DataPrincipal) throws -> Product {
    let found = try records(.products, name, of: principal, orShared: true)
    if found.count > 1 { throw Refusal.severalRecords }
    guard case .product(let product)? = found.first else { throw Refusal.noSuchProduct }
    return product
  }

  fileprivate func product(
    _ name: RecordName, changedBy principal: DataPrincipal
  ) throws -> Product {
    let product = try product(name, readBy: principal)
    guard try mayChange(.product(product), by: principal) else {
      throw Refusal.allOrganizationsNeeded
    }
    return product
  }
}
