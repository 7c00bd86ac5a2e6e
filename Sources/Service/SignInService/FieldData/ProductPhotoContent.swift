import Cryptography
public import SignInModel
public import SignInWire

/// The stored photo of one product.
public struct ProductPhotoContent: Equatable, Sendable {
  public let product: ProductID
  public let format: PhotoFormat
  public let content: [UInt8]

  public init(product: ProductID, format: PhotoFormat, content: [UInt8]) {
    self.product = product
    self.format = format
    self.content = content
  }

  /// What lists say about the photo.
  public var summary: ProductPhoto {
    ProductPhoto(
      digest: Base64URL.encode(SHA256Digest.of(content)), bytes: Int64(content.count))
  }
}

/// The contents of photos.
///
/// They are not in `Product`, so that a list of products does not read them.
public protocol ProductPhotoRecords {
  func photo(of product: ProductID) throws(StoreFault) -> ProductPhotoContent?
  /// Inserts the photo, or replaces the earlier one of the product.
  func save(_ photo: ProductPhotoContent) throws(StoreFault)
  /// Does nothing if the product has no photo.
  ///
  /// `removeProduct` and `removeAccount` also remove photos.
  func removePhoto(of product: ProductID) throws(StoreFault)
}
