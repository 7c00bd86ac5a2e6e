import JSONText
public import SignInEngine
public import SignInModel
public import SignInWire

/// The form in which an administrator creates or changes an account (T-16).
///
/// A change sends only what differs. The server changes all of it, or nothing. A new person sets
/// the password with an invitation, so that no other person knows it.
public struct AccountEditor: Equatable, Sendable {
  /// Which parts of the account may be changed.
  public enum Extent: Equatable, Sendable {
    case everything
    /// The administrator's own account.
    ///
    /// Another administrator must change the other parts.
    case name
    /// The account also belongs to organizations in which the person is no administrator.
    case organizations
  }

  public typealias Fault = AccountFault

  public typealias Consequence = AccountChangeConsequence

  public static let roles = AccountRole.allCases.map { $0.rawValue }

  /// The account as it was when the form was opened; without a name if the form creates one.
  public let entry: AccountEntry
  /// Whether the form creates an account.
  public let isNew: Bool
  public let extent: Extent
  public private(set) var name: String
  public private(set) var email: String
  public private(set) var phone: String
  public private(set) var role: String
  public private(set) var organizations: [OrganizationID]
  /// The permissions, if the role is administrator.
  public private(set) var permissions: [PermissionEntry]
  public private(set) var faults: [Fault] = []
  public private(set) var waiting: Wait?
  public private(set) var notice: ConsoleNotice?

  /// Whether something was typed or chosen that is not saved.
  private(set) var isDirty = false
  private let own: ConsoleAdministrator
  /// The idempotency key.
  ///
  /// It is the same for each attempt with the same values.
  private var key: String?

  /// `nil` if the administrator may change nothing in the account.
  init?(_ entry: AccountEntry, by own: ConsoleAdministrator) {
    if own.id == entry.id {
      guard own.mayChange(entry, needing: .administrator) else { return nil }
      self.init(entry, .name, by: own)
    } else if own.mayChange(entry, needing: .administrator) {
      self.init(entry, .everything, by: own)
    } else if own.mayRemoveFromOrganizations(entry) {
      self.init(entry, .organizations, by: own)
    } else {
      return nil
    }
  }

  /// The form for a new account, in the only organization of the administrator if there is one.
  init(newBy own: ConsoleAdministrator, at now: Instant) {
    let granted = own.organizations(with: .administrator)
    var organizations: [OrganizationID] = []
    if granted.count == 1, let only = granted[0] { organizations = [only] }
    let entry = AccountEntry(
      id: AccountID(""), name: "", email: nil, phone: nil, role: Self.roles[0],
      status: AccountStatus.active.rawValue, organizations: organizations, hasPassword: false,
      failuresInRow: 0, lockedUntil: nil, lockedDevices: 0, createdAt: now)
    self.init(entry, .everything, by: own, isNew: true)
  }

  private init(
    _ entry: AccountEntry, _ extent: Extent, by own: ConsoleAdministrator, isNew: Bool = false
  ) {
    self.entry = entry
    self.extent = extent
    self.own = own
    self.isNew = isNew
    name = entry.name
    email = entry.email ?? ""
    phone = entry.phone ?? ""
    role = entry.role
    organizations = entry.organizations
    permissions = entry.permissions
  }

  public func fault(at field: FieldName) -> Fault? {
    faults.first { $0.field == field }
  }

  /// Whether the administrator may add the account to the organization, or remove it from there.
  public func mayToggle(_ organization: OrganizationID) -> Bool {
    guard own.has(.administrator, in: organization) else { return false }
    return extent == .everything || entry.organizations.contains(organization)
  }

  /// Whether the account may have permissions, and the administrator may change them.
  public var hasPermissions: Bool {
    extent == .everything && role == AccountRole.administrator.rawValue
  }

  /// The level in the organization, or globally if there is none; empty for no level.
  public func level(in organization: OrganizationID?) -> String {
    permissions.first { $0.organization == organization }?.level ?? ""
  }

  /// Administrators can grant only levels that they have.
  public func mayGrant(
    _ level: ConsoleAdministrator.Level, in organization: OrganizationID?
  ) -> Bool {
    own.has(level, in: organization)
  }

  // MARK: Typing and choosing

