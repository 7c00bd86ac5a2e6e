import Foundation
import JSONText
import SignInClient
import SignInModel
import SignInWire

extension TestServer {
  func answer(_ call: TestCall) async -> Reply {
    endExpiredSessions()
    switch (call.method, call.path) {
    case ("POST", Endpoint.challenge.path): return challenge(call)
    case ("POST", Endpoint.token.path): return token(call)
    case ("POST", Endpoint.revoke.path): return revoke(call)
    case ("POST", Endpoint.forgotPassword.path): return forgotPassword(call)
    case ("POST", Endpoint.resetPassword.path): return resetPassword(call)
    case ("POST", Endpoint.accounts.path): return register(call)
    case ("GET", let path) where path.hasPrefix(TestServer.appsPath):
      return Reply(publicInformation.json)
    default: break
    }
    guard let index = sessions.firstIndex(where: { $0.key == call.key && !$0.isOver }) else {
      let reason = sessions.last { $0.key == call.key }?.endReason
      return Reply(problem: reason.map { .sessionEnded($0) } ?? .tokenOfEndedSession)
    }
    guard let token = call.token, token == sessions[index].accessToken else {
      return Reply(problem: .invalidToken("the token has expired"))
    }
    return await answer(call, in: index)
  }

  // MARK: Signing in

  private func challenge(_ call: TestCall) -> Reply {
    let form = call.form
    guard form[.clientID] == configuration.clientID else { return Reply(.invalidClient()) }
    if let name = form[.authSession] { return resume(name, form) }
    guard let challenge = form[.codeChallenge] else {
      return Reply(.invalidRequest("code_challenge is missing"))
    }
    if let reply = browserReply(form, challenge) { return reply }
    let person: Int?
    switch configuration.method {
    case .emailAndPassword:
      person = people.firstIndex { $0.email != nil && $0.email == form[.username] }
    case .phoneNumber: person = people.firstIndex { $0.phone == form[.phoneNumber] }
    }
    guard let person else {
      return Reply(
        configuration.method == .phoneNumber ? .accountNotRegistered : .invalidCredentials)
    }
    if let lockout = lockout(of: person) { return Reply(lockout) }
    if configuration.method == .emailAndPassword, people[person].password != form[.password] {
      return Reply(countFailure(of: person) ?? .invalidCredentials)
    }
    let name = next("attempt")
    attempts[name] = Attempt(person: person, challenge: challenge, code: sendCode())
    return prompt(name)
  }

  private func resume(_ name: String, _ form: Form) -> Reply {
    guard var attempt = attempts[name] else { return Reply(.invalidSession) }
    if form[.status] == "true" { return prompt(name) }
    if form[.resend] == "true" {
      attempt.code = sendCode()
      attempts[name] = attempt
      return prompt(name)
    }
    guard form[.otp] == attempt.code else {
      let lockout = countFailure(of: attempt.person)
      if lockout != nil { attempts[name] = nil }
      return Reply(lockout ?? .invalidOTP(attemptsLeft: attemptsLeft(of: attempt.person)))
    }
    attempts[name] = nil
    people[attempt.person].failures = 0
    let code = next("code")
    codes[code] = attempt
    return Reply(AuthorizationCodeAnswer(code: Secret(code)).json)
  }

  private func prompt(_ name: String) -> Reply {
    guard let attempt = attempts[name] else { return Reply(.invalidSession) }
    return Reply(.insufficientAuthorization(Secret(name), prompt(for: attempt)))
  }

  private func prompt(for attempt: Attempt) -> CodePrompt {
    var prompt = CodePrompt(
      destination: masked(people[attempt.person].phone), digits: 6,
      expiresAt: now.adding(seconds: 300), resendAt: now,
      attemptsLeft: attemptsLeft(of: attempt.person))
    prompt.delivery = .delivered
    return prompt
  }

  private func masked(_ phone: String) -> String { "***-***-" + phone.suffix(4) }

  private func sendCode() -> String {
    lastNumber += 1
    let digits = String(lastNumber)
    let sent = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    code = sent
    return sent
  }

  // MARK: Tokens

  private func token(_ call: TestCall) -> Reply {
    switch call.form[.grantType].flatMap({ TokenForm.GrantType(rawValue: $0) }) {
    case .authorizationCode?: return redeem(call)
    case .refreshToken?: return refresh(call)
    case .clientCredentials?, nil: return Reply(.unsupportedGrantType)
    }
  }

