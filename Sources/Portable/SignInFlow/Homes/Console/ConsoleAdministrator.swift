import SignInEngine
public import SignInModel
public import SignInWire

/// The person who uses the console, with their permissions.
///
/// This decides only what the console offers. The server checks the permissions at each request.
public struct ConsoleAdministrator: Equatable, Sendable {
  public enum Level: String, Sendable, CaseIterable {
    case viewer
    case support
    case administrator

    fileprivate func includes(_ level: Level) -> Bool {
      switch self {
      case .viewer: level == .viewer
      case .support: level != .administrator
      case .administrator: true
      }
    }
  }

  let id: AccountID
  private let permissions: [PermissionEntry]

  init(_ account: AccountAnswer) {
    id = account.id
    permissions = account.permissions
  }

  /// Whether the person has the level in the organization, or globally if there is none.
  public func has(_ level: Level, in organization: OrganizationID?) -> Bool {
    for granted in permissions {
      guard let own = Level(rawValue: granted.level), own.includes(level) else { continue }
      if granted.organization == nil || granted.organization == organization { return true }
    }
    return false
  }

  /// Whether the person has the level globally or in at least one organization.
  public func hasAnywhere(_ level: Level) -> Bool { !organizations(with: level).isEmpty }

  /// Where the level was granted; `nil` means globally.
  func organizations(with level: Level) -> [OrganizationID?] {
    var organizations: [OrganizationID?] = []
    for granted in permissions {
      guard let own = Level(rawValue: granted.level), own.includes(level) else { continue }
      organizations.append(granted.organization)
    }
    return organizations
  }

  /// Whether the person has the level in every organization of the account.
  ///
  /// The account must not have a permission that the person does not have.
  public func mayChange(_ account: AccountEntry, needing level: Level) -> Bool {
    guard covers(account) else { return false }
    if has(level, in: nil) { return true }
    for organization in account.organizations where !has(level, in: organization) { return false }
    return !account.organizations.isEmpty
  }

  /// Whether the person may remove the account from some of its organizations, and change nothing
  /// else.
  func mayRemoveFromOrganizations(_ account: AccountEntry) -> Bool {
    guard covers(account), account.organizations.count > 1 else { return false }
    for organization in account.organizations where has(.administrator, in: organization) {
      return true
    }
    return false
  }

  private func covers(_ account: AccountEntry) -> Bool {
    for granted in account.permissions {
      guard let level = Level(rawValue: granted.level), has(level, in: granted.organization) else {
        return false
      }
    }
    return true
  }
}
