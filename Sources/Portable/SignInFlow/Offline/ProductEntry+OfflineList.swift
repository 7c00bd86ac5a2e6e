public import JSONText
import SignInEngine
import SignInModel
public import SignInWire

extension ProductEntry: OfflineItem {
  public static var list: OfflineLease.List { .products }
  public static var syncEndpoint: Endpoint { .products }
  /// The fields name, model, serial number, category and provider.
  public static var searchedFieldCount: Int { 5 }
  /// The place of `serialNumber` in `itemFields`.
  public static var numberFieldIndex: Int { 2 }

  /// The place of `warrantyExpiresOn` in `itemFields`.
  static var warrantyFieldIndex: Int { 6 }
  /// The place of `photo` in `itemFields`.
  ///
  /// Lines that an earlier version stored do not have this field.
  static var photoFieldIndex: Int { 7 }

  public static func syncPage(_ json: JSON) -> SyncPage<ProductEntry>? {
    guard let answer = ProductsAnswer(json: json) else { return nil }
    return SyncPage(
      items: answer.products, removed: answer.removed.map { $0.text }, cursor: answer.cursor,
      isComplete: answer.isComplete, asOf: answer.syncedAt, lease: answer.lease
    )
  }

  public var itemID: String { id.text }

  public var itemFields: [String] {
    [
      name, model, serialNumber, category, warrantyProvider ?? "", purchasedOn?.text ?? "",
      warrantyExpiresOn?.text ?? "", photo.map { "\($0.digest) \($0.bytes)" } ?? "",
    ]
  }

  public init?(itemID: String, fields: [String]) {
    guard fields.count >= 7 else { return nil }
    do throws(Malformed) {
      self.init(
        id: ProductID(itemID), name: fields[0], model: fields[1], serialNumber: fields[2],
        category: fields[3], warrantyProvider: fields[4].isEmpty ? nil : fields[4],
        purchasedOn: try Self.day(fields[5]), warrantyExpiresOn: try Self.day(fields[6]),
        photo: fields.count > Self.photoFieldIndex ? Self.photo(fields[Self.photoFieldIndex]) : nil
      )
    } catch {
      return nil
    }
  }

  private static func photo(_ text: String) -> ProductPhoto? {
    guard let parts = text.cut(at: " "),
      let bytes = WholeNumber.read(parts.after, in: 1...Int64(ProductPhoto.byteLimit))
    else { return nil }
    return ProductPhoto(digest: parts.before, bytes: bytes)
  }

  private static func day(_ text: String) throws(Malformed) -> CalendarDay? {
    text.isEmpty ? nil : try CalendarDay(parsing: text)
  }
}
