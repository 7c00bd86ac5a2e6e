import Cryptography
public import SignInModel
import SignInWire

/// The parameters with which a provider sends a browser back.
public struct ProviderAnswer: Sendable {
  /// The name of the provider in the path of the callback.
  public let provider: String
  /// Nil if the provider sent none.
  public let state: Secret?
  public let code: Secret?
  /// The `error` of a refusal (RFC 6749, section 4.1.2.1).
  public let error: String?
  /// The `iss` of the answer (RFC 9207).
  public let issuer: String?
  /// The cookie of the browser.
  public let cookie: Secret?
  /// The network address of the browser.
  public let peer: String?

  public init(
    provider: String, state: Secret?, code: Secret?, error: String?, issuer: String?,
    cookie: Secret?, peer: String?
  ) {
    self.provider = provider
    self.state = state
    self.code = code
    self.error = error
    self.issuer = issuer
    self.cookie = cookie
    self.peer = peer
  }
}

/// Completes a sign-in at a provider, and sends the browser back to the app with a code.
///
/// Only a browser that opened the request can complete the journey, so that no other person can be
/// signed in. The cookie is compared before anything is used. The code works only with the key and
/// the verifier of the device that began the journey. The answer is used once, and a repeated
/// request of the same browser gets the same result.
public func finishProviderJourney(
  _ answer: ProviderAnswer, in world: World
) async -> BrowserStep {
  let now = world.clock.now()
  guard let directory = world.providers, let provider = directory.provider(answer.provider) else {
    return .page(.unknown)
  }
  let journey: ProviderJourney
  switch await end(answer, at: now, in: world) {
  case .ended(let found): journey = found
  case .endedBefore(let found, let ending):
    return await world.repeated(found, ending, by: answer.cookie)
  case .refused(let fault): return .page(fault)
  }
  let result = await journey.completed(
    by: answer, at: provider, of: directory, from: now, in: world)
  await note(result, of: journey, in: world)
  return .redirect(journey.result(result, in: world))
}

extension ProviderJourney {
  /// Exchanges the code of the answer, and finds or creates the account of the claims.
  fileprivate func completed(
    by answer: ProviderAnswer, at provider: IdentityProvider, of directory: ProviderDirectory,
    from now: Instant, in world: World
  ) async -> JourneyResult {
    let deadline = ProviderDeadline(from: now, world.clock)
    let exchange: ProviderExchange
    do throws(ProviderDirectory.Fault) {
      let metadata = try await directory.metadata(of: provider, within: deadline.millisecondsLeft)
      exchange = ProviderExchange(
        provider: provider, metadata: metadata, journey: self, world: world,
        directory: directory, until: deadline)
    } catch {
      world.report(error, of: provider.name)
      return .providerFault(error)
    }
    do throws(ProviderExchange.Fault) {
      let code = try exchange.code(in: answer)
      let claims = try await exchange.claims(
        for: code, redirectURI: world.issuer + Endpoint.providerCallback(.init(provider.name)).path)
      let step = ProvidedSignInStep(
        self, claims, at: provider, by: caller(peer: answer.peer), in: world)
      return await step.complete()
    } catch {
      await record(error, self, answer, in: world)
      return .error(error.journeyError)
    }
  }
}

private enum JourneyEnd: Sendable {
  case ended(ProviderJourney)
  /// An earlier request of this browser has ended it.
  case endedBefore(ProviderJourney, ProviderJourney.Ending?)
  case refused(BrowserFault)
}

