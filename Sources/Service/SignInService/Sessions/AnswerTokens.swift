import SignInModel
import SignInWire

/// Signs the tokens of a session.
///
/// Call it outside a transaction.
func tokenAnswer(for grant: TokenGrant, at now: Instant, in world: World) -> TokenAnswer {
  let (session, client) = (grant.session, grant.client)
  let scopes = session.scope.split(separator: " ")
  let life = min(client.policy[.accessToken], now.wholeSeconds(until: session.expiresAt))
  let refresh = RefreshToken(session: session.id, generation: session.refreshGeneration)
  var answer = TokenAnswer(
    accessToken: Secret(AccessToken.mint(for: grant, lifeSeconds: life, at: now, in: world)),
    tokenType: session.isBound ? "DPoP" : "Bearer",
    expiresIn: life,
    refreshToken: scopes.contains("offline_access")
      ? Secret(refresh.text(keyring: world.keyring)) : nil,
    idToken: scopes.contains("openid") && grant.includesIDToken
      ? Secret(IDToken.mint(for: grant, lifeSeconds: life, at: now, in: world))
      : nil,
    scope: session.scope,
    session: client.terms(of: session)
  )
  answer.authorizationExpiresIn = max(0, now.wholeSeconds(until: session.expiresAt))
  if answer.refreshToken != nil { answer.refreshTokenTimeout = client.policy[.idle] }
  return answer
}

extension AppRegistration {
  func terms(of session: Session) -> TokenAnswer.SessionTerms {
    TokenAnswer.SessionTerms(
      id: session.id, expiresAt: session.expiresAt, idleTimeout: policy[.idle],
      backgroundTimeout: policy[.background], unlock: policy.unlock.rawValue,
      organization: session.organization
    )
  }
}
