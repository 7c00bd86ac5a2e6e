import JSONText
public import SignInModel
import SignInRules
public import SignInWire

/// A new account, complete and parsed.
public struct AccountCreation: Sendable {
  public let name: PersonName
  public let role: AccountRole
  /// Required for every role that signs in with a password: all except riders.
  public let email: EmailAddress?
  /// Required for riders.
  ///
  /// Without it, the person can sign in at an identity provider only.
  public let phone: PhoneNumber?
  /// Nil if the person chooses a password with an invitation.
  public let password: Secret?
  public let organizations: [OrganizationID]
  /// The permission of a new administrator; nil for the permission of the administrator who creates
  /// the account.
  public let permission: Permission?

  public init(
    name: PersonName, role: AccountRole, email: EmailAddress?, phone: PhoneNumber?,
    password: Secret?, organizations: [OrganizationID], permission: Permission? = nil
  ) {
    self.name = name
    self.role = role
    self.email = email
    self.phone = phone
    self.password = password
    self.organizations = organizations
    self.permission = permission
  }

  /// The address and the number, because only one account can have them.
  var subjects: [Subject] {
    [email.map { .email($0) }, phone.map { .number($0) }].compactMap { $0 }
  }
}

/// The idempotency key of a request, with its owner and the request's content.
public struct IdempotencyKey: Sendable {
  public static let keyByteLimit = 255
  /// How long an answer is remembered, in seconds.
  public static let retentionSeconds: Int64 = 24 * 60 * 60

  public let owner: AccountID
  public let key: String
  /// The operation, the organization of the session, and the body, byte for byte.
  public let request: [UInt8]

  public init(owner: AccountID, key: String, request: [UInt8]) {
    self.owner = owner
    self.key = key
    self.request = request
  }
}

/// Creates an active account (T-16).
///
/// With `once`, the same request under the same key gets the same answer and creates nothing twice,
/// even if the account has changed since. A different request under the same key is refused.
public func createAccount(
  _ creation: AccountCreation, once: IdempotencyKey? = nil, rules: AccountEditingRules,
  in world: World
) async throws(Refusal) -> AccountEntry {
  try creation.check(world)
  let now = world.clock.now()
  var account = Account(
    id: AccountID(world.handle(bytes: 16)), email: creation.email, phone: creation.phone,
    name: creation.name.text, role: creation.role, status: .active, passwordHash: nil,
    organizations: creation.organizations.unique, createdAt: now
  )
  account.permission = creation.permission ?? .none
  if let once {
    let wanted = account
    let known: JSON? = try await world.read {
      (transaction: any AccountRecords & RememberedAnswerRecords) throws in
      _ = try creation.admitted(wanted, by: rules, in: world, transaction)
      return try once.earlierAnswer(at: now, world.keyring, transaction)
    }
    if let entry = known.flatMap({ AccountEntry(json: $0) }) { return entry }
  }
  let words = [creation.name.text, creation.email?.text ?? ""]
  account.passwordHash = try await hashed(creation.password, about: words, in: world)
  let wanted = account
  // It is checked again, because the same request may have been answered during the hashing.
  return try await world.decideIdempotently(
    once, about: creation.subjects + [rules.subject],
    form: RememberedForm(json: { $0.json }, read: { AccountEntry(json: $0) }),
    permit: { _ = try creation.admitted(wanted, by: rules, in: world, $0) }
  ) { (transaction: any AccountEntryRecords & AccountRecords & EventRecords) throws in
    let account = try creation.admitted(wanted, by: rules, in: world, transaction)
    if let taken = try taken(by: account, transaction) { throw taken }
    try transaction.insert(account)
    try transaction.record(.accountCreated, about: account.id, by: rules, at: now)
    return try account.entry(at: now, transaction)
  }
}

