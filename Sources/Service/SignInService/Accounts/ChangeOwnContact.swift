import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// A signed-in person's request for another e-mail address or phone number.
public struct ContactChange: Sendable {
  public let access: Access
  public let value: Recipient
  /// Nil if the account has none.
  public let password: Secret?
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []

  public init(access: Access, value: Recipient, password: Secret?, peer: String?) {
    self.access = access
    self.value = value
    self.password = password
    self.peer = peer
  }
}

/// A code that was sent to a new address or number, and the session to send it back with.
public struct ContactChangeAnswer: Sendable {
  public let session: Secret
  public let prompt: CodePrompt
}

/// Sends a code to the new address or number.
///
/// The person proves first that the session is not stolen. An address or number that another
/// account has proved gets the same answer, and no code is right.
public func beginContactChange(
  _ change: ContactChange, in world: World
) async throws(Refusal) -> ContactChangeAnswer {
  try await world.checkChange(by: change.access, to: change.value)
  try await confirmPerson(
    of: change.access, password: change.password, peer: change.peer, in: world)
  let phone = change.value.phone ?? world.keyring.decoyPhone(change.value.text)
  let sending = CodeSending(
    to: phone, languages: change.languages, at: world.clock.now(), in: world)
  let failures = world.failureBucket(for: change.value, askedBy: change.access.session)
  let step = ContactChangeStep(
    change: change, failures: failures, sending: sending, world: world)
  defer { world.messageRecorded() }
  return try await world.decide(
    about: [.account(change.access.account.id), .account(failures.account)]
  ) {
    (transaction: any ContactChangeStep.Records) throws in
    try step.begin(transaction)
  }
}

extension World {
  /// Refuses what no person can change here.
  fileprivate func checkChange(
    by access: Access, to value: Recipient
  ) async throws(Refusal) {
    let account = access.account
    // A stolen session of an administrator must not make its access permanent.
    if account.role == .administrator { throw .ownAccount }
    try checkWholeAccount(access.session, account)
    guard case .email = value else { return }
    guard router?.carries(to: value) ?? true else { throw .mailUnavailable }
    guard account.passwordHash == nil else { return }
    let identities: [Identity] = try await read { (transaction: any IdentityRecords) throws in
      try transaction.identities(of: account.id)
    }
    // An organization manages the addresses of people who sign in at its own provider only.
    let isManaged = identities.contains { identity in
      providers?.provider(identity.provider)?.settings.administeredBy != nil
    }
    if isManaged { throw .managedByProvider }
  }
}

extension World {
  /// The policies for a change by the person, one for each organization of the account.
  ///
  /// It refuses the change if one of them leaves it to administrators.
  func registrationsForContactChange(
    of account: Account, in client: AppRegistration, _ transaction: any PolicyRecords
  ) throws -> [AppRegistration] {
    let apps = try registrations(of: client, changing: account, transaction)
    guard apps.allSatisfy({ $0.policy.contactChange == .person }) else {
      throw Refusal.contactChangeClosed
    }
    return apps
  }
}

private struct ContactChangeStep: Sendable {
  typealias Records =
    AccountRecords & CodeSending.Records & KnownDeviceRecords & LockoutRecords & PolicyRecords
    & RevocableChangeRecords & SessionRecords

  let change: ContactChange
  let failures: FailureBucket
  let sending: CodeSending
  let world: World

  private var now: Instant { sending.now }