  private func redeem(_ call: TestCall) -> Reply {
    let verifier = SHA256.digest(of: Array((call.form[.codeVerifier] ?? "").utf8))
    guard let code = call.form[.code], let attempt = codes[code], let key = call.key,
      attempt.challenge == Base64URL.encode(verifier)
    else { return Reply(.invalidGrant(nil)) }
    codes[code] = nil
    // A sign-in replaces the earlier session of this device.
    for index in sessions.indices where sessions[index].key == key && !sessions[index].isOver {
      end(index, for: .replaced)
    }
    sessions.removeAll { $0.key == key }
    sessions.append(
      OpenSession(
        id: next("session"), person: attempt.person, key: key, startedAt: now, lastUsedAt: now,
        organization: people[attempt.person].organizations.first, accessToken: next("access"),
        refreshToken: next("refresh")))
    return tokens(of: sessions.count - 1)
  }

  private func refresh(_ call: TestCall) -> Reply {
    let token = call.form[.refreshToken]
    guard
      let index = sessions.firstIndex(where: {
        $0.refreshToken == token || token != nil && $0.previousRefreshToken == token
      }),
      sessions[index].key == call.key
    else { return Reply(.invalidGrant(nil)) }
    if let reason = sessions[index].endReason { return Reply(.invalidGrant(nil, reason)) }
    if let organization = call.form[.organization], token == sessions[index].refreshToken {
      guard people[sessions[index].person].organizations.contains(organization) else {
        return Reply(.notAMember)
      }
      let before = sessions[index]
      end(index)
      sessions[index] = OpenSession(
        id: next("session"), person: before.person, key: before.key, startedAt: now,
        lastUsedAt: now, organization: organization, accessToken: "", refreshToken: "")
    }
    sessions[index].lastUsedAt = now
    sessions[index].accessToken = next("access")
    // A request that is repeated after a lost answer gets the same token.
    if sessions[index].previousRefreshToken != token {
      sessions[index].previousRefreshToken = token
      sessions[index].refreshToken = next("refresh")
    }
    return tokens(of: index)
  }

  private func tokens(of index: Int) -> Reply {
    let session = sessions[index]
    return Reply(
      TokenAnswer(
        accessToken: Secret(session.accessToken), tokenType: "DPoP", expiresIn: 300,
        refreshToken: Secret(session.refreshToken), idToken: idToken(of: session),
        scope: configuration.scopes.joined(separator: " "), session: terms(of: session)
      ).json)
  }

  /// An ID token without a signature.
  private func idToken(of session: OpenSession) -> Secret {
    let claims = JSON.members([JSONMember(.sub, people[session.person].id)])
    return Secret("e30." + Base64URL.encode(claims.utf8) + ".")
  }

  private func terms(of session: OpenSession) -> TokenAnswer.SessionTerms {
    TokenAnswer.SessionTerms(
      id: SessionID(session.id), expiresAt: session.expiresAt, idleTimeout: idleTimeoutSeconds,
      backgroundTimeout: backgroundTimeoutSeconds, unlock: "none",
      organization: session.organization.map { OrganizationID($0) })
  }

  private func revoke(_ call: TestCall) -> Reply {
    let token = call.form[.token]
    for (index, session) in sessions.enumerated()
    where session.refreshToken == token || session.accessToken == token { end(index) }
    return Reply(.object([]))
  }

  // MARK: Passwords and registration

  private func forgotPassword(_ call: TestCall) -> Reply {
    guard let person = people.firstIndex(where: { $0.email == call.form[.username] }) else {
      return Reply(.accountNotRegistered)
    }
    let name = next("reset")
    let attempt = Attempt(person: person, challenge: "", code: sendCode())
    resets[name] = attempt
    return Reply(ResetAnswer(resetSession: Secret(name), challenge: prompt(for: attempt)).json)
  }