/// Finds the journey and ends it, so that no second answer can use it.
private func end(
  _ answer: ProviderAnswer, at now: Instant, in world: World
) async -> JourneyEnd {
  do throws(Refusal) {
    guard let state = try await stateDigest(of: answer, at: now, in: world) else {
      return .refused(.unknown)
    }
    return try await world.decide(about: [.providerJourney(state)]) {
      (transaction: any EventRecords & ProviderJourneyRecords & RefusalRecords) throws in
      guard var journey = try transaction.providerJourney(stateDigest: state),
        journey.provider.hasSameBytes(as: answer.provider), now < journey.expiresAt,
        world.permits(journey), let browsers = journey.browsers
      else { return .refused(.unknown) }
      guard journey.isOne(of: browsers, answer.cookie) else {
        try transaction.recordRefusal(
          .providerRefused, about: nil, by: journey.caller(peer: answer.peer), at: now)
        return .refused(.otherBrowser)
      }
      if case .ended(let ending) = journey.progress { return .endedBefore(journey, ending) }
      journey.progress = .ended(.init(state: state, browsers: browsers, at: now))
      try transaction.update(journey)
      return .ended(journey)
    }
  } catch {
    return .refused(.unknown)
  }
}

/// The digest of the handle of the answer's journey.
///
/// Some providers forget `state` when they refuse. Then the journey is the only one that this
/// browser has at this provider. An attacker who sends a browser to the callback with an error can
/// cancel that journey and no more. A code without `state` is never accepted, because it could be
/// the attacker's.
private func stateDigest(
  of answer: ProviderAnswer, at now: Instant, in world: World
) async throws(Refusal) -> [UInt8]? {
  if let state = answer.state { return SHA256Digest.of(state.revealed) }
  guard answer.error != nil, answer.code == nil, let cookie = answer.cookie else { return nil }
  return try await world.read { (transaction: any ProviderJourneyRecords) throws -> [UInt8]? in
    let started = try transaction.startedProviderJourneys(
      browserDigest: SHA256Digest.of(cookie.revealed), at: answer.provider, expiringAfter: now,
      limit: 2)
    guard started.count == 1, case .started(let state, _, _) = started[0].progress else {
      return nil
    }
    return state
  }
}

/// Stores the result for a repeated request of the browser.
///
/// If the store fails, the repeated request gets an error.
private func note(
  _ result: JourneyResult, of ended: ProviderJourney, in world: World
) async {
  guard case .ended(let ending?) = ended.progress else { return }
  await world.record(about: [.providerJourney(ending.state)]) {
    (transaction: any ProviderJourneyRecords) throws in
    guard var journey = try transaction.providerJourney(digest: ended.digest),
      journey.progress == ended.progress
    else { return }
    var ending = ending
    ending.outcome = result.outcome
    journey.progress = .ended(ending)
    try transaction.update(journey)
  }
}

private func record(
  _ fault: ProviderExchange.Fault, _ journey: ProviderJourney, _ answer: ProviderAnswer,
  in world: World
) async {
  switch fault {
  case .provider(let fault): world.report(fault, of: journey.provider)
  case .untrusted(let why):
    world.reportFault("provider `\(journey.provider)`: an answer was refused: \(why)")
  case .refused: return
  }
  let now = world.clock.now()
  await world.record(about: []) { (transaction: any EventRecords & RefusalRecords) throws in
    try transaction.recordRefusal(
      .providerRefused, about: nil, by: journey.caller(peer: answer.peer), at: now)
  }
}

/// The end of a journey with the claims about the person, decided in one transaction.
struct ProvidedSignInStep: Sendable {
  typealias Records =
    ContactProposalRecords & ContactProvingRecords & IdentityRecords & RefusalRecords
    & RevocableChangeRecords & SignOut.Records

  private let journey: ProviderJourney
  let claims: ProviderClaims
  let provider: IdentityProvider
  let caller: Caller
  let now: Instant
  let world: World
  private let code: Secret
  private let authSession: Secret
  private let newID: AccountID
  private let proposals: ProposalIdentifiers

  init(
    _ journey: ProviderJourney, _ claims: ProviderClaims, at provider: IdentityProvider,
    by caller: Caller, in world: World
  ) {
    self.journey = journey
    self.claims = claims
    self.provider = provider
    self.caller = caller
    self.world = world
    now = world.clock.now()
    if case .ended(let ending?) = journey.progress {
      code = world.keyring.providerCode(of: journey.digest, endedAt: ending.at)
    } else {
      code = Secret(world.timeOrderedHandle(at: now))
    }
    authSession = Secret(world.timeOrderedHandle(at: now))
    newID = AccountID(world.handle(bytes: 16))
    proposals = ProposalIdentifiers(in: world)
  }

