public import SignInModel
import SignInRules
public import SignInWire

private typealias ResendRecords =
  CodeSending.Records & FoundAttempt.Records & KnownDeviceRecords & LockoutRecords

/// A request for another code in the same sign-in.
public struct ResendRequest: Sendable {
  public let client: AppRegistration
  public let authSession: Secret
  public let proofKeyThumbprint: String
  /// The network address of the sender; nil for a call that did not use a network.
  public let peer: String?
  /// The languages for messages to the person, the preferred one first.
  public var languages: [String] = []
  /// The preferred channel for the code.
  public let channel: OutboxMessage.Channel

  public init(
    client: AppRegistration, authSession: Secret, proofKeyThumbprint: String,
    peer: String? = nil, channel: OutboxMessage.Channel = .sms
  ) {
    self.channel = channel
    self.client = client
    self.authSession = authSession
    self.proofKeyThumbprint = proofKeyThumbprint
    self.peer = peer
  }

  var caller: Caller {
    Caller(client: client.id, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

/// Sends another code after the resend cooldown.
///
/// It gives no new tries (T-08, R-05).
///
/// - Returns: The challenge with the new times.
public func resendCode(
  _ request: ResendRequest, in world: World
) async throws(Refusal) -> SentChallenge {
  let now = world.clock.now()
  let subject = Subject.signInAttempt(TimeOrderedHandle.digest(of: request.authSession))
  let found: (FoundAttempt, PhoneNumber?) = try await world.read {
    (transaction: any CodeRecords & FoundAttempt.Records & OutboxRecords) throws in
    let found = try world.findAttempt(
      request.authSession, of: request.caller, for: request.client, at: now, transaction)
    guard case .open(let attempt, let account, _) = found else { return (found, nil) }
    return (found, try phone(of: attempt, account, transaction))
  }
  let sending: CodeSending
  switch found {
  case (_, let phone?):
    sending = CodeSending(
      to: phone, by: request.channel, languages: request.languages, at: now, in: world)
  case (.open, nil): throw Refusal.invalidSession
  case (let closed, nil):
    return try await world.decide(about: [subject]) {
      (transaction: any EventRecords & RefusalRecords) throws in
      throw try closed.refused(by: request.caller, at: now, transaction)
    }
  }
  defer { world.messageRecorded() }
  return try await world.decide(about: [subject]) {
    (transaction: any ResendRecords) throws in
    try resend(request, sending, in: world, transaction)
  }
}

private func resend(
  _ request: ResendRequest, _ sending: CodeSending, in world: World,
  _ transaction: any ResendRecords
) throws -> SentChallenge {
  let now = sending.now
  let found = try world.findAttempt(
    request.authSession, of: request.caller, for: request.client, at: now, transaction)
  guard case .open(let attempt, let account, let client) = found else {
    throw try found.refused(by: request.caller, at: now, transaction)
  }
  let policy = client.policy.lockout
  let id = attempt.account
  func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
    try transaction.recordRefusal(code, about: id, by: request.caller, at: now)
  }
  let bucket = try transaction.failureBucket(of: id, device: attempt.proofKeyThumbprint, at: now)
  let counter = try transaction.failures(in: bucket)
  try transaction.checkLockout(
    of: counter, in: bucket, by: request.caller, at: now, under: policy)
  let place = bucket.codePlace(for: .signIn)
  let earlier = try transaction.codeChallenge(at: place)
  var isLost = false
  if let earlier, client.revealsDeliveryStatus {
    isLost = try transaction.message(earlier.id)?.isLost == true
  }
  if let earlier, earlier.isCoolingDown(at: now), !isLost {
    try refuse(.refusedTooSoon)
    throw Refusal.tooSoon(resendAt: earlier.resendAt, at: now)
  }
  let due = DueCode(
    recipient: account, place: place, proofKeyThumbprint: attempt.proofKeyThumbprint,
    earlier: earlier, asked: attempt.organization)
  let limits = world.throttling(for: client, by: request.caller).held(by: bucket)
  let challenge = try sending.send(due, within: limits, transaction)
  try transaction.record(
    account == nil ? .codeWithheld : .codeSent, about: account?.id, by: request.caller, at: now
  )
  var prompt = CodePrompt(
    challenge, to: sending.phone, attemptsLeft: counter.attemptsLeft(under: policy)
  )
  prompt.channel = sending.channel.rawValue
  return SentChallenge(authSession: request.authSession, prompt: prompt)
}
