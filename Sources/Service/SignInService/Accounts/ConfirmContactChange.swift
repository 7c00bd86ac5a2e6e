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

/// What a right code has done.
public struct ContactChangeOutcome: Equatable, Sendable {
  /// Until when the change can be taken back.
  ///
  /// It is nil if the account had this address or number before, and only its proof is new.
  public let undoUntil: Instant?
}

/// Gives the account the proved address or number.
///
/// An account that has it without a proof loses it. A message goes to the old one, with a link that
/// takes the change back within seven days. A new number ends every other session.
///
/// The same answer again, after a lost response, gets the same outcome.
public func confirmContactChange(
  _ answer: ContactChangeCode, in world: World
) async throws(Refusal) -> ContactChangeOutcome {
  guard let open = OpenContactChange(opening: answer.session, world.keyring),
    open.account == answer.access.account.id, open.session == answer.access.session.id
  else { throw .invalidSession }
  let failures = world.failureBucket(for: open.value, askedBy: answer.access.session)
  let undo = Secret(world.timeOrderedHandle(at: world.clock.now()))
  let link = world.undoLink(with: undo)
  let id = world.handle(bytes: 16)
  defer { world.messageRecorded() }
  return try await world.waitingForOthers { now throws(Refusal) in
    let step = ContactCodeStep(
      answer: answer, open: open, failures: failures, id: id,
      digest: TimeOrderedHandle.digest(of: undo), now: now,
      contact: ContactSettling(
        .addressAccepted, toOld: .contactChanged(undo: link), languages: answer.languages, at: now,
        in: world), world: world)
    return try await world.decide(
      about: [.account(open.account), .account(failures.account), Subject(open.value)]
    ) {
      (transaction: any ContactCodeStep.Records) throws in
      guard now < open.expiresAt else { throw Refusal.invalidSession }
      return try step.confirm(transaction)
    }
  }
}

private struct ContactCodeStep: Sendable {
  typealias Records =
    ContactProvingRecords & ContactSettling.Records & PolicyRecords & RevocableChangeRecords
    & Throttling.Records

  let answer: ContactChangeCode
  let open: OpenContactChange
  let failures: FailureBucket
  let id: String
  let digest: [UInt8]
  let now: Instant
  let contact: ContactSettling
  let world: World

  private var caller: Caller { answer.access.caller(peer: answer.peer) }

  /// What the code has done; nil while other answers are being compared.
  func confirm(_ transaction: any Records) throws -> ContactChangeOutcome? {
    let account = try transaction.account(of: answer.access)
    let session = answer.access.session
    try world.checkWholeAccount(session, account)
    let app = try world.registration(
      of: answer.access.client, asked: session.organization, account: account, isProved: true,
      transaction)
    _ = try world.registrationsForContactChange(
      of: account, in: answer.access.client, transaction)
    let policy = app.policy.lockoutOfNewContact
    var counter = try transaction.failures(in: failures)
    try transaction.checkLockout(of: counter, in: failures, by: caller, at: now, under: policy)
    if counter.verdict(at: now, under: policy) == .wait { return nil }
    let device = try transaction.failureBucket(
      of: account.id, device: session.proofKeyThumbprint, at: now)
    let challenge = try transaction.codeChallenge(at: device.codePlace(for: .contactChange))
    if let challenge, let known = try outcome(of: challenge, for: account, in: app, transaction) {
      return known
    }
    let verdict = challenge?.verdict(
      on: typedMAC, forClient: app.id, proofKeyThumbprint: open.codeKey, at: now)
    guard let challenge, verdict == .compare else {
      try transaction.recordRefusal(.codeExpired, about: account.id, by: caller, at: now)
      throw Refusal.otpExpired(
        authSession: nil, resendAt: challenge?.resendAt, superseded: verdict?.supersededCode)
    }
    let throttling = world.throttling(for: app, by: caller).forNewContact()
    try throttling.prepareAnswer(from: open.value, transaction)
    if let refusal = try throttling.admitAnswer(about: account.id, at: now, transaction) {
      throw refusal
    }
    // The code to an address or a number of another account was never sent.
    let isSent = try transaction.message(challenge.id)?.state != .decoy
    _ = counter.reserve(at: now, under: policy)
    guard ConstantTime.equal(challenge.mac, typedMAC), isSent else {
      throw try transaction.settleWrongCode(
        counter, failures, of: WrongCode(session: nil, caller: caller, account: account.id),
        under: policy, at: now)
    }
    try throttling.takeBackFailure(countedAt: now, transaction)
    try checkNew(account, transaction)
    let sentAt = try challenge.sentAt(under: app.policy.code, transaction)
    try throttling.completed(to: open.value, sentAt: sentAt, at: now, transaction)
    counter.complete()
    try transaction.save(counter, in: failures)
    try transaction.save(challenge.used(at: now))
    return try apply(to: account, transaction)
  }