  private func resetPassword(_ call: TestCall) -> Reply {
    guard let name = call.form[.resetSession], let attempt = resets[name] else {
      return Reply(.invalidSession)
    }
    guard call.form[.otp] == attempt.code else {
      let lockout = countFailure(of: attempt.person)
      if lockout != nil { resets[name] = nil }
      return Reply(lockout ?? .invalidOTP(attemptsLeft: attemptsLeft(of: attempt.person)))
    }
    if let refusal = refusal(of: call.form[.password]) { return Reply(refusal) }
    resets[name] = nil
    people[attempt.person].password = call.form[.password]
    people[attempt.person].failures = 0
    people[attempt.person].lockedUntil = nil
    return Reply(.members([JSONMember(.status, "changed")]))
  }

  private func refusal(of password: String?) -> Refusal? {
    (password ?? "").count < 8 ? .passwordTooShort(least: 8) : nil
  }

  private func register(_ call: TestCall) -> Reply {
    guard configuration.method == .phoneNumber else {
      return Reply(.unauthorizedClient("sign-up is closed for this app"))
    }
    registrations.append((call.form[.name] ?? "", call.form[.phoneNumber] ?? ""))
    return Reply(status: 202, RegistrationAnswer.settled(.pending).json)
  }

  // MARK: In a session

  private func answer(_ call: TestCall, in index: Int) async -> Reply {
    if call.path != Endpoint.sessionEvents.path { sessions[index].lastUsedAt = now }
    let session = sessions[index]
    switch (call.method, call.path) {
    case ("GET", Endpoint.me.path): return Reply(account(of: session).json)
    case ("GET", Endpoint.sessions.path):
      let own = sessions.filter { $0.person == session.person && !$0.isOver }
      let entries = own.map { entry(of: $0, isCurrent: $0.id == session.id).json }
      return Reply(WireField.sessions.list(entries))
    case ("GET", Endpoint.sessionEvents.path): return await watch(call, session)
    case ("POST", Endpoint.password.path): return changePassword(call, session)
    case ("DELETE", let path) where path.hasPrefix(Endpoint.sessions.path + "/"):
      let id = path.dropFirst(Endpoint.sessions.path.count + 1)
      guard let other = sessions.firstIndex(where: { $0.id == id && !$0.isOver }),
        sessions[other].person == session.person
      else { return Reply(problem: .noSuchSession) }
      end(other)
      return Reply(status: 204, nil)
    default:
      let missing = Reply(status: 404, .members([JSONMember(.code, "not_found")]))
      return answers[call.path] ?? missing
    }
  }

  private func account(of session: OpenSession) -> AccountAnswer {
    let person = people[session.person]
    return AccountAnswer(
      id: AccountID(person.id), name: person.name, email: person.email,
      phone: masked(person.phone), role: person.role,
      organizations: person.organizations.map {
        OrganizationEntry(id: OrganizationID($0), name: $0)
      },
      session: terms(of: session))
  }

  private func entry(of session: OpenSession, isCurrent: Bool) -> SessionEntry {
    SessionEntry(
      id: SessionID(session.id), client: ClientID(configuration.clientID),
      organization: session.organization.map { OrganizationID($0) }, authenticationMethods: ["otp"],
      startedAt: session.startedAt, lastUsedAt: session.lastUsedAt, expiresAt: session.expiresAt,
      isCurrent: isCurrent, isBound: true)
  }

  /// Answers the first request of a client at once, and a later one when the session ends.
  private func watch(_ call: TestCall, _ session: OpenSession) async -> Reply {
    if SessionEventsQuery(call.query).seen == "1" {
      await withCheckedContinuation { continuation in
        watchers.append(Watcher(session: session.id, continuation: continuation))
      }
      let reason = sessions.first { $0.id == session.id }?.endReason
      return Reply(problem: .sessionEnded(reason ?? .revoked))
    }
    return Reply(
      SessionEventsAnswer(version: "1", terms: terms(of: session), account: AccountUpdate()).json)
  }

  private func changePassword(_ call: TestCall, _ session: OpenSession) -> Reply {
    guard call.json[.currentPassword]?.text == people[session.person].password else {
      return Reply(problem: .wrongCurrentPassword)
    }
    let new = call.json[.newPassword]?.text
    if let refusal = refusal(of: new) { return Reply(problem: refusal) }
    people[session.person].password = new
    for (index, other) in sessions.enumerated()
    where other.person == session.person && other.id != session.id && !other.isOver {
      end(index, for: .passwordChanged)
    }
    return Reply(status: 204, nil)
  }
}
