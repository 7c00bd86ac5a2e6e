internal import SignInModel
internal import SignInService

extension SQLTransaction: SignInRecords {
  func insert(_ attempt: SignInAttempt) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO sign_in_attempts
        (account, client, proof_key, pkce_challenge, scope, nonce, organization, started_at,
        expires_at, progress, code_digest, code_expires_at, session, provider, provider_methods,
        provider_assurance, provider_authenticated_at, needs_code, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      bind: attempt.bind)
  }

  func signInAttempt(digest: [UInt8]) throws(StoreFault) -> SignInAttempt? {
    try connection.first(
      Self.attemptByDigest,
      bind: { $0.bind(digest) }, read: SignInAttempt.init)
  }

  func signInAttempt(codeDigest: [UInt8]) throws(StoreFault) -> SignInAttempt? {
    try connection.first(
      Self.attemptByCode,
      bind: { $0.bind(codeDigest) }, read: SignInAttempt.init)
  }

  func update(_ attempt: SignInAttempt) throws(StoreFault) {
    try rewriteLater(
      """
      UPDATE sign_in_attempts
      SET progress = ?, code_digest = ?, code_expires_at = ?, session = ? WHERE digest = ?
      """
    ) {
      attempt.bindProgress(&$0)
      $0.bind(attempt.digest)
    }
  }

  func removeSignInAttempts(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try removeOldest(
      """
      DELETE FROM sign_in_attempts WHERE digest IN
        (SELECT digest FROM sign_in_attempts WHERE expires_at < ? ORDER BY expires_at LIMIT ?)
      """, before: moment, limit: limit)
  }

  func removeOpenSignInAttempts(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault) {
    try writeLater(
      """
      DELETE FROM sign_in_attempts WHERE digest IN
        (SELECT digest FROM sign_in_attempts INDEXED BY open_sign_in_attempts
        WHERE account = ? AND proof_key = ? AND progress = 'awaiting_code'
        ORDER BY started_at DESC, digest LIMIT 1000000000 OFFSET ?)
      """
    ) {
      $0.bind(account.text)
      $0.bind(proofKeyThumbprint)
      $0.bind(Int64(count))
    }
  }

  func removeSignInAttempt(digest: [UInt8]) throws(StoreFault) {
    try writeLater("DELETE FROM sign_in_attempts WHERE digest = ?") { $0.bind(digest) }
  }

  func removeSignInAttempts(of account: AccountID) throws(StoreFault) {
    try writeLater("DELETE FROM sign_in_attempts WHERE account = ?") { $0.bind(account.text) }
  }

  func removeSignInAttempts(of account: AccountID, at provider: String) throws(StoreFault) {
    try writeLater("DELETE FROM sign_in_attempts WHERE account = ? AND provider = ?") {
      $0.bind(account.text)
      $0.bind(provider)
    }
  }
}

extension SignInAttempt {
  private enum ProgressWord: String {
    case awaitingCode = "awaiting_code"
    case proved
    case redeemed
  }

  fileprivate init(_ row: inout Row) throws(StoreFault) {
    self.init(
      digest: row.bytes(), account: row.identifier(), client: row.identifier(),
      proofKeyThumbprint: row.text(), pkceChallenge: row.text(), scope: row.text(),
      nonce: row.textIfAny(), organization: row.identifierIfAny(), startedAt: row.moment(),
      expiresAt: row.moment(), progress: try Self.progress(&row)
    )
    let provider = row.textIfAny()
    let methods = row.textIfAny() ?? ""
    let (assurance, authenticatedAt) = (row.textIfAny(), row.momentIfAny())
    let needsCode = row.truth()
    federation = provider.map {
      Federation(
        provider: $0, methods: methods.split(separator: " ").map(String.init),
        assurance: assurance, authenticatedAt: authenticatedAt, needsCode: needsCode)
    }
  }

  private static func progress(_ row: inout Row) throws(StoreFault) -> Progress {
    let word: ProgressWord = try row.word()
    let codeDigest = row.bytes()
    let codeExpiresAt = row.moment()
    let session = row.text()
    return switch word {
    case .awaitingCode: .awaitingCode
    case .proved: .proved(codeDigest: codeDigest, expiresAt: codeExpiresAt)
    case .redeemed: .redeemed(codeDigest: codeDigest, session: SessionID(session))
    }
  }

  fileprivate func bind(_ parameters: inout Parameters) {
    parameters.bind(account.text)
    parameters.bind(client.text)
    parameters.bind(proofKeyThumbprint)
    parameters.bind(pkceChallenge)
    parameters.bind(scope)
    parameters.bind(nonce)
    parameters.bind(organization?.text)
    parameters.bind(startedAt)
    parameters.bind(expiresAt)
    bindProgress(&parameters)
    parameters.bind(federation?.provider)
    parameters.bind(federation?.methods.joined(separator: " "))
    parameters.bind(federation?.assurance)
    parameters.bind(federation?.authenticatedAt)
    parameters.bind(federation?.needsCode ?? false)
    parameters.bind(digest)
  }

  fileprivate func bindProgress(_ parameters: inout Parameters) {
    let columns: (word: ProgressWord, code: [UInt8]?, expiresAt: Instant?, session: SessionID?)
    switch progress {
    case .awaitingCode: columns = (.awaitingCode, nil, nil, nil)
    case .proved(let code, let expiresAt): columns = (.proved, code, expiresAt, nil)
    case .redeemed(let code, let session): columns = (.redeemed, code, nil, session)
    }
    parameters.bind(columns.word.rawValue)
    parameters.bind(columns.code)
    parameters.bind(columns.expiresAt)
    parameters.bind(columns.session?.text)
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let attemptByDigest: StaticString = """
    SELECT digest, account, client, proof_key, pkce_challenge, scope, nonce, organization,
      started_at, expires_at, progress, code_digest, code_expires_at, session, provider,
      provider_methods, provider_assurance, provider_authenticated_at, needs_code
    FROM sign_in_attempts WHERE digest = ?
    """

  static let attemptByCode: StaticString = """
    SELECT digest, account, client, proof_key, pkce_challenge, scope, nonce, organization,
      started_at, expires_at, progress, code_digest, code_expires_at, session, provider,
      provider_methods, provider_assurance, provider_authenticated_at, needs_code
    FROM sign_in_attempts WHERE code_digest = ?
    """
}
