import JSONText
public import SignInModel
import SignInWire

/// One app in the console's list of policies, with the values that are needed most often.
public struct PolicyCard: Equatable, Sendable {
  public let id: ClientID
  public let name: String
  /// `nil` if the administrator may not read the policy for all organizations.
  public let numbers: Numbers?
  /// Whether an administrator has changed a value that the configuration file sets.
  public let isChanged: Bool

  public struct Numbers: Equatable, Sendable {
    public let failures: Int64
    public let lockSeconds: Int64
    public let codeDigits: Int64

    fileprivate init?(json: JSON) {
      guard let failures = PolicyKey.lockoutFailures.value(in: json).count,
        let lockSeconds = PolicyKey.firstLock.value(in: json).seconds,
        let codeDigits = PolicyKey.codeDigits.value(in: json).count
      else { return nil }
      self.failures = failures
      self.lockSeconds = lockSeconds
      self.codeDigits = codeDigits
    }
  }

  init?(json: JSON) {
    guard let id = json["id"]?.text, let name = json["name"]?.text else { return nil }
    self.id = ClientID(id)
    self.name = name
    numbers = Numbers(json: json)
    isChanged = json["changes"]?.objectMembers?.isEmpty == false
  }
}

/// One organization in the same list.
public struct OrganizationCard: Equatable, Sendable {
  public let id: OrganizationID
  public let name: String
  /// How many of its values differ from those of the apps.
  public let ownValues: Int64
  public let isChanged: Bool

  init?(json: JSON) {
    guard let id = json["id"]?.text, let name = json["name"]?.text else { return nil }
    self.id = OrganizationID(id)
    self.name = name
    ownValues = Self.leaves(json["policy"] ?? .null)
    isChanged = json["changes"]?.objectMembers?.isEmpty == false
  }

  private static func leaves(_ json: JSON) -> Int64 {
    guard let members = json.objectMembers else { return json == .null ? 0 : 1 }
    var count: Int64 = 0
    for member in members { count += leaves(member.value) }
    return count
  }
}
