public import SignInModel
import SignInRules
public import SignInWire

/// A new account, whole and parsed.
public struct AccountCreation: Sendable {
  public let name: PersonName
  public let role: Account.Role
  /// Needed by everybody who signs in with a password: all but riders.
  public let email: EmailAddress?
  public let phone: PhoneNumber
  /// Nil when the person is to choose one with an invitation.
  public let password: Secret?
  public let organizations: [OrganizationID]

  public init(
    name: PersonName, role: Account.Role, email: EmailAddress?, phone: PhoneNumber,
    password: Secret?, organizations: [OrganizationID]
  ) {
    self.name = name
    self.role = role
    self.email = email
    self.phone = phone
    self.password = password
    self.organizations = organizations
  }
}

/// What makes a repeated request the same one: whose key, and what was asked under it.
public struct OnceOnly: Sendable {
  public static let keyByteLimit = 255
  /// An answer is remembered this long.
  public static let keptSeconds: Int64 = 24 * 60 * 60

  public let owner: AccountID
  public let key: String
  /// The operation and its body, byte for byte.
  public let request: [UInt8]

  public init(owner: AccountID, key: String, request: [UInt8]) {
    self.owner = owner
    self.key = key
    self.request = request
  }
}

/// Makes an active account (US-069, T-16).
///
/// With `once`, the same request under the same key is answered the same and makes nothing twice,
/// whatever became of the account meanwhile; another request under it is refused.
public func createAccount(
  _ creation: AccountCreation, once: OnceOnly? = nil, keeper: AccountKeeper, in world: World
) async -> Outcome<AccountEntry> {
  if let refusal = mistake(in: creation, world) { return .refusal(refusal) }
  let now = world.clock.now()
  let keyring = world.keyring
  if let once {
    let known: Outcome<AccountEntry?> = await world.look { (transaction) throws(StoreFault) in
      try remembered(once, at: now, keyring, transaction)
    }
    switch known {
    case .success(let entry?): return .success(entry)
    case .success(nil): break
    case .refusal(let refusal): return .refusal(refusal)
    }
  }
  let hash: String?
  let words = [creation.name.text, creation.email?.text ?? ""]
  switch await hashed(creation.password, about: words, in: world) {
  case .success(let made): hash = made
  case .refusal(let refusal): return .refusal(refusal)
  }
  let account = Account(
    id: AccountID(world.handle(bytes: 16)), email: creation.email, phone: creation.phone,
    name: creation.name.text, role: creation.role, status: .active, passwordHash: hash,
    organizations: creation.organizations, createdAt: now
  )
  return await world.decide { (transaction) throws(StoreFault) in
    // Asked again: the same request may have been answered while this one was hashing.
    if let once {
      switch try remembered(once, at: now, keyring, transaction) {
      case .success(let entry?): return .success(entry)
      case .success(nil): break
      case .refusal(let refusal): return .refusal(refusal)
      }
    }
    if let taken = try taken(by: account, transaction) { return .refusal(taken) }
    try transaction.insert(account)
    try transaction.record(.accountCreated, about: account.id, by: keeper, at: now)
    let entry = try account.entry(at: now, transaction)
    if let once { try transaction.save(once.answer(entry.json, at: now, keyring)) }
    return .success(entry)
  }
}

private func mistake(in creation: AccountCreation, _ world: World) -> ErrorAnswer? {
  guard creation.email != nil || creation.role == .rider else {
    return ErrorAnswer(.invalidRequest, "email is needed for this role")
  }
  for organization in creation.organizations {
    guard world.organizations.contains(where: { $0.id == organization }) else {
      return ErrorAnswer(.invalidRequest, "organizations: `\(organization.text)` is not configured")
    }
  }
  return nil
}

private func taken(
  by account: Account, _ transaction: any Transaction
) throws(StoreFault) -> ErrorAnswer? {
  if let email = account.email, try transaction.account(email: email) != nil {
    return ErrorAnswer(.accountExists, "an account has this email")
  }
  if try transaction.account(phone: account.phone, role: account.role) != nil {
    return ErrorAnswer(.accountExists, "an account of this role has this phone_number")
  }
  return nil
}

private func remembered(
  _ once: OnceOnly, at now: Instant, _ keyring: Keyring, _ transaction: any Transaction
) throws(StoreFault) -> Outcome<AccountEntry?> {
  switch try once.earlierAnswer(at: now, keyring, transaction) {
  case .success(let json): return .success(json.flatMap { AccountEntry(json: $0) })
  case .refusal(let refusal): return .refusal(refusal)
  }
}

/// The hash of a password that may be chosen, nil for none.
///
/// `words` are what is known about the person: none of them may be the password.
func hashed(
  _ password: Secret?, about words: [String], in world: World
) async -> Outcome<String?> {
  guard let password else { return .success(nil) }
  if let refusal = await world.refusal(ofNew: password, about: words + ["Fieldpass"]) {
    return .refusal(refusal)
  }
  do throws(PasswordHashingFault) {
    return .success(try await world.passwords.hash(password))
  } catch {
    return .refusal(world.unavailable(because: error))
  }
}