  mutating func edit(_ field: FieldName, _ text: String) {
    guard waiting == nil else { return }
    switch field {
    case .name where extent != .organizations: name = text
    case .email where extent == .everything: email = text
    case .phone where extent == .everything: phone = text
    case .role where extent == .everything && Self.roles.contains(text):
      role = text
      // Whether an e-mail address is needed, and whether a number is taken, depends on the role.
      faults.removeAll { $0.field != .name }
    case .permissions where hasPermissions: grant(text)
    default: return
    }
    changed(field)
  }

  /// Grants the level of a text such as `viewer:north`.
  ///
  /// Without a level the permission is removed. Without an organization it is global.
  private mutating func grant(_ text: String) {
    guard let (word, place) = text.cut(at: ":") else { return }
    let organization = place.isEmpty ? nil : OrganizationID(place)
    permissions.removeAll { $0.organization == organization }
    guard let level = ConsoleAdministrator.Level(rawValue: word), own.has(level, in: organization)
    else { return }
    permissions.append(PermissionEntry(level: level.rawValue, organization: organization))
  }

  mutating func toggle(_ organization: OrganizationID) {
    guard waiting == nil, extent != .name, mayToggle(organization) else { return }
    if organizations.contains(organization) {
      organizations.removeAll { $0 == organization }
    } else {
      organizations.append(organization)
    }
    changed(.organizations)
  }

  private mutating func changed(_ field: FieldName) {
    key = nil
    isDirty = true
    notice = nil
    faults.removeAll { $0.field == field }
  }

  mutating func dismiss() { notice = nil }

  // MARK: Saving

  mutating func save(_ context: inout FlowContext) -> [PageEffect] {
    guard waiting == nil else { return [] }
    notice = nil
    faults = typedFaults
    if let fault = faults.first { return explain(fault, &context) }
    let body = changes.json
    guard body.objectMembers?.isEmpty == false else { return show(.nothingChanged, &context) }
    let key = self.key ?? context.makeIdempotencyKey()
    self.key = key
    let request =
      isNew
      ? APIRequest.post(.adminAccounts, body, idempotencyKey: key)
      : APIRequest.patch(
        .adminAccount(Endpoint.Segment(entry.id.text)), body, idempotencyKey: key)
    waiting = Wait(request: context.ask(request), since: context.now)
    return []
  }

  private var typedFaults: [Fault] {
    var faults: [Fault] = []
    if PersonName(typed: name) == nil {
      faults.append(TypedText.isBlank(name) ? .nameNeeded : .nameTooLong)
    }
    if isEmailEmpty {
      // An account that an identity provider created may have no address.
      let rider = AccountRole.rider.rawValue
      let mayBeEmpty = !isNew && entry.email == nil && entry.role != rider
      if role != rider, !mayBeEmpty { faults.append(.emailNeeded) }
    } else if EmailAddress(typed: email) == nil {
      faults.append(.emailMalformed)
    }
    // The server decides whether the account can be without a number.
    let mayBeWithoutPhone = !isNew && role != AccountRole.rider.rawValue
    if !isPhoneEmpty || !mayBeWithoutPhone, let fault = phoneFault { faults.append(fault) }
    if organizations.isEmpty, !own.has(.administrator, in: nil) {
      faults.append(.organizationNeeded)
    }
    if hasOtherPermissions, permissions.isEmpty { faults.append(.permissionNeeded) }
    return faults
  }

  private var phoneFault: Fault? {
    do throws(Malformed) {
      _ = try PhoneNumber(parsing: phone)
      return nil
    } catch {
      return error.value == .phoneZero ? .phoneZeroDoubtful : .phoneMalformed
    }
  }

  private var isEmailEmpty: Bool { TypedText.isBlank(email) }

  private var isPhoneEmpty: Bool { TypedText.isBlank(phone) }

  /// The members that differ from the account's.
  private var changes: AccountBody {
    var body = AccountBody()
    if let name = PersonName(typed: name)?.text, name != entry.name { body.name = name }
    if isEmailEmpty {
      if entry.email != nil { body.email = .null }
    } else if let email = EmailAddress(typed: email)?.text, email != entry.email {
      body.email = .text(email)
    }
    if isPhoneRemoved {
      body.phone = .null
    } else if isPhoneNew, let number = PhoneNumber(typed: phone) {
      body.phone = .text(number.e164)
    }
    if isNew || isRoleNew { body.role = role }
    if hasOtherOrganizations || (isNew && !organizations.isEmpty) {
      body.organizations = organizations.map { $0.text }
    }
    if hasOtherPermissions { body.permissions = permissions.map { PermissionBody($0) } }
    return body
  }

