import JSONText
import SignInModel

/// Exchanges the authorization code of a provider for the claims about the person.
///
/// All calls together take at most `ProviderDirectory.Limits.waitMilliseconds`.
struct ProviderExchange: Sendable {
  enum Fault: Error, Equatable, Sendable {
    case provider(ProviderDirectory.Fault)
    /// The answer did not pass a check. The text is for the log.
    case untrusted(String)
    /// The person cancelled, or the provider refused the person.
    case refused
  }

  let provider: IdentityProvider
  let metadata: ProviderMetadata
  let journey: ProviderJourney
  let world: World
  let directory: ProviderDirectory
  private let deadline: ProviderDeadline

  init(
    provider: IdentityProvider, metadata: ProviderMetadata, journey: ProviderJourney,
    world: World, directory: ProviderDirectory, until deadline: ProviderDeadline
  ) {
    self.provider = provider
    self.metadata = metadata
    self.journey = journey
    self.world = world
    self.directory = directory
    self.deadline = deadline
  }

  func claims(for code: Secret, redirectURI: String) async throws(Fault) -> ProviderClaims {
    let exchange = CodeExchange(
      provider: provider, metadata: metadata, redirectURI: redirectURI, code: code,
      verifier: journey.providerVerifier)
    let answer = try await send(
      exchange.request(
        at: world.clock.now(), randomness: world.randomness,
        deadlineMilliseconds: deadline.millisecondsLeft))
    let tokens = try tokens(in: answer)
    switch provider.settings.kind {
    case .openID(let issuer, _):
      guard let text = tokens["id_token"]?.text else { throw .untrusted("no ID token") }
      let accessToken = tokens["access_token"]?.text.map { Secret($0) }
      let token = try await verified(text, accessToken: accessToken, issuer: issuer)
      var claims = ProviderClaims(token)
      claims.values.read(token.claims, for: ruleClaims)
      if needsMore(claims), let accessToken, metadata.userInfoEndpoint != nil {
        let info = try await userInfo(accessToken)
        // Another person's data must not be mixed in (OpenID Connect Core, section 5.3.2).
        guard info["sub"]?.text?.hasSameBytes(as: claims.subject) ?? false else {
          throw .untrusted("the user info is about another person")
        }
        claims.read(info)
        claims.values.read(info, for: ruleClaims)
      }
      try await readGroups(into: &claims, with: accessToken)
      return claims
    case .oauth2(let endpoints):
      guard let accessToken = tokens["access_token"]?.text.map({ Secret($0) }) else {
        throw .untrusted("no access token")
      }
      let info = try await userInfo(accessToken)
      guard let subject = Self.subject(info[endpoints.subjectClaim]) else {
        throw .untrusted("the user info has no `\(endpoints.subjectClaim)`")
      }
      var claims = ProviderClaims(subject: subject)
      claims.read(info)
      claims.values.read(info, for: ruleClaims)
      return claims
    }
  }

  /// The claims that the rules for new accounts compare.
  private var ruleClaims: Set<String> { provider.settings.newAccounts?.claims ?? [] }

  /// Whether a new account or a proposal needs claims that the ID token does not have.
  private func needsMore(_ claims: ProviderClaims) -> Bool {
    if claims.phone == nil, provider.settings.asksForPhone { return true }
    return provider.settings.newAccounts != nil
      && (claims.name == nil || claims.email == nil || claims.phone == nil
        || ruleClaims.contains { !claims.values.isKnown($0) && !claims.values.isWithheld($0) })
  }

  /// Some OAuth 2.0 providers identify people with a number.
  private static func subject(_ json: JSON?) -> String? {
    let text = json?.text ?? json?.number.map { String($0) }
    guard let text, (1...IDTokenCheck.subjectLengthLimit).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    return text
  }

  private func tokens(in answer: ProviderResponse) throws(Fault) -> JSON {
    if answer.status == 200, let json = answer.json, json.objectMembers != nil { return json }
    let code = TokenExchangeAnswer.errorCode(in: answer)
    switch (answer.status, code) {
    case (500..., _):
      throw .provider(.unavailable("its token endpoint answered \(answer.status)"))
    case (_, "invalid_grant"?): throw .untrusted("the provider refused its own code")
    default:
      let shown = code.map { "`\($0)`" } ?? "\(answer.status)"
      throw .provider(
        .misconfigured([
          ProviderMistake(
            problem: "its token endpoint answered \(shown)",
            remedy: "run `fieldpass provider check \(provider.name)`")
        ]))
    }
  }

  private func verified(
    _ text: String, accessToken: Secret?, issuer: String
  ) async throws(Fault) -> VerifiedIDToken {
    var check = IDTokenCheck(
      issuer: issuer, clientID: provider.settings.clientID, nonce: journey.providerNonce,
      algorithms: provider.settings.algorithms)
    check.trustedAudiences = provider.settings.trustedAudiences
    check.assurances = provider.settings.assurances
    check.authenticationAgeSeconds = provider.settings.authenticationAgeSeconds
    check.requiredClaims = provider.settings.requiredClaims
    let keys = try await keys(isAfterUnknownKey: false)
    let now = world.clock.now()
    do throws(IDTokenFault) {
      return try check.verify(text, with: keys, accessToken: accessToken, at: now)
    } catch {
      guard error == .unknownKey else { throw .untrusted(error.rawValue) }
    }
    let newer = try await self.keys(isAfterUnknownKey: true)
    do throws(IDTokenFault) {
      return try check.verify(text, with: newer, accessToken: accessToken, at: now)
    } catch {
      throw .untrusted(error.rawValue)
    }
  }

  private func keys(isAfterUnknownKey: Bool) async throws(Fault) -> ProviderKeys {
    do throws(ProviderDirectory.Fault) {
      return try await directory.keys(
        of: provider, metadata, isAfterUnknownKey: isAfterUnknownKey,
        within: deadline.millisecondsLeft)
    } catch {
      throw .provider(error)
    }
  }

  private func userInfo(_ accessToken: Secret) async throws(Fault) -> JSON {
    guard let url = metadata.userInfoEndpoint else { throw .untrusted("no user info") }
    let answer = try await send(try bearing(accessToken, to: url))
    guard answer.status == 200 else {
      throw .provider(.unavailable("its user info answered \(answer.status)"))
    }
    guard let json = answer.json else { throw .untrusted("the user info is not JSON") }
    return json
  }

  /// A `GET` with the access token, within the time of this sign-in.
  func bearing(_ accessToken: Secret, to url: String) throws(Fault) -> ProviderRequest {
    guard accessToken.revealed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .untrusted("the access token has characters that are not allowed")
    }
    var request = provider.request(to: url, within: deadline.millisecondsLeft)
    request.authorization = Secret("Bearer " + accessToken.revealed)
    return request
  }

  func send(_ request: ProviderRequest) async throws(Fault) -> ProviderResponse {
    do throws(ProviderDirectory.Fault) { return try await directory.send(request) } catch {
      throw .provider(error)
    }
  }
}

extension ProviderDirectory {
  /// Sends a request that is not for a document.
  nonisolated func send(_ request: ProviderRequest) async throws(Fault) -> ProviderResponse {
    do throws(ProviderCallFault) { return try await calls.send(request) } catch {
      throw .unavailable(error.why)
    }
  }
}
