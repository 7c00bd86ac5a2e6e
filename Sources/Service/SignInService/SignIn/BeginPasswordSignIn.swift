import Cryptography
public import SignInModel
import SignInRules
public import SignInWire

private typealias ReservationRecords =
  AvailablePassword.Records & PolicyRecords & Throttling.Records

/// An e-mail address and a password, with the terms of the sign-in.
public struct PasswordSignInRequest: Sendable {
  public let terms: SignInTerms
  /// The text that the user typed.
  ///
  /// A text that is no e-mail address is an unknown account.
  public let username: String
  public let password: Secret

  public init(terms: SignInTerms, username: String, password: Secret) {
    self.terms = terms
    self.username = username
    self.password = password
  }
}

/// Checks an e-mail address and a password, then sends a code (T-01 … T-05).
///
/// The answer is counted as a failure, and the count is durable, *before* the password is compared.
/// Then the count is corrected. An unknown account takes the same steps with the hash of a password
/// that is not known, and with a counter of its own. So neither the bytes nor the work of the
/// answer differ (T-03).
///
/// - Returns: The challenge.
public func beginPasswordSignIn(
  _ request: PasswordSignInRequest, in world: World
) async throws(Refusal) -> SentChallenge {
  var step = try await reserveAnswer(request, in: world)
  let isRight: Bool
  do throws(PasswordHashingFault) {
    isRight = try await world.isPassword(request.password, of: step.account)
  } catch {
    throw await step.release(after: error)
  }
  guard isRight, let account = step.account else { return try await step.settleWrong() }
  step.newHash = await newHash(of: request.password, account, in: world)
  return try await step.settleRight(account)
}

private func reserveAnswer(
  _ request: PasswordSignInRequest, in world: World
) async throws(Refusal) -> PasswordSignInStep {
  let (terms, caller) = (request.terms, request.terms.caller)
  let identifier = UnknownIdentifier(typed: request.username)
  let (email, unknown) = (identifier.email, world.keyring.unknownAccount(identifier))
  let subjects = (email.map { [.email($0)] } ?? []) + [Subject.account(unknown)]
  return try await world.waitingForOthers { now throws(Refusal) in
    let due = AvailablePassword(at: now, in: world)
    return try await world.decide(about: subjects) {
      (transaction: any ReservationRecords) throws in
      var found: Account?
      if let email { found = try transaction.account(email: email) }
      if let account = found {
        found = try due.settled(account, transaction)
      } else {
        // The same work as for an existing account (T-03).
        _ = try transaction.waitingPassword(of: unknown)
      }
      // An account that may not use this app is counted under its own identifier here, too.
      // Otherwise a lockout in one app would reveal through another app whether the account exists.
      let bucket = try transaction.failureBucket(
        of: found?.id ?? unknown, device: terms.proofKeyThumbprint, at: now
      )
      let account = found.flatMap { terms.client.roles.contains($0.role) ? $0 : nil }
      let app = try world.registration(
        of: terms.client, asked: terms.organization, account: account, isProved: false,
        transaction
      )
      let throttling = world.throttling(for: app, by: caller).held(by: bucket)
      var counter = try transaction.failures(in: bucket)
      switch counter.reserve(at: now, under: app.policy.lockout) {
      case .compare:
        let refusal = try throttling.admitAnswer(
          about: found?.id, causingMessage: true, at: now, transaction)
        if let refusal { throw refusal }
        try transaction.save(counter, in: bucket)
        return PasswordSignInStep(
          terms: terms, world: world, account: account, bucket: bucket, countedAt: now)
      case .wait: return nil
      case .locked, .stopped:
        try transaction.recordRefusal(
          .refusedLocked, about: found?.id ?? unknown, by: caller, at: now
        )
        throw Refusal.lockedOut(counter, at: now, under: app.policy.lockout)
      }
    }
  }
}

/// Nil if the account's hash stays, or if the hashing pool is full.
private func newHash(
  of password: Secret, _ account: Account, in world: World
) async -> String? {
  guard world.needsRehash(account, of: password) else { return nil }
  do throws(PasswordHashingFault) { return try await world.passwords.hash(password) } catch {
    // The old hash is still valid. The next sign-in tries again.
    return nil
  }
}

