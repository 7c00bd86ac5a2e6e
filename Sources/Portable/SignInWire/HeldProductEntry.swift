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

  public var id: ProductID { entry.id }
  public var owner: AccountID? { if case .owner(let account) = holder { account } else { nil } }

  public init(entry: ProductEntry, holder: Holder, createdAt: Instant) {
    self.entry = entry
    self.holder = holder
    self.createdAt = createdAt
  }

  /// The form for an answer, with the status of `today`.
  public func json(on today: CalendarDay) -> JSON {
    let members = entry.json(on: today).objectMembers ?? []
    return .object(members + [holder.member, JSONMember(.createdAt, createdAt.seconds)])
  }

  /// Returns `nil` if the product cannot be read, or has neither an owner nor an address.
  public init?(json: JSON) {
    guard let entry = ProductEntry(json: json), let holder = Holder(json: json),
      let createdAt = json.unixSeconds(.createdAt)
    else { return nil }
    self.init(entry: entry, holder: holder, createdAt: Instant(seconds: createdAt))
  }
}
