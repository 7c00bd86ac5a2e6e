extension Schema {
  /// The metadata and keys of identity providers.
  static let providerDocuments = """
    CREATE TABLE provider_documents (
      provider   TEXT    NOT NULL,
      kind       TEXT    NOT NULL,
      url        TEXT    NOT NULL,
      body       BLOB    NOT NULL,
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (provider, kind)
    ) STRICT, WITHOUT ROWID;
    """

  /// Sign-ins at providers in progress, the links to accounts, and how a provider authenticated the
  /// person of a sign-in attempt.
  static let providerSignIns = """
    CREATE TABLE provider_journeys (
      digest         BLOB    NOT NULL PRIMARY KEY,
      provider       TEXT    NOT NULL,
      issuer         TEXT    NOT NULL,
      client         TEXT    NOT NULL,
      proof_key      TEXT    NOT NULL,
      pkce_challenge TEXT    NOT NULL,
      scope          TEXT    NOT NULL,
      nonce          TEXT,
      organization   TEXT,
      redirect_uri   TEXT    NOT NULL,
      state          TEXT,
      login_hint     TEXT,
      own_nonce      TEXT    NOT NULL,
      own_verifier   TEXT    NOT NULL,
      started_at     INTEGER NOT NULL,
      expires_at     INTEGER NOT NULL,
      progress       TEXT    NOT NULL,
      state_digest   BLOB,
      browser_digest BLOB,
      CHECK (CASE progress
        WHEN 'pushed'  THEN state_digest IS NULL
        WHEN 'started' THEN state_digest IS NOT NULL AND browser_digest IS NOT NULL
        WHEN 'ended'   THEN state_digest IS NULL
        ELSE FALSE END)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX provider_journeys_by_state
      ON provider_journeys (state_digest) WHERE state_digest IS NOT NULL;
    CREATE INDEX provider_journeys_by_expiry ON provider_journeys (expires_at);
    CREATE INDEX open_provider_journeys
      ON provider_journeys (proof_key, started_at) WHERE progress <> 'ended';

    CREATE TABLE identities (
      issuer       TEXT    NOT NULL,
      subject      TEXT    NOT NULL,
      account      TEXT    NOT NULL,
      provider     TEXT    NOT NULL,
      linked_at    INTEGER NOT NULL,
      last_used_at INTEGER,
      PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identities_of_account ON identities (account, linked_at);

    ALTER TABLE sign_in_attempts ADD COLUMN provider TEXT;
    ALTER TABLE sign_in_attempts ADD COLUMN provider_methods TEXT;
    ALTER TABLE sign_in_attempts ADD COLUMN provider_assurance TEXT;
    ALTER TABLE sign_in_attempts ADD COLUMN provider_authenticated_at INTEGER;
    """

  /// Finds the sign-ins that one browser has started, for answers without `state`.
  static let providerBrowsers = """
    CREATE INDEX provider_journeys_by_browser
      ON provider_journeys (browser_digest) WHERE browser_digest IS NOT NULL;
    """

  /// Which identity created its account.
  ///
  /// Both were written in one transaction. Only an administrator links an account later.
  static let createdAccounts = """
    ALTER TABLE identities ADD COLUMN created_account INTEGER NOT NULL DEFAULT 0;
    UPDATE identities SET created_account = 1
      WHERE linked_at = (SELECT created_at FROM accounts WHERE id = identities.account);
    """

  /// Whether a code of this server follows a sign-in at a provider.
  static let requiredCodes = """
    ALTER TABLE sign_in_attempts ADD COLUMN needs_code INTEGER NOT NULL DEFAULT 0;
    """

  /// What a provider said about the authentication that began a session.
  static let authenticationFacts = """
    ALTER TABLE sessions ADD COLUMN provider TEXT;
    ALTER TABLE sessions ADD COLUMN assurance TEXT;
    ALTER TABLE sessions ADD COLUMN authenticated_at INTEGER;
    """

  /// How often a browser has opened a sign-in at a provider.
  static let journeyOpenings = """
    ALTER TABLE provider_journeys ADD COLUMN openings INTEGER NOT NULL DEFAULT 0;
    """

  /// Numbers and addresses of providers that wait for the person, and those that were declined.
  static let contactProposals = """
    CREATE TABLE contact_proposals (
      id          TEXT    NOT NULL PRIMARY KEY,
      account     TEXT    NOT NULL,
      provider    TEXT    NOT NULL,
      issuer      TEXT    NOT NULL,
      subject     TEXT    NOT NULL,
      channel     TEXT    NOT NULL,
      value       TEXT    NOT NULL,
      proposed_at INTEGER NOT NULL,
      declined_at INTEGER,
      UNIQUE (issuer, subject, channel)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX contact_proposals_of_account ON contact_proposals (account, proposed_at);
    CREATE INDEX contact_proposals_by_time
      ON contact_proposals (proposed_at) WHERE declined_at IS NULL;
    """
}
