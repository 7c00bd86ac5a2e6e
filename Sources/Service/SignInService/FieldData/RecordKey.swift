public import SignInModel
public import SignInWire

/// The key of a record that other systems write.
///
/// The sender chooses the id, so the id is unique only in the organization that the record belongs
/// to. Records without an organization have a space of their own.
public struct RecordKey: Hashable, Sendable {
  public let organization: OrganizationID?
  public let id: String

  public init(_ organization: OrganizationID?, _ id: String) {
    self.organization = organization
    self.id = id
  }

  /// Reads the stored form.
  public init(stored text: String) {
    guard let parts = Self.parts(of: text) else {
      self.init(nil, text)
      return
    }
    self.init(parts.organization.isEmpty ? nil : OrganizationID(parts.organization), parts.id)
  }

  /// The stored form: `north~plan-1`, or `plan-1` without an organization.
  ///
  /// Neither an organization nor an id contains the character between them.
  public var text: String { organization.map { $0.text + Self.separator + id } ?? id }

  /// The form that names the space also for a record without an organization: `~plan-1`.
  public var fullText: String { (organization?.text ?? "") + Self.separator + id }

  static let separator = "~"

  fileprivate static func parts(of text: String) -> (organization: String, id: String)? {
    let bytes = Array(text.utf8)
    guard let place = bytes.firstIndex(of: UInt8(ascii: "~")) else { return nil }
    return (
      String(decoding: bytes[..<place], as: UTF8.self),
      String(decoding: bytes[(place + 1)...], as: UTF8.self)
    )
  }
}

/// The record that a request names, by its id and, if it says so, by its organization.
public struct RecordName: Sendable {
  enum Space: Equatable, Sendable {
    /// The sender decides.
    case unnamed
    /// The records without an organization.
    case shared
    case organization(OrganizationID)
  }

  let space: Space
  public let id: String
  /// The id as the request has it.
  let text: String

  /// Takes an id as it is in a path: `plan-1`, or `north~plan-1` and `~plan-1` with the space.
  ///
  /// An empty `organization` names the records without one.
  public init(_ text: String, organization: String? = nil) throws(Refusal) {
    var named = organization
    var id = text
    if let parts = RecordKey.parts(of: text) {
      guard named == nil || named?.hasSameBytes(as: parts.organization) == true else {
        throw Refusal.invalidRequest("the id and `organization` name different organizations")
      }
      (named, id) = (parts.organization, parts.id)
    }
    switch named {
    case nil: space = .unnamed
    case ""?: space = .shared
    case let name?:
      do throws(Malformed) { space = .organization(try OrganizationID(parsing: name)) } catch {
        throw Refusal.invalidRequest("`organization` is malformed")
      }
    }
    self.id = id
    self.text = text
  }

  /// The keys of the records that a person's app can mean, the likeliest first.
  ///
  /// An id alone means the record of the session's organization, or else the one without
  /// organization.
  static func keys(
    _ id: String, in organization: OrganizationID?, of account: Account
  ) -> [RecordKey] {
    if RecordKey.parts(of: id) != nil { return [RecordKey(stored: id)] }
    guard let organization else {
      return [RecordKey(nil, id)] + account.organizations.map { RecordKey($0, id) }
    }
    return [RecordKey(organization, id), RecordKey(nil, id)]
  }
}

/// The ids by which a person's app tells the records of one list apart.
///
/// Two of them can have the same id, one of the session's organization and one without an
/// organization. Then the other one is named with its space.
struct ShownIDs {
  private let organization: OrganizationID?
  private var counts: [String: Int] = [:]

  init(_ keys: [RecordKey], in organization: OrganizationID?) {
    self.organization = organization
    for key in keys { counts[key.id, default: 0] += 1 }
  }

  func id(of key: RecordKey) -> String {
    key.organization == organization || counts[key.id, default: 0] < 2 ? key.id : key.fullText
  }
}

extension Job {
  public var key: RecordKey { RecordKey(organization, id) }
}

extension Delivery {
  public var key: RecordKey { RecordKey(organization, id) }
}

extension Activity {
  public var key: RecordKey { RecordKey(organization, id) }
}
