public import JSONText
public import SignInModel

/// One product in the answer of `GET /admin/products`, with its owner or the address that it waits
/// for.
public struct HeldProductEntry: Equatable, Sendable {
  public enum Holder: Equatable, Sendable {
    case owner(AccountID)
    /// The e-mail address of a future owner.
    case awaiting(String)

    fileprivate var member: JSONMember {
      switch self {
      case .owner(let account): JSONMember(.owner, account.text)
      case .awaiting(let address): JSONMember(.awaiting, address)
      }
    }

    /// Reads an entry of the list, or the record of one product, where the owner is the `account`.
    public init?(json: JSON) {
      if let owner = json.text(.owner) ?? json.text(.account) {
        self = .owner(AccountID(owner))
      } else if let address = json.text(.awaiting) {
        self = .awaiting(address)
      } else {
        return nil
      }
    }
  }

  public let entry: ProductEntry
  public var holder: Holder
  public let createdAt: Instant
  /// The organization whose id it has; `nil` if the product has none.
  public let organization: OrganizationID?

  /// The id, with the organization in front if there is one.
  public var id: ProductID {
    guard let organization else { return entry.id }
    return ProductID(organization.text + "~" + entry.id.text)
  }

  /// The name of a product in a path for administrators.
  ///
  /// It says also that there is no organization, because an id alone means a product of the
  /// administrator's own one.
  public static func segment(of id: ProductID) -> Endpoint.Segment {
    Endpoint.Segment(id.text.cut(at: "~") == nil ? "~" + id.text : id.text)
  }
  public var owner: AccountID? { if case .owner(let account) = holder { account } else { nil } }

  public init(
    entry: ProductEntry, holder: Holder, createdAt: Instant, organization: OrganizationID? = nil
  ) {
    self.organization = organization
    self.entry = entry
    self.holder = holder
    self.createdAt = createdAt
  }

  /// The form for an answer, with the status of `today`.
  public func json(on today: CalendarDay) -> JSON {
    let members = entry.json(on: today).objectMembers ?? []
    let own = [holder.member, JSONMember(.createdAt, createdAt.seconds)]
    let named = organization.map { [JSONMember(.organization, $0.text)] } ?? []
    return .object(members + named + own)
  }

  /// Returns `nil` if the product cannot be read, or has neither an owner nor an address.
  public init?(json: JSON) {
    guard let entry = ProductEntry(json: json), let holder = Holder(json: json),
      let createdAt = json.unixSeconds(.createdAt)
    else { return nil }
    self.init(
      entry: entry, holder: holder, createdAt: Instant(seconds: createdAt),
      organization: json.text(.organization).map { OrganizationID($0) })
  }
}