  func begin(_ transaction: any Records) throws -> ContactChangeAnswer {
    let (session, value) = (change.access.session, change.value)
    let caller = change.access.caller(peer: change.peer)
    let account = try transaction.account(of: change.access)
    try world.checkWholeAccount(session, account)
    guard account.proof(of: value) == nil else { throw Refusal.alreadyProved(value) }
    let app = try world.registration(
      of: change.access.client, asked: session.organization, account: account, isProved: true,
      transaction)
    let everyApp = try world.registrationsForContactChange(
      of: account, in: change.access.client, transaction)
    try transaction.checkChangeLimit(of: account.id, [.email, .phoneNumber], at: now)
    let device = try transaction.failureBucket(
      of: account.id, device: session.proofKeyThumbprint, at: now)
    let (counter, lockout) = (
      try transaction.failures(in: failures), app.policy.lockoutOfNewContact
    )
    try transaction.checkLockout(
      of: counter, in: failures, by: caller, at: now, under: lockout)
    let place = device.codePlace(for: .contactChange)
    let earlier = try transaction.codeChallenge(at: place)
    if let earlier, earlier.isCoolingDown(at: now) {
      try transaction.recordRefusal(.refusedTooSoon, about: account.id, by: caller, at: now)
      throw Refusal.tooSoon(resendAt: earlier.resendAt, at: now)
    }
    let waiting = OpenContactChange(
      change.access, to: value, handle: sending.authSession, at: now)
    let isTaken =
      try taken(by: value.set(in: account), proving: ProvedContacts([value]), transaction) != nil
    let due = DueCode(
      recipient: account, place: place, proofKeyThumbprint: waiting.codeKey, earlier: earlier,
      asked: session.organization, isWithheld: isTaken)
    let throttling = world.throttling(for: app, by: caller).forNewContact()
    let challenge = try send(due, of: account, in: everyApp, throttling, transaction)
    try transaction.record(
      isTaken ? .codeWithheld : .codeSent, about: account.id, by: caller, at: now)
    var prompt = CodePrompt(
      destination: value.masked, digits: challenge.digits, expiresAt: challenge.expiresAt,
      resendAt: challenge.resendAt, attemptsLeft: counter.attemptsLeft(under: lockout))
    prompt.channel = value.channel.rawValue
    return ContactChangeAnswer(session: waiting.sealed(by: world.keyring), prompt: prompt)
  }

  private func send(
    _ due: DueCode, of account: Account, in apps: [AppRegistration], _ throttling: Throttling,
    _ transaction: any Records
  ) throws -> CodeChallenge {
    switch change.value {
    case .phone(let number):
      let reasons = apps.compactMap { $0.reasonNotToSend(to: number, newFor: account) }
      if let why = reasons.first {
        throw try throttling.refusal(because: why, about: account.id, at: now, transaction)
      }
      return try sending.send(due, within: throttling, transaction)
    case .email(let address):
      if let refusal = try throttling.admitMail(
        to: address, about: account.id, at: now, transaction)
      {
        throw refusal
      }
      return try sending.mail(due, to: address, under: throttling.client, transaction)
    }
  }
}

extension AccountRecords where Self: SessionRecords {
  /// The account of a request, read again in the transaction.
  ///
  /// It refuses the request if the account was closed, or the session has ended since.
  func account(of access: Access) throws -> Account {
    guard let account = try account(access.session.account), account.status == .active,
      let session = try session(access.session.id), session.end == nil
    else { throw Refusal.tokenOfEndedSession }
    return account
  }
}

extension Refusal {
  /// The person has this address or number already, and has proved it.
  fileprivate static func alreadyProved(_ value: Recipient) -> Refusal {
    let member: WireField = value.phone == nil ? .email : .phoneNumber
    return .mistaken([
      MemberMistake(
        member: member.rawValue, problem: "is what the account has", remedy: "write the new one")
    ])
  }
}

extension Recipient {
  /// The account with this address or number.
  func set(in account: Account) -> Account {
    var account = account
    switch self {
    case .phone(let number): account.phone = number
    case .email(let address): account.email = address
    }
    return account
  }

  /// The channel of a message to it.
  var channel: OutboxMessage.Channel {
    switch self {
    case .phone: .sms
    case .email: .email
    }
  }

  var changeKind: RevocableChange.Kind {
    switch self {
    case .phone: .phoneNumber
    case .email: .email
    }
  }
}
