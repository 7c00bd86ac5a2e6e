import JSONText
import SignInEngine
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

    fileprivate init?(_ answer: PolicyAnswer) {
      guard let failures = answer.value(.lockoutFailures).count,
        let lockSeconds = answer.value(.firstLock).seconds,
        let codeDigits = answer.value(.codeDigits).count
      else { return nil }
      self.failures = failures
      self.lockSeconds = lockSeconds
      self.codeDigits = codeDigits
    }
  }

  init(_ answer: PolicyAnswer) {
    id = ClientID(answer.id)
    name = answer.name
    numbers = Numbers(answer)
    isChanged = answer.isChanged
  }
}

/// One organization in the same list.
public struct OrganizationCard: Equatable, Sendable {
  public let id: OrganizationID
  public let name: String
  /// How many of its values differ from those of the apps.
  public let ownValues: Int64
  public let isChanged: Bool

  init(_ answer: PolicyAnswer) {
    id = OrganizationID(answer.id)
    name = answer.name
    ownValues = Self.leaves(answer.policy)
    isChanged = answer.isChanged
  }

  private static func leaves(_ json: JSON) -> Int64 {
    guard let members = json.objectMembers else { return json == .null ? 0 : 1 }
    var count: Int64 = 0
    for member in members { count += leaves(member.value) }
    return count
  }
}
