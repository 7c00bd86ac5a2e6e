import JSONText
package import SignInEngine
package import SignInModel
package import SignInWire

/// The answers of the server and the contents of storage in the tests of one session.
package protocol SessionSamples {
  /// The server's clock.
  var serverNow: Instant { get }
}

extension SessionSamples {
  /// The time at which each test begins.
  package static var startTime: Instant { Instant(seconds: 1_700_000_000) }

  package func prompt(attemptsLeft: Int64 = 5) -> CodePrompt {
    CodePrompt(
      destination: "***-***-1234", digits: 6, expiresAt: serverNow.adding(seconds: 300),
      resendAt: serverNow.adding(seconds: 60), attemptsLeft: attemptsLeft
    )
  }

  package static var terms: TokenAnswer.SessionTerms { terms(of: "session-1") }

  package static func terms(
    of session: String, unlock: String = "none", organization: String = "north"
  ) -> TokenAnswer.SessionTerms {
    TokenAnswer.SessionTerms(
      id: SessionID(session), expiresAt: startTime.adding(seconds: 86400), idleTimeout: 3600,
      backgroundTimeout: 300, unlock: unlock, organization: OrganizationID(organization)
    )
  }

  package static func tokens(
    _ number: Int64, expiresIn: Int64, terms: TokenAnswer.SessionTerms = terms
  ) -> TokenAnswer {
    TokenAnswer(
      accessToken: Secret("access-\(number)"), tokenType: "DPoP", expiresIn: expiresIn,
      refreshToken: Secret("refresh-\(number)"), idToken: nil, scope: "openid", session: terms
    )
  }

  package static var account: AccountAnswer {
    AccountAnswer(
      id: AccountID("a1"), name: "Tess Technician", email: "tech@example.com",
      phone: "***-***-1234", role: "technician",
      organizations: [OrganizationEntry(id: OrganizationID("north"), name: "north")],
      session: terms
    )
  }

  /// The record that storage would have now.
  package static func stored(
    _ number: Int64, expiresIn: Int64, at now: Instant = startTime, session: String = "session-1",
    unlock: String = "none"
  ) -> String {
    JSON.members([
      JSONMember("version", 2),
      JSONMember("access_token", "access-\(number)"),
      JSONMember("access_expires_at", now.adding(seconds: expiresIn).seconds),
      JSONMember("refresh_token", "refresh-\(number)"),
      JSONMember("session", terms(of: session, unlock: unlock).json),
    ]).utf8.text
  }
}

extension AppEvent {
  /// Adds the given time of last use to a read session, unless the test sets one.
  package func asJustSeen(at time: Instant) -> Self {
    guard case .storage(.read(let reading, seen: nil, let pending, let username)) = self else {
      return self
    }
    let clockReadings = JSON.members([
      JSONMember("device", time.milliseconds), JSONMember("server", time.milliseconds),
      JSONMember("told", false),
    ])
    let seen = JSON.members([
      JSONMember("version", 1), JSONMember("shown", clockReadings),
      JSONMember("used", clockReadings),
    ])
    return .storage(.read(reading, seen: seen.utf8.text, pending: pending, username: username))
  }
}

// Tests write texts where a program has secrets.

extension StorageEvent {
  package static func read(
    _ reading: StorageReading, seen: String?, pending: Secret? = nil, username: Secret? = nil
  ) -> StorageEvent {
    .read(reading, seen: seen.map { Secret($0) }, pending: pending, username: username)
  }
}

extension StorageReading {
  package static func value(_ text: String) -> StorageReading { .value(Secret(text)) }
}

extension [UInt8] {
  package var text: String { String(decoding: self, as: UTF8.self) }
}
