public import SignInModel
import SignInRules
public import SignInWire

/// A person's request for an account.
public struct Registration: Sendable {
  public let client: AppRegistration
  public let phone: PhoneNumber
  public let name: PersonName
  /// The RFC 7638 thumbprint of the device's key, if it proved one.
  public let proofKeyThumbprint: String?
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []

  public init(
    client: AppRegistration, phone: PhoneNumber, name: PersonName, proofKeyThumbprint: String?,
    peer: String?
  ) {
    self.client = client
    self.phone = phone
    self.name = name
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Creates an account that waits for an administrator's approval, or sends a code to the number if
/// the policy asks for a proof.
///
/// A number that has an account already gets the same answer, and nothing changes. So the answer
/// does not reveal who has an account.
public func registerAccount(
  _ registration: Registration, in world: World
) async throws(Refusal) -> RegistrationAnswer {
  let client = registration.client
  guard client.signIn == .phoneCode, client.allowsRegistration, let role = client.roles.first
  else {
    throw Refusal.unauthorizedClient("sign-up is closed for this app")
  }
  let sending = CodeSending(
    to: registration.phone, languages: registration.languages, at: world.clock.now(), in: world)
  let step = RegistrationStep(
    registration: registration,
    account: Account(
      id: AccountID(world.handle(bytes: 16)), email: nil, phone: registration.phone,
      name: registration.name.text, role: role, status: .pending, passwordHash: nil,
      organizations: [], createdAt: sending.now),
    sending: sending, world: world)
  defer { world.messageRecorded() }
  return try await world.decide(about: [.number(registration.phone), .account(step.unknown)]) {
    (transaction: any RegistrationStep.Records) throws in
    let app = try world.registration(of: client, for: nil, transaction)
    guard app.reasonNotToSend(to: registration.phone) == nil else {
      throw Refusal.invalidRequest("phone_number must be of an allowed country")
    }
    if app.policy.registrationApproval.needsCode { return try step.askForCode(app, transaction) }
    return .settled(try step.create(app, transaction))
  }
}

private struct RegistrationStep: Sendable {
  typealias Records =
    AccountRecords & CodeSending.Records & LockoutRecords & PolicyRecords

  let registration: Registration
  /// The account that is created without a code.
  let account: Account
  let sending: CodeSending
  let world: World

  private var now: Instant { sending.now }

  /// The placeholder account of the number, which is the same with and without an account.
  var unknown: AccountID {
    world.keyring.unknownAccount(
      .registration(registration.phone, roles: registration.client.roles))
  }

  func create(_ app: AppRegistration, _ transaction: any Records) throws -> AccountStatus {
    let caller = registration.caller
    let throttling = world.throttling(for: app, by: caller)
    if let refusal = try throttling.admitRegistration(at: now, transaction) { throw refusal }
    for role in registration.client.roles {
      if let known = try transaction.account(phone: registration.phone, role: role) {
        try transaction.recordRefusal(.registrationRepeated, about: known.id, by: caller, at: now)
        return .pending
      }
    }
    try transaction.insert(account)
    try transaction.record(.accountRegistered, about: account.id, by: caller, at: now)
    return .pending
  }

  /// Sends a code to the number, whether it has an account or not.
  ///
  /// A device that asks again inside the cooldown gets the open code again.
  func askForCode(
    _ app: AppRegistration, _ transaction: any Records
  ) throws -> RegistrationAnswer {
    let caller = registration.caller
    let bucket = FailureBucket(
      account: unknown, device: nil, asker: registration.proofKeyThumbprint)
    let counter = try transaction.failures(in: bucket)
    try transaction.checkLockout(
      of: counter, in: bucket, by: caller, at: now, under: app.policy.lockoutOfNewContact)
    let place = bucket.codePlace(for: .registration)
    let earlier = try transaction.codeChallenge(at: place)
    let waiting = OpenRegistration(registration, handle: sending.authSession, at: now)
    if let earlier, earlier.isCoolingDown(at: now) {
      guard registration.proofKeyThumbprint != nil, earlier.isLive(at: now),
        earlier.belongs(toClient: app.id, proofKeyThumbprint: waiting.codeKey)
      else {
        try transaction.recordRefusal(.refusedTooSoon, about: unknown, by: caller, at: now)
        throw Refusal.tooSoon(resendAt: earlier.resendAt, at: now)
      }
      return answer(earlier, waiting, counter, app)
    }
    let due = DueCode(
      recipient: nil, place: place, proofKeyThumbprint: waiting.codeKey, earlier: earlier)
    let challenge = try sending.send(
      due, within: world.throttling(for: app, by: caller).held(by: bucket), transaction)
    try transaction.record(.codeSent, about: nil, by: caller, at: now)
    return answer(challenge, waiting, counter, app)
  }

  private func answer(
    _ challenge: CodeChallenge, _ waiting: OpenRegistration, _ counter: FailureCounter,
    _ app: AppRegistration
  ) -> RegistrationAnswer {
    let left = counter.attemptsLeft(under: app.policy.lockoutOfNewContact)
    return .codeSent(
      session: waiting.sealed(by: world.keyring),
      CodePrompt(challenge, to: registration.phone, attemptsLeft: left))
  }
}
