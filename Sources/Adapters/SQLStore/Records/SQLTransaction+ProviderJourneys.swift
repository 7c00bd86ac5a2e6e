internal import SignInModel
internal import SignInService
internal import SignInWire

extension SQLTransaction: ProviderJourneyRecords {
  func insert(_ journey: ProviderJourney) throws(StoreFault) {
    try write(
      """
      INSERT INTO provider_journeys
        (provider, issuer, client, proof_key, pkce_challenge, scope, nonce, organization,
        redirect_uri, state, login_hint, own_nonce, own_verifier, started_at, expires_at,
        progress, state_digest, browser_digest, openings, ended_state,
        ended_browsers, ended_at, outcome, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      bind: journey.bind)
  }

  func providerJourney(digest: [UInt8]) throws(StoreFault) -> ProviderJourney? {
    try connection.first(
      """
      SELECT digest, provider, issuer, client, proof_key, pkce_challenge, scope, nonce,
        organization, redirect_uri, state, login_hint, own_nonce, own_verifier, started_at,
        expires_at, progress, state_digest, browser_digest, openings, ended_state,
        ended_browsers, ended_at, outcome
      FROM provider_journeys WHERE digest = ?
      """,
      bind: { $0.bind(digest) }, read: ProviderJourney.init)
  }

  func providerJourney(stateDigest: [UInt8]) throws(StoreFault) -> ProviderJourney? {
    if let started = try startedProviderJourney(stateDigest: stateDigest) { return started }
    return try connection.first(
      """
      SELECT digest, provider, issuer, client, proof_key, pkce_challenge, scope, nonce,
        organization, redirect_uri, state, login_hint, own_nonce, own_verifier, started_at,
        expires_at, progress, state_digest, browser_digest, openings, ended_state,
        ended_browsers, ended_at, outcome
      FROM provider_journeys WHERE ended_state = ?
      """,
      bind: { $0.bind(stateDigest) }, read: ProviderJourney.init)
  }

  private func startedProviderJourney(
    stateDigest: [UInt8]
  ) throws(StoreFault) -> ProviderJourney? {
    try connection.first(
      """
      SELECT digest, provider, issuer, client, proof_key, pkce_challenge, scope, nonce,
        organization, redirect_uri, state, login_hint, own_nonce, own_verifier, started_at,
        expires_at, progress, state_digest, browser_digest, openings, ended_state,
        ended_browsers, ended_at, outcome
      FROM provider_journeys WHERE state_digest = ?
      """,
      bind: { $0.bind(stateDigest) }, read: ProviderJourney.init)
  }

  func startedProviderJourneys(
    browserDigest: [UInt8], at provider: String, expiringAfter moment: Instant, limit: Int
  ) throws(StoreFault) -> [ProviderJourney] {
    try connection.all(
      """
      SELECT digest, provider, issuer, client, proof_key, pkce_challenge, scope, nonce,
        organization, redirect_uri, state, login_hint, own_nonce, own_verifier, started_at,
        expires_at, progress, state_digest, browser_digest, openings, ended_state,
        ended_browsers, ended_at, outcome
      FROM provider_journeys INDEXED BY provider_journeys_by_browser
      WHERE browser_digest = ? AND provider = ? AND expires_at > ? LIMIT ?
      """,
      bind: {
        $0.bind(browserDigest)
        $0.bind(provider)
        $0.bind(moment)
        $0.bind(Int64(limit))
      }, read: ProviderJourney.init)
  }

  func update(_ journey: ProviderJourney) throws(StoreFault) {
    try rewrite(
      """
      UPDATE provider_journeys
      SET progress = ?, state_digest = ?, browser_digest = ?, openings = ?,
        ended_state = ?, ended_browsers = ?, ended_at = ?, outcome = ?
      WHERE digest = ?
      """
    ) {
      journey.bindProgress(&$0)
      $0.bind(journey.digest)
    }
  }

  func removeOpenProviderJourneys(
    proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault) {
    try write(
      """
      DELETE FROM provider_journeys WHERE digest IN
        (SELECT digest FROM provider_journeys INDEXED BY open_provider_journeys
        WHERE proof_key = ? AND progress <> 'ended'
        ORDER BY started_at DESC, digest LIMIT 1000000000 OFFSET ?)
      """
    ) {
      $0.bind(proofKeyThumbprint)
      $0.bind(Int64(count))
    }
  }

  func removeProviderJourneys(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM provider_journeys WHERE digest IN
        (SELECT digest FROM provider_journeys WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }
}

extension ProviderJourney {
  private enum ProgressWord: String {
    case pushed, started, ended
  }

  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      digest: row.bytes(), provider: row.text(), issuer: row.text(), client: row.identifier(),
      proofKeyThumbprint: row.text(), pkceChallenge: row.text(), scope: row.text(),
      nonce: row.textIfAny(), organization: row.identifierIfAny(), redirectURI: row.text(),
      state: row.textIfAny(), loginHint: row.textIfAny(), providerNonce: row.text(),
      providerVerifier: Secret(row.text()), startedAt: row.moment(), expiresAt: row.moment(),
      progress: .pushed)
    try readProgress(&row)
  }

  private mutating func readProgress(_ row: inout Row) throws(StoreFault) {
    let word: ProgressWord = try row.word()
    let (state, browser, openings) = (row.bytes(), row.bytes(), row.number())
    let (endedState, endedBrowsers) = (row.bytes(), row.bytes())
    let (endedAt, outcome) = (row.momentIfAny(), row.textIfAny())
    switch word {
    case .pushed: progress = .pushed
    case .started:
      progress = .started(state: state, browser: browser, openings: Int(clamping: openings))
    case .ended:
      progress = .ended(
        endedAt.map {
          Ending(
            state: endedState, browsers: Self.digests(endedBrowsers), at: $0,
            outcome: outcome.flatMap(Self.outcome))
        })
    }
  }

  /// The digests of several cookies follow each other in one value.
  private static func digests(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: digestBytes).map {
      Array(bytes[$0..<min($0 + digestBytes, bytes.count)])
    }
  }

  /// The bytes of a SHA-256 digest.
  private static let digestBytes = 32
  private static let codeWord = "code"

  private static func outcome(_ word: String) -> Outcome? {
    word == codeWord ? .code : JourneyError(rawValue: word).map { .error($0) }
  }

  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(provider)
    parameters.bind(issuer)
    parameters.bind(client.text)
    parameters.bind(proofKeyThumbprint)
    parameters.bind(pkceChallenge)
    parameters.bind(scope)
    parameters.bind(nonce)
    parameters.bind(organization?.text)
    parameters.bind(redirectURI)
    parameters.bind(state)
    parameters.bind(loginHint)
    parameters.bind(providerNonce)
    parameters.bind(providerVerifier.revealed)
    parameters.bind(startedAt)
    parameters.bind(expiresAt)
    bindProgress(&parameters)
    parameters.bind(digest)
  }

  fileprivate func bindProgress(_ parameters: inout Parameters) {
    let columns: (word: ProgressWord, state: [UInt8]?, browser: [UInt8]?, openings: Int)
    var ended: Ending?
    switch progress {
    case .pushed: columns = (.pushed, nil, nil, 0)
    case .started(let state, let browser, let openings):
      columns = (.started, state, browser, openings)
    case .ended(let ending):
      columns = (.ended, nil, nil, 0)
      ended = ending
    }
    parameters.bind(columns.word.rawValue)
    parameters.bind(columns.state)
    parameters.bind(columns.browser)
    parameters.bind(Int64(columns.openings))
    parameters.bind(ended?.state)
    parameters.bind(ended.map { Array($0.browsers.joined()) })
    parameters.bind(ended?.at)
    switch ended?.outcome {
    case nil: parameters.bind(String?.none)
    case .code?: parameters.bind(Self.codeWord)
    case .error(let error)?: parameters.bind(error.rawValue)
    }
  }
}

extension SQLTransaction: IdentityRecords {
  func identity(issuer: String, subject: String) throws(StoreFault) -> Identity? {
    try connection.first(
      """
      SELECT issuer, subject, account, provider, linked_at, last_used_at, created_account
      FROM identities
      WHERE issuer = ? AND subject = ?
      """,
      bind: {
        $0.bind(issuer)
        $0.bind(subject)
      }, read: Identity.init)
  }

  func identities(of account: AccountID) throws(StoreFault) -> [Identity] {
    try connection.all(
      """
      SELECT issuer, subject, account, provider, linked_at, last_used_at, created_account
      FROM identities
      WHERE account = ? ORDER BY linked_at, issuer, subject
      """,
      bind: { $0.bind(account.text) }, read: Identity.init)
  }

  func insert(_ identity: Identity) throws(StoreFault) {
    try write(
      """
      INSERT INTO identities
        (issuer, subject, account, provider, linked_at, last_used_at, created_account)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    ) {
      $0.bind(identity.issuer)
      $0.bind(identity.subject)
      $0.bind(identity.account.text)
      $0.bind(identity.provider)
      $0.bind(identity.linkedAt)
      $0.bind(identity.lastUsedAt)
      $0.bind(identity.hasCreatedAccount)
    }
  }

  func update(_ identity: Identity) throws(StoreFault) {
    try rewrite("UPDATE identities SET last_used_at = ? WHERE issuer = ? AND subject = ?") {
      $0.bind(identity.lastUsedAt)
      $0.bind(identity.issuer)
      $0.bind(identity.subject)
    }
  }

  func removeIdentity(issuer: String, subject: String) throws(StoreFault) {
    try write("DELETE FROM contact_proposals WHERE issuer = ? AND subject = ?") {
      $0.bind(issuer)
      $0.bind(subject)
    }
    try write("DELETE FROM identities WHERE issuer = ? AND subject = ?") {
      $0.bind(issuer)
      $0.bind(subject)
    }
  }
}

extension Identity {
  fileprivate init(_ row: inout Row) {
    self.init(
      issuer: row.text(), subject: row.text(), account: row.identifier(), provider: row.text(),
      linkedAt: row.moment(), lastUsedAt: row.momentIfAny(), hasCreatedAccount: row.truth())
  }
}