  /// The identity, and the address and the number that no other account may have.
  private var subjects: [Subject] {
    [.identity(issuer: provider.settings.identityIssuer, subject: claims.subject)]
      + (claims.email.map { [.email($0)] } ?? []) + (claims.phone.map { [.number($0)] } ?? [])
  }

  /// Finds or creates the account of the identity, and makes a proved sign-in attempt.
  ///
  /// A verified number or address that the account does not have becomes a proposal.
  func complete() async -> JourneyResult {
    do throws(Refusal) {
      return try await world.decide(about: subjects) {
        (transaction: any Records) throws in
        try complete(transaction)
      }
    } catch {
      return .error(.serverUnavailable)
    }
  }

  private func complete(_ transaction: any Records) throws -> JourneyResult {
    guard let client = world.clients[journey.client],
      provider.settings.identityIssuer.hasSameBytes(as: journey.issuer)
    else { return .error(.providerMisconfigured) }
    func refuse(
      _ error: JourneyError, _ event: SecurityEvent.Code, about account: AccountID?
    ) throws -> JourneyResult {
      try transaction.recordRefusal(event, about: account, by: caller, at: now)
      return .error(error)
    }
    let account: Account
    switch try self.account(transaction) {
    case .success(let found): account = found
    case .failure(let error):
      return try refuse(error.reason, .refusedUnregistered, about: error.account)
    }
    guard account.status == .active else {
      return try refuse(.accountDeactivated, .refusedDeactivated, about: account.id)
    }
    guard client.roles.contains(account.role) else {
      return try refuse(.wrongRole, .refusedUnregistered, about: account.id)
    }
    if let owner = provider.settings.administeredBy {
      guard account.organizations.contains(owner), journey.organization.map({ $0 == owner }) ?? true
      else { return try refuse(.accountNotRegistered, .refusedNotAMember, about: account.id) }
    }
    try transaction.prove(
      claims.recipients.filter { provider.settings.vouches(for: $0) }, of: account, by: .provider,
      caller, at: now)
    let needsCode = provider.settings.needsCode(after: claims)
    guard !needsCode || account.phone != nil else {
      return try refuse(.phoneMissing, .refusedUndeliverable, about: account.id)
    }
    try transaction.propose(claims, of: provider, to: account, proposals, at: now)
    try transaction.insert(attempt(of: account.id, needsCode: needsCode))
    return .code(code)
  }

  /// The account of the identity; a new one if the configuration says so.
  private func account(
    _ transaction: any ContactProposalRecords & IdentityRecords & RevocableChangeRecords
      & SignOut.Records
  ) throws(StoreFault) -> Result<Account, MissingAccount> {
    let issuer = provider.settings.identityIssuer
    if var known = try transaction.identity(issuer: issuer, subject: claims.subject) {
      guard let account = try transaction.account(known.account) else {
        return .failure(MissingAccount(reason: .accountNotRegistered))
      }
      if journey.isEnded(by: account) {
        return .failure(MissingAccount(reason: .cancelled, account: account.id))
      }
      known.lastUsedAt = now
      try transaction.update(known)
      return try updated(account, of: known, transaction)
    }
    guard let new = provider.settings.newAccounts else {
      return .failure(MissingAccount(reason: .accountNotRegistered))
    }
    let email = claims.email.flatMap { provider.settings.accepts($0) ? $0 : nil }
    if provider.settings.requiresEmailOfDomains, email == nil {
      return .failure(MissingAccount(reason: .accountNotRegistered))
    }
    let role: AccountRole
    let organization: OrganizationID?
    switch new.assignment(for: claims.values) {
    case .assigned(.rider, _) where claims.phone == nil:
      return .failure(MissingAccount(reason: .accountNotRegistered))
    case .assigned(let given, let place): (role, organization) = (given, place)
    case .noRole: return .failure(MissingAccount(reason: .accountNotRegistered))
    case .unknown: return .failure(MissingAccount(reason: .providerUnavailable))
    }
    let account = Account(
      id: newID, email: email, phone: claims.phone,
      name: claims.name?.text ?? claims.email?.text ?? provider.settings.label, role: role,
      status: .active, passwordHash: nil, organizations: organization.map { [$0] } ?? [],
      createdAt: now, isDemo: provider.settings.isPractice)
    // An account with the same address or number may belong to another person, so it is not linked.
    let proved = provider.settings.proved(claims.recipients, forNewAccount: true)
    if try taken(by: account, proving: proved, transaction) != nil {
      return .failure(MissingAccount(reason: .accountExists))
    }
    try transaction.take(proved, for: account, at: now)
    try transaction.insert(account)
    try transaction.record(
      .accountCreated, about: account.id, detail: provider.name, by: caller, at: now)
    try transaction.insert(
      Identity(
        issuer: issuer, subject: claims.subject, account: account.id, provider: provider.name,
        linkedAt: now, lastUsedAt: now, hasCreatedAccount: true))
    try transaction.record(
      .identityLinked, about: account.id, detail: provider.name, by: caller, at: now)
    return .success(account)
  }