/// A counted answer that was not settled yet.
private struct PasswordSignInStep: Sendable {
  typealias Records =
    AccountRecords & IdentityRecords & KnownDeviceRecords & LockoutRecords & PolicyRecords
    & SecondFactor.Records

  let terms: SignInTerms
  let world: World
  /// The account for the comparison.
  ///
  /// It is nil if the account is unknown or may not use this app.
  let account: Account?
  let bucket: FailureBucket
  let countedAt: Instant
  /// A new hash of the right password with today's parameters, if the old hash has others.
  var newHash: String?

  func release(after fault: PasswordHashingFault) async -> Refusal {
    let throttling = world.throttling(for: terms.client, by: terms.caller).held(by: bucket)
    do throws(Refusal) {
      try await world.decide(about: [.account(bucket.account)]) {
        (transaction: any LockoutRecords & ThrottleRecords) throws in
        _ = try takeBack(throttling, transaction)
      }
      return world.unavailable(because: fault)
    } catch {
      return error
    }
  }

  func settleWrong() async throws(Refusal) -> SentChallenge {
    let now = world.clock.now()
    return try await world.decide(about: [.account(bucket.account)]) {
      (transaction: any EventRecords & LockoutRecords & PolicyRecords) throws in
      let app = try registration(isProved: false, transaction)
      var counter = try transaction.failures(in: bucket)
      let verdict = counter.settleWrong(at: now, under: app.policy.lockout)
      try transaction.save(counter, in: bucket)
      try transaction.record(
        .passwordRefused, leadingTo: verdict, about: bucket.existingAccount, by: terms.caller,
        at: now
      )
      let isRegistered = account?.isApproved == true
      throw refusal(after: verdict, at: now, isRegistered: isRegistered, for: app)
    }
  }

  func settleRight(_ account: Account) async throws(Refusal) -> SentChallenge {
    // Without a number no code can be sent. The number is not used, because the sign-in is refused.
    let phone = account.phone ?? world.keyring.decoyPhone(account.id.text)
    let sending = CodeSending(
      to: phone, languages: terms.languages, at: world.clock.now(), in: world)
    defer { world.messageRecorded() }
    return try await world.decide(about: [.account(account.id)]) {
      (transaction: any Records) throws in
      try proceed(account, sending, transaction)
    }
  }

  private func registration(
    isProved: Bool, _ transaction: any PolicyRecords
  ) throws(StoreFault) -> AppRegistration {
    try world.registration(
      of: terms.client, asked: terms.organization, account: account, isProved: isProved,
      transaction)
  }

  /// Takes back the count of the reservation, and returns the counter.
  private func takeBack(
    _ throttling: Throttling, _ transaction: any LockoutRecords & ThrottleRecords
  ) throws(StoreFault) -> FailureCounter {
    var counter = try transaction.failures(in: bucket)
    counter.settleRight()
    try transaction.save(counter, in: bucket)
    try throttling.takeBackFailure(countedAt: countedAt, transaction)
    return counter
  }

