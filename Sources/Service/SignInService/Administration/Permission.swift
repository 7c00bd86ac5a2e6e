public import SignInModel

/// What an administrator may do: everywhere, or in some organizations.
///
/// Two levels can apply in an organization: the one granted everywhere and the one granted there.
/// The higher one decides.
public struct Permission: Equatable, Sendable {
  public enum Level: String, CaseIterable, Comparable, Sendable {
    /// Reads.
    case viewer
    /// Reads, unlocks accounts, invites, ends sessions, resets passwords and approves waiting
    /// passwords.
    case support
    /// Does everything.
    case administrator

    private var rank: Int {
      switch self {
      case .viewer: 0
      case .support: 1
      case .administrator: 2
      }
    }

    public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
  }

  /// One level, in one organization or, if there is none, everywhere.
  public struct Grant: Equatable, Sendable {
    public let level: Level
    public let organization: OrganizationID?

    public init(_ level: Level, in organization: OrganizationID? = nil) {
      self.level = level
      self.organization = organization
    }
  }

  /// The grants of one account, at most.
  public static let grantLimit = 50

  public static let none = Permission([])
  /// The permission of a global administrator, and of a shell on the server.
  public static let everything = Permission([Grant(.administrator)])

  /// The level that applies in every organization, and to records without an organization.
  public let everywhere: Level?
  /// The levels that are granted in single organizations.
  public let organizations: [OrganizationID: Level]

  /// If two grants name the same organization, the higher one applies.
  public init(_ grants: [Grant]) {
    var everywhere: Level?
    var organizations: [OrganizationID: Level] = [:]
    for grant in grants {
      if let organization = grant.organization {
        organizations[organization] = max(organizations[organization] ?? .viewer, grant.level)
      } else {
        everywhere = max(everywhere ?? .viewer, grant.level)
      }
    }
    self.everywhere = everywhere
    self.organizations = organizations
  }

  /// The global grant first, then the others in order of their organization.
  public var grants: [Grant] {
    let local = organizations.sorted { $0.key.text < $1.key.text }
    return [everywhere].compactMap { $0 }.map { Grant($0) }
      + local.map { Grant($0.value, in: $0.key) }
  }

  public func level(in organization: OrganizationID) -> Level? {
    switch (everywhere, organizations[organization]) {
    case (let global?, let local?): max(global, local)
    case (let global, let local): global ?? local
    }
  }

  public func has(_ level: Level, in organization: OrganizationID) -> Bool {
    self.level(in: organization).map { $0 >= level } ?? false
  }

  public func hasEverywhere(_ level: Level) -> Bool { everywhere.map { $0 >= level } ?? false }

  /// Whether `other` grants nothing that this permission does not grant.
  public func covers(_ other: Permission) -> Bool {
    if let global = other.everywhere, !hasEverywhere(global) { return false }
    return other.organizations.allSatisfy { has($0.value, in: $0.key) }
  }

  /// The organizations in which it has this level; nil if it has the level everywhere.
  public func organizations(with level: Level) -> [OrganizationID]? {
    if hasEverywhere(level) { return nil }
    return organizations.filter { $0.value >= level }.map(\.key).sorted { $0.text < $1.text }
  }
}

// MARK: - What a route needs

extension Permission {
  /// The permission that a route of administration requires before its use case reads any record.
  public struct Need: Equatable, Sendable {
    public let level: Level
    /// Whether the level is required everywhere.
    ///
    /// If not, one organization is enough, and the use case checks that the record belongs to it.
    public let isEverywhere: Bool

    public static let viewer = Need(level: .viewer, isEverywhere: false)
    public static let support = Need(level: .support, isEverywhere: false)
    public static let administrator = Need(level: .administrator, isEverywhere: false)
    public static let viewerEverywhere = Need(level: .viewer, isEverywhere: true)
    public static let administratorEverywhere = Need(level: .administrator, isEverywhere: true)
  }

  public func meets(_ need: Need) -> Bool {
    if hasEverywhere(need.level) { return true }
    return !need.isEverywhere && organizations.contains { $0.value >= need.level }
  }
}

// MARK: - Accounts

extension Permission {
  /// Whether the account belongs to an organization that this permission may read.
  ///
  /// An account without organizations is visible to global permissions only.
  public func sees(_ account: Account) -> Bool {
    hasEverywhere(.viewer) || account.organizations.contains { has(.viewer, in: $0) }
  }

  /// Whether this permission has the level in every organization of the account.
  ///
  /// A change of an account has effects in all of its organizations, so one of them is not enough.
  public func has(_ level: Level, over account: Account) -> Bool {
    if hasEverywhere(level) { return true }
    return !account.organizations.isEmpty
      && account.organizations.allSatisfy { has(level, in: $0) }
  }
}

// MARK: - As it is stored

extension Permission {
  private static let separator = UInt8(ascii: ":")

  /// `administrator` for a global grant, `support:north` for a grant in an organization.
  ///
  /// No word contains a space.
  public var words: [String] {
    grants.map { grant in
      grant.organization.map { "\(grant.level.rawValue):\($0.text)" } ?? grant.level.rawValue
    }
  }

  /// Nil if a word does not have the form that `words` produces.
  public init?(words: [String]) {
    var grants: [Grant] = []
    for word in words {
      let parts = word.utf8.split(separator: Self.separator, maxSplits: 1)
      guard let first = parts.first, let level = Level(rawValue: String(first) ?? "") else {
        return nil
      }
      let rest = parts.dropFirst().first.flatMap { String($0) }
      grants.append(Grant(level, in: rest.map { OrganizationID($0) }))
    }
    self.init(grants)
  }
}