  /// The proved sign-in attempt in which the journey ends.
  private func attempt(of account: AccountID, needsCode: Bool) -> SignInAttempt {
    var attempt = SignInAttempt(
      digest: TimeOrderedHandle.digest(of: authSession), account: account, client: journey.client,
      proofKeyThumbprint: journey.proofKeyThumbprint, pkceChallenge: journey.pkceChallenge,
      scope: journey.scope, nonce: journey.nonce,
      organization: journey.organization ?? provider.settings.administeredBy,
      startedAt: journey.startedAt,
      expiresAt: now.adding(seconds: SignInLimits.attemptSeconds),
      progress: .proved(
        codeDigest: TimeOrderedHandle.digest(of: code),
        expiresAt: now.adding(seconds: SignInLimits.authorizationCodeSeconds)))
    attempt.federation = SignInAttempt.Federation(
      provider: journey.provider, methods: claims.registeredMethods, assurance: claims.assurance,
      authenticatedAt: claims.authenticatedAt, needsCode: needsCode)
    return attempt
  }
}

extension ProviderJourney {
  /// The browsers that may complete the journey, or that have; nil if none has opened it.
  fileprivate var browsers: [[UInt8]]? {
    switch progress {
    case .pushed: nil
    case .started(_, let browser, _): [browser]
    case .ended(let ending): ending?.browsers
    }
  }

  func caller(peer: String?) -> Caller {
    Caller(client: client, peer: peer, proofKeyThumbprint: proofKeyThumbprint)
  }
}

extension ProviderExchange {
  /// The code of an answer that passed the checks of its parameters.
  fileprivate func code(in answer: ProviderAnswer) throws(Fault) -> Secret {
    // A code of another provider must not be sent to this one (RFC 9207, section 2.4).
    if let issuer = answer.issuer {
      guard issuer.hasSameBytes(as: journey.issuer) else {
        throw .untrusted("the answer is of another issuer")
      }
    } else if metadata.returnsIssuer {
      throw .untrusted("the answer names no issuer")
    }
    switch answer.error {
    case nil: break
    case "temporarily_unavailable"?, "server_error"?:
      throw .provider(.unavailable("it answered with an error"))
    case "invalid_request"?, "unauthorized_client"?, "invalid_scope"?,
      "unsupported_response_type"?:
      throw .provider(
        .misconfigured([
          ProviderMistake(
            problem: "it refused the request of this server (\(answer.error ?? ""))",
            remedy: "compare `scopes`, the redirect URI and the client with the provider's")
        ]))
    case _?: throw .refused
    }
    guard let code = answer.code else { throw .untrusted("the answer has no code") }
    return code
  }
}

extension ProviderExchange.Fault {
  fileprivate var journeyError: JourneyError {
    switch self {
    case .provider(.unavailable): .providerUnavailable
    case .provider(.misconfigured): .providerMisconfigured
    case .untrusted: .untrustedAnswer
    case .refused: .cancelled
    }
  }
}