  /// The outcome of the same answer before; nil if there was none.
  private func outcome(
    of challenge: CodeChallenge, for account: Account, in app: AppRegistration,
    _ transaction: any Records
  ) throws(StoreFault) -> ContactChangeOutcome? {
    guard challenge.isConsumed, now < challenge.expiresAt,
      challenge.belongs(toClient: app.id, proofKeyThumbprint: open.codeKey),
      ConstantTime.equal(challenge.mac, typedMAC), account.proof(of: open.value) != nil
    else { return nil }
    let made = try transaction.revocableChanges(of: account.id).last {
      $0.kind == open.value.changeKind && $0.isOpen(at: now)
    }
    return ContactChangeOutcome(undoUntil: made?.endsAt)
  }

  private var typedMAC: [UInt8] {
    world.keyring.mac(ofTyped: answer.code, account: open.account, for: .contactChange)
  }

  /// Refuses what cannot be changed, before the code is used up.
  private func checkNew(_ account: Account, _ transaction: any Records) throws {
    let (after, proved) = (open.value.set(in: account), ProvedContacts([open.value]))
    if let taken = try taken(by: after, proving: proved, transaction) { throw taken }
    guard account.before(open.value.changeKind)?.value != open.value else { return }
    try transaction.checkChangeLimit(of: account.id, [.email, .phoneNumber], at: now)
  }

  private func apply(
    to before: Account, _ transaction: any Records
  ) throws -> ContactChangeOutcome {
    var after = open.value.set(in: before)
    // The code has proved the number.
    if open.value.phone != nil { after.phoneChangedAt = nil }
    let kind = open.value.changeKind
    try transaction.take(ProvedContacts([open.value]), for: after, at: now)
    if after != before { try transaction.update(after) }
    let saved = try transaction.prove([open.value], of: after, by: .code, caller, at: now)
    guard before.before(kind)?.value != open.value else {
      return ContactChangeOutcome(undoUntil: nil)
    }
    let change = RevocableChange(
      id: id, account: before.id, kind: kind, before: before.before(kind), digest: digest,
      madeAt: now, endsAt: now.adding(seconds: RevocableChange.undoSeconds))
    try transaction.insert(change)
    try transaction.record(
      .accountChanged, about: before.id, detail: "person " + kind.rawValue, by: caller, at: now)
    try postponeErasures(until: change.endsAt, transaction)
    try contact.settle(
      before, saved, keeping: answer.access.session, by: caller, transaction)
    return ContactChangeOutcome(undoUntil: change.endsAt)
  }

  /// The owner of the old address or number must be able to stop an erasure, too.
  ///
  /// The change may be another person's, and so may be an erasure that was asked for before it.
  private func postponeErasures(until end: Instant, _ transaction: any Records) throws(StoreFault) {
    for erasure in try transaction.revocableChanges(of: open.account)
    where erasure.isDueErasure && erasure.endsAt < end {
      try transaction.update(erasure.postponed(until: end))
      try transaction.record(
        .erasureRequested, about: open.account, detail: "\(end.seconds)", by: caller, at: now)
    }
  }
}
