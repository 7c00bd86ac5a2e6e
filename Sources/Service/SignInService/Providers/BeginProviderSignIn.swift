import Cryptography
import SignInModel
public import SignInWire

/// A sign-in at an identity provider, as an app requests it.
public struct ProviderSignInRequest: Sendable {
  public let terms: SignInTerms
  /// The name of the provider.
  public let provider: String
  /// Where the result goes; nil for the only address of the app.
  public let redirectURI: String?
  /// The app's `state`.
  public let state: String?
  /// The e-mail address that the person entered, for the provider's form.
  public let loginHint: String?

  public init(
    terms: SignInTerms, provider: String, redirectURI: String?, state: String?,
    loginHint: String?
  ) {
    self.terms = terms
    self.provider = provider
    self.redirectURI = redirectURI
    self.state = state
    self.loginHint = loginHint
  }
}

/// Stores the request of an app for a sign-in at a provider.
///
/// The app then opens the authorization endpoint in a browser. The provider is not called.
public func beginProviderSignIn(
  _ request: ProviderSignInRequest, in world: World
) async throws(Refusal) -> PushedRequestAnswer {
  let client = request.terms.client
  guard let provider = world.providers?.provider(request.provider),
    client.providers.contains(where: { $0.hasSameBytes(as: request.provider) })
  else { throw Refusal.invalidRequest("this app has no such provider") }
  let registered = client.redirectURIs(issuer: world.issuer)
  let redirectURI: String
  if let asked = request.redirectURI {
    guard RedirectURI.permits(asked, registered: registered) else {
      throw Refusal.invalidRequest("redirect_uri is not registered for this app")
    }
    redirectURI = asked
  } else if registered.count == 1 {
    redirectURI = registered[0]
  } else {
    throw Refusal.invalidRequest("redirect_uri is needed")
  }
  if let state = request.state, state.utf8.count > ProviderJourney.Limits.stateBytes {
    throw Refusal.invalidRequest("state is too long")
  }
  let now = world.clock.now()
  let reference = world.timeOrderedHandle(at: now)
  let journey = request.journey(
    to: redirectURI, provider: provider, reference: reference, at: now, in: world)
  return try await world.decide(about: [.providerDevice(journey.proofKeyThumbprint)]) {
    (transaction: any ProviderJourneyRecords & Throttling.Records) throws in
    let throttling = world.throttling(for: client, by: request.terms.caller)
    if let refusal = try throttling.admitProviderSignIn(at: now, transaction) {
      throw refusal
    }
    try transaction.insert(journey)
    try transaction.removeOpenProviderJourneys(
      proofKeyThumbprint: journey.proofKeyThumbprint, keeping: ProviderJourney.Limits.open)
    return PushedRequestAnswer(
      requestURI: PushedRequestAnswer.prefix + reference,
      expiresIn: ProviderJourney.Limits.requestSeconds)
  }
}

extension ProviderSignInRequest {
  fileprivate func journey(
    to redirectURI: String, provider: IdentityProvider, reference: String, at now: Instant,
    in world: World
  ) -> ProviderJourney {
    ProviderJourney(
      digest: TimeOrderedHandle.digest(of: reference), provider: provider.name,
      issuer: provider.settings.identityIssuer, client: terms.client.id,
      proofKeyThumbprint: terms.proofKeyThumbprint, pkceChallenge: terms.pkceChallenge,
      scope: terms.scope, nonce: terms.nonce, organization: terms.organization,
      redirectURI: redirectURI, state: state,
      loginHint: loginHint.flatMap(Self.emailAddress),
      providerNonce: world.handle(), providerVerifier: Secret(world.handle()), startedAt: now,
      expiresAt: now.adding(seconds: ProviderJourney.Limits.seconds), progress: .pushed)
  }

  /// Only an e-mail address goes to a provider as a hint.
  ///
  /// A national number would be in the address of a page and in logs.
  private static func emailAddress(_ text: String) -> String? {
    do throws(Malformed) { return try EmailAddress(parsing: text).text } catch { return nil }
  }
}

extension AppRegistration {
  /// The addresses to which a result may go: the configured ones, or the page of our web app.
  public func redirectURIs(issuer: String) -> [String] {
    if !redirectURIs.isEmpty || home == .none { return redirectURIs }
    return ["\(issuer)/app/\(id.text)/"]
  }
}