extension AccountCreation {
  fileprivate func check(_ world: World) throws(Refusal) {
    guard email != nil || role == .rider else {
      throw .invalidRequest("email is needed for this role")
    }
    if role != .administrator, let permission, permission != .none {
      throw .permissionsOfAdministrators
    }
    try world.checkConfigured(organizations)
    try world.checkConfigured(permission ?? .none)
  }

  /// The account with its permission and its proofs, if this administrator may create it.
  ///
  /// Administrators cannot grant more than their own permission.
  func admitted(
    _ account: Account, by rules: AccountEditingRules, in world: World,
    _ transaction: any AccountRecords
  ) throws -> Account {
    let own = try rules.permission(transaction)
    try own.check(joining: organizations)
    var account = account
    if role == .administrator { account.permission = permission ?? own }
    guard own.has(.administrator, over: account) else {
      throw Refusal.permissionDenied("organizations: name one of yours")
    }
    guard own.covers(account.permission) else { throw Refusal.grantsTooMuch }
    if let proof = rules.proof(own) { account.proveContacts(by: proof) }
    return account
  }
}

extension World {
  func checkConfigured(_ named: [OrganizationID]) throws(Refusal) {
    for id in named where organization(id) == nil as Configuration.Organization? {
      throw .notConfigured(id)
    }
  }

  func checkConfigured(_ permission: Permission) throws(Refusal) {
    for id in permission.organizations.keys.sorted(by: { $0.text < $1.text })
    where organization(id) == nil as Configuration.Organization? {
      throw .invalidRequest("permissions: `\(id.text)` is not configured")
    }
  }
}

extension Permission {
  /// Refuses to add an account to these organizations, or to remove it from them, if this
  /// permission does not allow it.
  ///
  /// An organization that this permission does not see is answered like one that does not exist.
  func check(joining organizations: [OrganizationID]) throws(Refusal) {
    for organization in organizations where !has(.administrator, in: organization) {
      throw has(.viewer, in: organization) ? .permissionDenied : .notConfigured(organization)
    }
  }
}

extension Refusal {
  static func notConfigured(_ organization: OrganizationID) -> Refusal {
    Refusal.invalidRequest("organizations: `\(organization.text)` is not configured")
  }

  static var permissionsOfAdministrators: Refusal {
    Refusal.invalidRequest(
      "permissions: only an account of role administrator can have permissions")
  }
}

extension Refusal {
  fileprivate static func accountExists(
    _ member: UnparsedAccount.Member, _ description: String
  ) -> Refusal {
    .accountExists(
      description,
      [
        MemberMistake(
          member: member.field.rawValue, problem: "belongs to another account",
          remedy: "write another one")
      ])
  }
}

/// The refusal to save an account with an address or a number of another one; nil if there is none.
///
/// What the person proves now, and another account has not proved, is no reason: call `take` before
/// the account is saved.
func taken(
  by account: Account, proving proved: ProvedContacts = .nothing, _ transaction: any AccountRecords
) throws(StoreFault) -> Refusal? {
  for value in account.contacts {
    guard let other = try transaction.holder(of: value, as: account.role),
      other.id != account.id, !proved.areTaken(value, from: other)
    else { continue }
    if value.phone == nil { return .accountExists(.email, "another account has this email") }
    return .accountExists(.phoneNumber, "another account of this role has this phone_number")
  }
  return nil
}

/// The hash of an allowed password; nil if there is no password.
///
/// `words` are known words about the person. None of them may be the password.
func hashed(
  _ password: Secret?, about words: [String], in world: World
) async throws(Refusal) -> String? {
  guard let password else { return nil }
  try await world.check(newPassword: password, about: words + ["Fieldpass"])
  return try await world.hash(of: password)
}

extension [OrganizationID] {
  /// Each organization once, in the order of the first mention.
  var unique: [OrganizationID] {
    var found: [OrganizationID] = []
    for organization in self where !found.contains(organization) { found.append(organization) }
    return found
  }
}
