public import JSONText
public import SignInModel

/// One product in the answer of `GET /api/products`, with everything on its warranty card (O-02).
public struct ProductEntry: Equatable, Sendable {
  public var id: ProductID
  public let name: String
  public let model: String
  public let serialNumber: String
  /// The kind of product, such as `Dishwasher`.
  public let category: String
  /// The company that gives the warranty.
  public let warrantyProvider: String?
  public let purchasedOn: CalendarDay?
  /// The last day of the warranty.
  ///
  /// It is `nil` if the warranty has no end.
  public let warrantyExpiresOn: CalendarDay?
  public var photo: ProductPhoto?

  public init(
    id: ProductID, name: String, model: String, serialNumber: String, category: String,
    warrantyProvider: String?, purchasedOn: CalendarDay?, warrantyExpiresOn: CalendarDay?,
    photo: ProductPhoto? = nil
  ) {
    self.id = id
    self.name = name
    self.model = model
    self.serialNumber = serialNumber
    self.category = category
    self.warrantyProvider = warrantyProvider
    self.purchasedOn = purchasedOn
    self.warrantyExpiresOn = warrantyExpiresOn
    self.photo = photo
  }

  public func status(on today: CalendarDay) -> WarrantyStatus {
    WarrantyStatus(expiresOn: warrantyExpiresOn, on: today)
  }

  /// The form for storage.
  ///
  /// It has no status, because the status depends on the day.
  public var json: JSON { .object(members) }

  /// The form for an answer, with the status of `today`.
  public func json(on today: CalendarDay) -> JSON {
    .object(members + [JSONMember(.status, status(on: today).rawValue)])
  }

  private var members: [JSONMember] {
    let own: [JSONMember] = [
      JSONMember(.id, id.text),
      JSONMember(.name, name),
      JSONMember(.model, model),
      JSONMember(.serialNumber, serialNumber),
      JSONMember(.category, category),
      JSONMember(.warrantyProvider, Self.textOrNull(warrantyProvider)),
      JSONMember(.purchasedOn, Self.textOrNull(purchasedOn?.text)),
      JSONMember(.warrantyExpiresOn, Self.textOrNull(warrantyExpiresOn?.text)),
    ]
    guard let photo else { return own }
    return own + [JSONMember(.photo, photo.json)]
  }

  /// Returns `nil` if a member is missing or has another type, or if a date is malformed.
  public init?(json: JSON) {
    guard let id = json.text(.id), let name = json.text(.name),
      let model = json.text(.model), let serialNumber = json.text(.serialNumber)
    else { return nil }
    do throws(Malformed) {
      self.init(
        id: ProductID(id), name: name, model: model, serialNumber: serialNumber,
        category: json.text(.category) ?? "", warrantyProvider: json.text(.warrantyProvider),
        purchasedOn: try Self.day(json[.purchasedOn]),
        warrantyExpiresOn: try Self.day(json[.warrantyExpiresOn]),
        photo: json[.photo].flatMap { ProductPhoto(json: $0) }
      )
    } catch {
      return nil
    }
  }

  private static func day(_ json: JSON?) throws(Malformed) -> CalendarDay? {
    guard let text = json?.text else { return nil }
    return try CalendarDay(parsing: text)
  }

  private static func textOrNull(_ text: String?) -> JSON {
    guard let text else { return .null }
    return .string(text)
  }
}
