import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

/// The code that was sent to a new address or number.
public struct ContactChangeCode: Sendable {
  public let access: Access
  public let session: Secret
  /// The text that the person entered, which may be no code.
  public let code: Secret
  public let peer: String?
  public var languages: [String] = []

  public init(access: Access, session: Secret, code: Secret, peer: String?) {
    self.access = access
    self.session = session
    self.code = code
    self.peer = peer
  }
}

/// Gives the account the proved address or number.
///
/// A message goes to the old one, with a link that takes the change back within seven days. A new
/// number ends every other session.
///
/// - Returns: Until when the change can be taken back.
public func confirmContactChange(
  _ answer: ContactChangeCode, in world: World
) async throws(Refusal) -> Instant {
  guard let open = OpenContactChange(opening: answer.session, world.keyring),
    open.account == answer.access.account.id, open.session == answer.access.session.id
  else { throw .invalidSession }
  let undo = Secret(world.timeOrderedHandle(at: world.clock.now()))
  let link = Secret(
    "\(world.issuer)\(Endpoint.undoContactChange.path)?\(WireField.undo.rawValue)=\(undo.revealed)")
  let id = world.handle(bytes: 16)
  defer { world.messageRecorded() }
  return try await world.waitingForOthers { now throws(Refusal) in
    let step = ContactCodeStep(
      answer: answer, open: open, id: id, digest: TimeOrderedHandle.digest(of: undo), now: now,
      contact: ContactSettling(
        .addressAccepted, toOld: .contactChanged(undo: link), languages: answer.languages, at: now,
        in: world), world: world)
    return try await world.decide(about: [.account(open.account), Subject(open.value)]) {
      (transaction: any ContactCodeStep.Records) throws in
      guard now < open.expiresAt else { throw Refusal.invalidSession }
      return try step.confirm(transaction)
    }
  }
}

private struct ContactCodeStep: Sendable {
  typealias Records =
    AccountRecords & ContactSettling.Records & PolicyRecords & RevocableChangeRecords
    & SessionRecords & Throttling.Records

  let answer: ContactChangeCode
  let open: OpenContactChange
  let id: String
  let digest: [UInt8]
  let now: Instant
  let contact: ContactSettling
  let world: World

  private var caller: Caller { answer.access.caller(peer: answer.peer) }

  func confirm(_ transaction: any Records) throws -> Instant? {
    guard let account = try transaction.account(open.account), account.status == .active else {
      throw Refusal.tokenOfEndedSession
    }
    let session = answer.access.session
    let app = try world.registration(
      of: answer.access.client, asked: session.organization, account: account, isProved: true,
      transaction)
    guard app.policy.contactChange == .person else { throw Refusal.contactChangeClosed }
    let policy = app.policy.lockout
    let bucket = try transaction.failureBucket(
      of: account.id, device: session.proofKeyThumbprint, at: now)
    var counter = try transaction.failures(in: bucket)
    switch counter.verdict(at: now, under: policy) {
    case .locked, .stopped: throw Refusal.lockedOut(counter, at: now, under: policy)
    case .wait: return nil
    case .compare: break
    }
    let challenge = try transaction.codeChallenge(at: bucket.codePlace(for: .contactChange))
    guard let challenge, challenge.isLive(at: now),
      challenge.belongs(toClient: app.id, proofKeyThumbprint: open.codeKey)
    else {
      try transaction.recordRefusal(.codeExpired, about: account.id, by: caller, at: now)
      throw Refusal.otpExpired(authSession: nil, resendAt: challenge?.resendAt)
    }
    let isSent = try transaction.message(challenge.id)?.state != .decoy
    _ = counter.reserve(at: now, under: policy)
    guard ConstantTime.equal(challenge.mac, typedMAC), isSent else {
      throw try transaction.settleWrongCode(
        counter, bucket, under: policy, of: nil, by: caller, at: now)
    }
    counter.settleRight()
    try transaction.save(counter, in: bucket)
    try transaction.save(challenge.used(at: now))
    return try apply(to: account, transaction)
  }

  private var typedMAC: [UInt8] {
    do throws(Malformed) {
      let code = try OneTimeCode(parsing: answer.code.revealed)
      return world.keyring.mac(of: code, account: open.account, for: .contactChange)
    } catch {
      return []
    }
  }

  private func apply(to before: Account, _ transaction: any Records) throws -> Instant {
    var after = open.value.set(in: before)
    // The code has proved the number.
    if open.value.phone != nil { after.phoneChangedAt = nil }
    if let taken = try taken(by: after, transaction) { throw taken }
    let kind = open.value.changeKind
    let old: Recipient? =
      kind == .email ? before.email.map { .email($0) } : before.phone.map { .phone($0) }
    let change = RevocableChange(
      id: id, account: before.id, kind: kind, before: old, digest: digest, madeAt: now,
      endsAt: now.adding(seconds: RevocableChange.undoSeconds))
    try transaction.update(after)
    try transaction.insert(change)
    try transaction.record(
      .accountChanged, about: before.id, detail: "person " + kind.rawValue, by: caller, at: now)
    let own = answer.access.session
    try contact.settle(before, after, exceptDevice: own.proofKeyThumbprint, transaction)
    if kind == .phoneNumber {
      for session in try transaction.openSessions(of: before.id) where session.id != own.id {
        try end(session, because: .revoked, by: caller, at: now, transaction)
      }
    }
    return change.endsAt
  }
}