  /// Whether a number was typed that differs from the account's number.
  public var isPhoneNew: Bool {
    PhoneNumber(typed: phone).map { $0.e164 != entry.phone } ?? false
  }

  /// Whether the account loses its number.
  public var isPhoneRemoved: Bool { isPhoneEmpty && entry.phone != nil }

  public var isRoleNew: Bool { role != entry.role }

  /// Whether the account gets another e-mail address, or loses its address.
  public var isEmailNew: Bool {
    if isEmailEmpty { return entry.email != nil }
    return EmailAddress(typed: email).map { $0.text != entry.email } ?? false
  }

  /// Whether the account leaves an organization.
  public var losesOrganization: Bool {
    for organization in entry.organizations where !organizations.contains(organization) {
      return true
    }
    return false
  }

  private var hasOtherOrganizations: Bool {
    for organization in organizations where !entry.organizations.contains(organization) {
      return true
    }
    return organizations.count != entry.organizations.count
  }

  /// Whether the permissions differ, or an account becomes an administrator and needs some.
  private var hasOtherPermissions: Bool {
    guard hasPermissions else { return false }
    for permission in permissions where !entry.permissions.contains(permission) { return true }
    return isRoleNew || permissions.count != entry.permissions.count
  }

  // MARK: Answers

  func isFor(_ id: RequestID) -> Bool { waiting?.isFor(id) ?? false }

  /// Handles the answer, and returns the account if it was changed.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (changed: AccountEntry?, effects: [PageEffect]) {
    waiting = nil
    if let body = answer.success, let changed = AccountEntry(json: body) {
      return (changed, [.announce(.console(.notice(notice(of: changed))))])
    }
    if let fault = fault(of: answer) {
      faults = [fault]
      return (nil, explain(fault, &context))
    }
    return (nil, show(ConsoleNotice(answer, at: context.now), &context))
  }

  /// The fault that a refusal names, if it concerns one value.
  private func fault(of answer: Answer) -> Fault? {
    switch answer.refusal {
    case .accountExists: takenFault
    case .invalidRequest: isPhoneRemoved ? .phoneNeeded : nil
    default: nil
    }
  }

  /// `nil` if the refusal may concern either of two values.
  private var takenFault: Fault? {
    // A number can belong to one account of each role.
    switch (isEmailNew && !isEmailEmpty, isPhoneNew || isRoleNew) {
    case (true, false): return .emailTaken
    case (false, true): return .phoneTaken
    case (true, true), (false, false): return nil
    }
  }

  /// What the console says after the account was created or changed.
  func notice(of changed: AccountEntry) -> ConsoleNotice {
    if isNew { return .created(needsPassword: AccountAction.mayBeInvited(changed)) }
    var consequences: [Consequence] = []
    if changed.phone != entry.phone {
      consequences.append(changed.phone == nil ? .removedPhone : .newPhone)
    }
    if changed.email != entry.email { consequences.append(.newEmail) }
    if changed.role != entry.role { consequences.append(.newRole) }
    for organization in entry.organizations where !changed.organizations.contains(organization) {
      consequences.append(.lostOrganization)
      break
    }
    return .edited(consequences)
  }

  private mutating func show(
    _ notice: ConsoleNotice, _ context: inout FlowContext
  ) -> [PageEffect] {
    self.notice = notice
    context.moveFocus(to: .account)
    return [.announce(.console(.notice(notice)))]
  }

  private func explain(_ fault: Fault, _ context: inout FlowContext) -> [PageEffect] {
    context.moveFocus(to: PagePart(rawValue: fault.field.rawValue))
    return [.announce(.console(.accountFault(fault)))]
  }
}

extension AccountFault {
  public var field: FieldName {
    switch self {
    case .nameNeeded, .nameTooLong: .name
    case .emailMalformed, .emailNeeded, .emailTaken: .email
    case .phoneMalformed, .phoneZeroDoubtful, .phoneNeeded, .phoneTaken: .phone
    case .organizationNeeded: .organizations
    case .permissionNeeded: .permissions
    }
  }
}
