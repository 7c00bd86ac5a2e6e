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

/// Sends a code after a sign-in at a provider, instead of giving tokens.
///
/// The authorization code ends, and a new sign-in attempt waits for the code of the text message.
/// It continues like a sign-in with a password. A refusal because of a limit leaves the
/// authorization code as it is.
///
/// - Returns: The challenge.
func requireCode(
  after attempt: SignInAttempt, of account: Account, _ request: CodeRedemption,
  under client: AppRegistration, _ sending: CodeSending, at now: Instant, in world: World,
  _ transaction: any SignInTransaction
) throws -> SentChallenge {
  guard let phone = account.phone else {
    try transaction.recordRefusal(
      .refusedUndeliverable, about: account.id, by: request.caller, at: now)
    throw Refusal.invalidGrant("a code is needed, and the account has no phone number")
  }
  let bucket = try transaction.failureBucket(
    of: account.id, device: attempt.proofKeyThumbprint, at: now)
  let throttling = world.throttling(for: client, by: request.caller).held(by: bucket)
  let counter = try transaction.failures(in: bucket)
  let challenge = try openChallenge(
    for: account, heldBy: bucket.holder,
    terms: SignInTerms(continuing: attempt, in: client, of: request),
    sending: sending.sent(to: phone),
    attemptsLeft: counter.attemptsLeft(under: client.policy.lockout),
    at: now, throttling, transaction)
  try transaction.removeSignInAttempt(digest: attempt.digest)
  return challenge
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
