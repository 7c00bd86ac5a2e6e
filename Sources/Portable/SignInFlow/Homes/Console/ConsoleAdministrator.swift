public import SignInModel
public import SignInWire

/// Who uses the console, and what their permissions let them do.
///
/// It decides only what is offered: the server checks the permissions that apply at each request.
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

  /// In an organization or, without one, everywhere.
  public func has(_ level: Level, in organization: OrganizationID?) -> Bool {
    for granted in permissions {
      guard let own = Level(rawValue: granted.level), own.includes(level) else { continue }
      if granted.organization == nil || granted.organization == organization { return true }
    }
    return false
  }

  /// In one organization at least.
  public func hasAnywhere(_ level: Level) -> Bool { !organizations(with: level).isEmpty }

  /// Where the level was granted; nil means everywhere.
  func organizations(with level: Level) -> [OrganizationID?] {
    var organizations: [OrganizationID?] = []
    for granted in permissions {
      guard let own = Level(rawValue: granted.level), own.includes(level) else { continue }
      organizations.append(granted.organization)
    }
    return organizations
  }

  /// Whether the level applies in every organization of the account, and no permission of the
  /// account goes beyond one's own.
  public func mayChange(_ account: AccountEntry, needing level: Level) -> Bool {
    guard covers(account) else { return false }
    if has(level, in: nil) { return true }
    for organization in account.organizations where !has(level, in: organization) { return false }
    return !account.organizations.isEmpty
  }

  /// Whether one may take the account out of some of its organizations, and change nothing else.
  func mayTakeOut(_ account: AccountEntry) -> Bool {
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
