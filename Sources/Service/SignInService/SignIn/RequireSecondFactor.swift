import Cryptography
import SignInModel
import SignInRules
import SignInWire

extension IdentityProvider.Settings {
  /// RFC 8176, section 2.
  static let severalFactors = "mfa"

  /// Whether a code of this server follows after these claims.
  func needsCode(after claims: ProviderClaims) -> Bool {
    switch secondFactor {
    case .never: false
    case .always: true
    case .unlessSeveral: !provesSeveralFactors(claims)
    }
  }

  private func provesSeveralFactors(_ claims: ProviderClaims) -> Bool {
    let proofs = factorProofs.isEmpty ? [Self.severalFactors] + assurances : factorProofs
    return (claims.methods + [claims.assurance].compactMap { $0 }).contains { word in
      proofs.contains { $0.hasSameBytes(as: word) }
    }
  }
}

/// A code after a first proof: a password, or a sign-in at a provider.
struct SecondFactor {
  typealias Records = CodeSending.Records & SignInRecords

  let account: Account
  let terms: SignInTerms
  let bucket: FailureBucket
  let attemptsLeft: Int64
  let sending: CodeSending

  /// Gives the device its open challenge again during the cooldown, or sends a new code after it.
  ///
  /// The challenge of another device is never given, not even after the right password.
  func openChallenge(
    within limits: Throttling, _ transaction: any Records
  ) throws -> SentChallenge {
    let (now, key) = (sending.now, terms.proofKeyThumbprint)
    let place = bucket.codePlace(for: .signIn)
    let earlier = try transaction.codeChallenge(at: place)
    let challenge: CodeChallenge
    if let earlier, earlier.isCoolingDown(at: now) {
      guard earlier.isLive(at: now),
        earlier.belongs(toClient: terms.client.id, proofKeyThumbprint: key)
      else {
        try transaction.recordRefusal(.refusedTooSoon, about: account.id, by: terms.caller, at: now)
        throw Refusal.tooSoon(resendAt: earlier.resendAt, at: now)
      }
      try transaction.recordRefusal(.codeRepeated, about: account.id, by: terms.caller, at: now)
      challenge = earlier
    } else {
      let due = DueCode(
        recipient: account, place: place, proofKeyThumbprint: key, earlier: earlier,
        asked: terms.organization)
      challenge = try sending.send(due, within: limits, transaction)
      try transaction.record(.codeSent, about: account.id, by: terms.caller, at: now)
    }
    try transaction.begin(terms.attempt(sending, account: account.id))
    return SentChallenge(
      authSession: sending.authSession,
      prompt: CodePrompt(challenge, to: sending.phone, attemptsLeft: attemptsLeft))
  }
}

extension RedeemStep {
  /// Sends a code after a sign-in at a provider, instead of giving tokens.
  ///
  /// The authorization code ends, and a new sign-in attempt waits for the code of the text message.
  /// It continues like a sign-in with a password. A refusal because of a limit leaves the
  /// authorization code as it is.
  ///
  /// - Returns: The challenge.
  func requireCode(
    after attempt: SignInAttempt, of account: Account, under client: AppRegistration,
    _ transaction: any KnownDeviceRecords & LockoutRecords & SecondFactor.Records
  ) throws -> SentChallenge {
    guard let phone = account.phone else {
      try transaction.recordRefusal(
        .refusedUndeliverable, about: account.id, by: request.caller, at: now)
      throw Refusal.invalidGrant("a code is needed, and the account has no phone number")
    }
    let bucket = try transaction.failureBucket(
      of: account.id, device: attempt.proofKeyThumbprint, at: now)
    let counter = try transaction.failures(in: bucket)
    let factor = SecondFactor(
      account: account, terms: SignInTerms(continuing: attempt, in: client, of: request),
      bucket: bucket, attemptsLeft: counter.attemptsLeft(under: client.policy.lockout),
      sending: code.value.sent(to: phone))
    let throttling = world.throttling(for: client, by: request.caller).held(by: bucket)
    let challenge = try factor.openChallenge(within: throttling, transaction)
    try transaction.removeSignInAttempt(digest: attempt.digest)
    return challenge
  }
}

extension SignInTerms {
  /// The terms of a sign-in at a provider that continues with a code.
  fileprivate init(
    continuing attempt: SignInAttempt, in client: AppRegistration, of request: CodeRedemption
  ) {
    self.init(
      client: client, scope: attempt.scope, pkceChallenge: attempt.pkceChallenge,
      nonce: attempt.nonce, organization: attempt.organization,
      proofKeyThumbprint: attempt.proofKeyThumbprint, peer: request.peer)
    languages = request.languages
    continued = attempt
  }
}

extension SignInAttempt.Federation {
  /// The same sign-in after a code by text message.
  var withCode: Self {
    let own = ["otp", "sms", IdentityProvider.Settings.severalFactors]
    return Self(
      provider: provider, methods: methods + own.filter { !methods.contains($0) },
      assurance: assurance, authenticatedAt: authenticatedAt)
  }
}
