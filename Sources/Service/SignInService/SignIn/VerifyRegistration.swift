import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A code that a person entered to prove the number of a registration.
public struct RegistrationCode: Sendable {
  public let session: Secret
  /// The text that the person entered, which may be no code.
  public let code: Secret
  /// The RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?

  public init(session: Secret, code: Secret, proofKeyThumbprint: String?, peer: String?) {
    self.session = session
    self.code = code
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }
}

/// Creates the account of a person who has proved the number.
///
/// The policy says whether the account is active at once. If the number has an account already, the
/// person reads its status, because the code proves that the account is theirs. A pending account
/// is approved if the policy approves it now.
///
/// The same answer again, after a lost response, gets the same status.
public func verifyRegistration(
  _ answer: RegistrationCode, in world: World
) async throws(Refusal) -> AccountStatus {
  guard let open = OpenRegistration(opening: answer.session, world.keyring),
    let client = world.clients[open.client], client.allowsRegistration,
    client.signIn == .phoneCode,
    open.proofKeyThumbprint == nil || open.proofKeyThumbprint == answer.proofKeyThumbprint
  else { throw .invalidSession }
  let unknown = world.keyring.unknownAccount(.registration(open.phone, roles: client.roles))
  let newID = AccountID(world.handle(bytes: 16))
  return try await world.waitingForOthers { now throws(Refusal) in
    let step = RegistrationCodeStep(
      answer: answer, open: open, unknown: unknown, newID: newID, now: now, world: world)
    return try await world.decide(about: [.number(open.phone), .account(unknown), .account(newID)])
    { (transaction: any RegistrationCodeStep.Records) throws in
      guard now < open.expiresAt else { throw Refusal.invalidSession }
      let app = try world.registration(of: client, for: nil, transaction)
      return try step.verify(app, transaction)
    }
  }
}

/// One answer to a registration that waits for a code.
private struct RegistrationCodeStep: Sendable {
  typealias Records =
    ContactProvingRecords & KnownDevice.Records & OutboxRecords & PolicyRecords
    & Throttling.Records

  let answer: RegistrationCode
  let open: OpenRegistration
  /// The placeholder account of the number.
  let unknown: AccountID
  let newID: AccountID
  let now: Instant
  let world: World

  private var caller: Caller {
    Caller(
      client: open.client, peer: answer.peer, proofKeyThumbprint: answer.proofKeyThumbprint)
  }

  /// The status of the account; nil while other answers are being compared.
  func verify(_ app: AppRegistration, _ transaction: any Records) throws -> AccountStatus? {
    let policy = app.policy.lockoutOfNewContact
    let bucket = FailureBucket(account: unknown, device: nil, asker: open.proofKeyThumbprint)
    let throttling = world.throttling(for: app, by: caller).held(by: bucket)
    var counter = try transaction.failures(in: bucket)
    try transaction.checkLockout(of: counter, in: bucket, by: caller, at: now, under: policy)
    if counter.verdict(at: now, under: policy) == .wait { return nil }
    let challenge = try transaction.codeChallenge(at: bucket.codePlace(for: .registration))
    let mac = world.keyring.mac(ofTyped: answer.code, account: unknown, for: .registration)
    let verdict = challenge?.verdict(
      on: mac, forClient: open.client, proofKeyThumbprint: open.codeKey, at: now)
    guard let challenge, verdict == .compare || isRepeatable(challenge) else {
      try transaction.recordRefusal(.codeExpired, about: unknown, by: caller, at: now)
      throw Refusal.otpExpired(
        authSession: nil, resendAt: challenge?.resendAt, superseded: verdict?.supersededCode)
    }
    try throttling.prepareAnswer(from: .phone(open.phone), transaction)
    if let refusal = try throttling.admitAnswer(about: nil, at: now, transaction) { throw refusal }
    _ = counter.reserve(at: now, under: policy)
    guard ConstantTime.equal(challenge.mac, mac) else {
      throw try transaction.settleWrongCode(
        counter, bucket, of: WrongCode(session: nil, caller: caller), under: policy, at: now)
    }
    try throttling.takeBackFailure(countedAt: now, transaction)
    counter.complete()
    try transaction.save(counter, in: bucket)
    if challenge.isConsumed {
      guard let account = try known(app, transaction) else { throw Refusal.invalidSession }
      return try shownStatus(of: account, transaction)
    }
    let sentAt = try challenge.sentAt(under: app.policy.code, transaction)
    try throttling.completed(to: .phone(open.phone), sentAt: sentAt, at: now, transaction)
    try transaction.save(challenge.used(at: now))
    try transaction.record(.codeAccepted, about: nil, by: caller, at: now)
    return try settle(app, transaction)
  }

