public import JSONText
import SignInModel
public import SignInWire

extension ProductEntry: ShelfItem {
  public static var shelf: OfflineLease.Shelf { .products }
  public static var shelfPath: String { Endpoint.products }
  /// Name, model, serial number, category and provider.
  public static var searchedFieldCount: Int { 5 }

  public static func shelfAnswer(_ json: JSON) -> ShelfAnswer<ProductEntry>? {
    guard let answer = ProductsAnswer(json: json) else { return nil }
    return ShelfAnswer(
      items: answer.products, removed: answer.removed.map { $0.text }, cursor: answer.cursor,
      isComplete: answer.isComplete, asOf: answer.syncedAt, lease: answer.lease
    )
  }

  public var shelfID: String { id.text }

  public var shelfFields: [String] {
    [
      name, model, serialNumber, category, warrantyProvider ?? "", purchasedOn?.text ?? "",
      warrantyExpiresOn?.text ?? "",
    ]
  }

  public init?(shelfID: String, fields: [String]) {
    guard fields.count >= 7 else { return nil }
    do throws(Malformed) {
      self.init(
        id: ProductID(shelfID), name: fields[0], model: fields[1], serialNumber: fields[2],
        category: fields[3], warrantyProvider: fields[4].isEmpty ? nil : fields[4],
        purchasedOn: try Self.day(fields[5]), warrantyExpiresOn: try Self.day(fields[6])
      )
    } catch {
      return nil
    }
  }

  private static func day(_ text: String) throws(Malformed) -> CalendarDay? {
    text.isEmpty ? nil : try CalendarDay(parsing: text)
  }
}