  /// Continues after a right password: a remaining refusal, or the challenge.
  private func proceed(
    _ account: Account, _ sending: CodeSending, _ transaction: any Records
  ) throws -> SentChallenge {
    let now = sending.now
    let client = try registration(isProved: true, transaction)
    let policy = client.policy.lockout
    let throttling = world.throttling(for: client, by: terms.caller).held(by: bucket)
    func refuse(_ code: SecurityEvent.Code) throws(StoreFault) {
      try transaction.recordRefusal(code, about: account.id, by: terms.caller, at: now)
    }
    let counter = try takeBack(throttling, transaction)
    try transaction.checkLockout(
      of: counter, in: bucket, by: terms.caller, at: now, under: policy)
    // Read the account again, because an administrator may have changed it in the meantime (L-17).
    guard var current = try transaction.account(account.id),
      current.passwordHash == account.passwordHash
    else {
      // Another sign-in may have replaced the hash of the same password in the meantime.
      if newHash != nil { throw Refusal.overloaded(retrySeconds: 1) }
      try transaction.record(.passwordRefused, about: account.id, by: terms.caller, at: now)
      throw Refusal.invalidCredentials
    }
    // The code was prepared for a number that an administrator has replaced.
    guard current.phone == account.phone else { throw Refusal.overloaded(retrySeconds: 1) }
    if let newHash {
      current.passwordHash = newHash
      try transaction.update(current)
    }
    switch current.status {
    case .active: break
    case .deactivated:
      try refuse(.refusedDeactivated)
      throw Refusal.accountDeactivated
    case .pending, .rejected:
      try refuse(.refusedUnregistered)
      throw Refusal.unregistered(for: client)
    }
    guard current.phone != nil else {
      try refuse(.refusedUndeliverable)
      throw Refusal.withoutPhone(isLinked: try transaction.isLinked(account.id, in: client))
    }
    if let right = world.missingRight(for: terms.granted, of: current, in: client) {
      try refuse(right.event)
      // The role can have changed since the password was compared.
      throw right == .role ? Refusal.invalidCredentials : right.signInRefusal
    }
    // During the comparison, a sign-in may have made the device known, or a reset may have made it
    // unknown. Its tries are then those of another bucket, which may be locked.
    let bucket = try transaction.failureBucket(
      of: account.id, device: terms.proofKeyThumbprint, at: now)
    let tries = bucket == self.bucket ? counter : try transaction.failures(in: bucket)
    try transaction.checkLockout(of: tries, in: bucket, by: terms.caller, at: now, under: policy)
    let factor = SecondFactor(
      account: current, terms: terms, bucket: bucket,
      attemptsLeft: tries.attemptsLeft(under: policy), sending: sending)
    return try factor.openChallenge(within: throttling.held(by: bucket), transaction)
  }
}

/// The refusal after a wrong password, also after the last one before a lockout.
private func refusal(
  after verdict: Lockout.Verdict, at now: Instant, isRegistered: Bool, for client: AppRegistration
) -> Refusal {
  switch verdict {
  case .locked(let until): .locked(until: until, at: now)
  case .stopped: .stopped(at: now, under: client.policy.lockout)
  case .compare, .wait:
    isRegistered ? Refusal.invalidCredentials : .unregistered(for: client)
  }
}

extension Account {
  fileprivate var isApproved: Bool { status == .active || status == .deactivated }
}

extension IdentityRecords {
  /// Whether the account has an identity at a provider of this app.
  fileprivate func isLinked(
    _ account: AccountID, in client: AppRegistration
  ) throws(StoreFault) -> Bool {
    try identities(of: account).contains { client.providers.contains($0.provider) }
  }
}

extension Refusal {
  /// The refusal for an unknown account.
  ///
  /// In a concealed app it is the same as for a wrong password.
  fileprivate static func unregistered(for client: AppRegistration) -> Refusal {
    client.policy.disclosure == .disclosed ? .accountNotRegistered : .invalidCredentials
  }

  /// The refusal for an account to which no code can be sent.
  ///
  /// Without an identity that the app can use, the person needs an administrator. The reason says
  /// it.
  fileprivate static func withoutPhone(isLinked: Bool) -> Refusal {
    if isLinked {
      return .redirectToWeb(
        "the account has no phone number, so it signs in at its identity provider")
    }
    return .redirectToWeb(
      "the account has neither a phone number nor an identity",
      reason: JourneyError.phoneMissing.rawValue)
  }

  /// The refusal for an account that is locked or stopped.
  static func lockedOut(
    _ counter: FailureCounter, at now: Instant, under policy: Lockout.Policy
  ) -> Refusal {
    if case .locked(let until) = counter.verdict(at: now, under: policy) {
      return .locked(until: until, at: now)
    }
    return .stopped(at: now, under: policy)
  }

  /// The same for a counter that belongs to no single device.
  static func lockedOut(
    _ lockout: Lockout, at now: Instant, under policy: Lockout.Policy
  ) -> Refusal {
    lockedOut(FailureCounter(shared: lockout, own: nil), at: now, under: policy)
  }

  /// The account can be opened only by an administrator or a reset.
  ///
  /// The answer names the longest lockout as the waiting time.
  static func stopped(at now: Instant, under policy: Lockout.Policy) -> Refusal {
    .locked(until: now.adding(seconds: policy.longestLockSeconds), at: now)
  }
}