  /// Whether the code was used by this registration, so that its lost answer can be repeated.
  private func isRepeatable(_ challenge: CodeChallenge) -> Bool {
    challenge.isConsumed && now < challenge.expiresAt
      && challenge.belongs(toClient: open.client, proofKeyThumbprint: open.codeKey)
  }

  private func known(
    _ app: AppRegistration, _ transaction: any AccountRecords
  ) throws(StoreFault) -> Account? {
    for role in app.roles {
      if let account = try transaction.account(phone: open.phone, role: role) { return account }
    }
    return nil
  }

  /// Creates or approves the account of the proved number.
  private func settle(_ app: AppRegistration, _ transaction: any Records) throws -> AccountStatus {
    let approval = app.approval(of: open.phone)
    guard let found = try known(app, transaction) else {
      guard let role = app.roles.first else { throw Refusal.invalidSession }
      let created = Account(
        id: newID, email: nil, phone: open.phone, name: open.name.text, role: role,
        status: approval == nil ? .pending : .active, passwordHash: nil, organizations: [],
        createdAt: now)
      try transaction.insert(created)
      try transaction.record(.accountRegistered, about: created.id, by: caller, at: now)
      return try finish(try prove(created, transaction), approval, transaction)
    }
    var account = try prove(found, transaction)
    guard account.status == .pending else { return try shownStatus(of: account, transaction) }
    // Only now is it known whose number it is, so the name that this person typed applies.
    account.name = open.name.text
    if approval != nil { account.status = .active }
    if account != found { try transaction.update(account) }
    return try finish(account, approval, transaction)
  }

  /// Stores that a code proved the number of the account.
  private func prove(_ account: Account, _ transaction: any Records) throws(StoreFault) -> Account {
    try transaction.prove([.phone(open.phone)], of: account, by: .code, caller, at: now)
  }

  /// The status that the person who proved the number reads.
  private func shownStatus(
    of account: Account, _ transaction: any Records
  ) throws -> AccountStatus {
    switch account.status {
    case .active, .pending: return account.status
    case .deactivated, .rejected:
      try transaction.recordRefusal(.refusedDeactivated, about: account.id, by: caller, at: now)
      throw Refusal.accountDeactivated
    }
  }

  /// Records who approved the account, or remembers the device of a person who has to wait.
  ///
  /// A known device may read later that the account waits.
  private func finish(
    _ account: Account, _ approval: RegistrationApproval?, _ transaction: any Records
  ) throws -> AccountStatus {
    if let approval {
      try transaction.record(
        .accountApproved, about: account.id, detail: approval.rawValue, by: caller, at: now)
    } else if let key = open.proofKeyThumbprint {
      let device = KnownDevice(
        account: account.id, proofKeyThumbprint: key, lastSeenAt: now, hasProvedPassword: false)
      try transaction.remember(device, among: try transaction.knownDevices(of: account.id))
    }
    return account.status
  }
}

extension AppRegistration {
  /// The rule that approves a person with this proved number; nil if an administrator has to.
  fileprivate func approval(of phone: PhoneNumber) -> RegistrationApproval? {
    switch policy.registrationApproval {
    case .number: .number
    case .list: registrationNumbers.contains(phone) ? .list : nil
    case .administrator, .administratorAfterCode: nil
    }
  }
}
