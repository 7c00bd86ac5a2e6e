public import JSONText
public import SignInModel

/// Policy values that replace configured ones, with the keys of the configuration.
///
/// Each key can be absent.
///
/// In the configuration, an organization has them under `policy`. While the server runs,
/// administrators change them for an app or an organization.
public struct PolicyChanges: Equatable, Sendable {
  /// The app or the organization that the policy belongs to.
  public enum Subject: Hashable, Sendable {
    case client(ClientID)
    case organization(OrganizationID)
  }

  public static let none = PolicyChanges(.object([]))

  /// An object that was checked, or that was read from the store.
  public let json: JSON

  public init(_ json: JSON) { self.json = json }

  public var isEmpty: Bool { json.objectMembers?.isEmpty != false }

  /// These changes with `patch` applied to them.
  ///
  /// Null removes a key (RFC 7396, section 2).
  func merged(_ patch: JSON) -> PolicyChanges { PolicyChanges(Self.merge(patch, over: json)) }

  private static func merge(_ patch: JSON, over target: JSON) -> JSON {
    guard let changes = patch.objectMembers else { return patch }
    var members = target.objectMembers ?? []
    for change in changes {
      let index = members.firstIndex { $0.key == change.key }
      let kept = index.map { members.remove(at: $0).value } ?? .object([])
      guard change.value != .null else { continue }
      let member = JSONMember(change.key, merge(change.value, over: kept))
      // An object without keys means nothing, so it is removed with its last key.
      if member.value == .object([]), change.value.objectMembers != nil { continue }
      members.insert(member, at: index ?? members.endIndex)
    }
    return .object(members)
  }

  /// The keys that differ between the two, such as `lockout.failures`, in their order.
  func keys(changedIn other: PolicyChanges) -> [String] {
    Self.keys(of: json, changedIn: other.json, at: "")
  }

  private static func keys(of old: JSON, changedIn new: JSON, at path: String) -> [String] {
    let before = old.objectMembers ?? []
    let after = new.objectMembers ?? []
    let names = before.map(\.key) + after.map(\.key).filter { old[$0] == nil }
    return names.flatMap { name -> [String] in
      let (was, becomes) = (old[name], new[name])
      if was == becomes { return [] }
      let path = path.appending(key: name)
      guard was?.objectMembers ?? becomes?.objectMembers != nil else { return [path] }
      return keys(of: was ?? .object([]), changedIn: becomes ?? .object([]), at: path)
    }
  }
}
