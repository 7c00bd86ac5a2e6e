extension Schema {
  static let signIns = """
    -- `needs_code` says whether a code of this server follows a sign-in at a provider. The columns
    -- of the provider say how it authenticated the person.
    CREATE TABLE sign_in_attempts (
      digest                    BLOB    NOT NULL PRIMARY KEY,
      account                   TEXT    NOT NULL,
      client                    TEXT    NOT NULL,
      proof_key                 TEXT    NOT NULL,
      pkce_challenge            TEXT    NOT NULL,
      scope                     TEXT    NOT NULL,
      nonce                     TEXT,
      organization              TEXT,
      provider                  TEXT,
      provider_methods          TEXT,
      provider_assurance        TEXT,
      provider_authenticated_at INTEGER,
      needs_code                INTEGER NOT NULL DEFAULT 0,
      started_at                INTEGER NOT NULL,
      expires_at                INTEGER NOT NULL,
      progress                  TEXT    NOT NULL,
      code_digest               BLOB,
      code_expires_at           INTEGER,
      session                   TEXT,
      CHECK (CASE progress
        WHEN 'awaiting_code' THEN code_digest IS NULL
        WHEN 'proved'        THEN code_digest IS NOT NULL AND code_expires_at IS NOT NULL
        WHEN 'redeemed'      THEN code_digest IS NOT NULL AND session IS NOT NULL
        ELSE FALSE END)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX open_sign_in_attempts
      ON sign_in_attempts (account, proof_key, started_at) WHERE progress = 'awaiting_code';
    CREATE UNIQUE INDEX sign_in_attempts_by_code
      ON sign_in_attempts (code_digest) WHERE code_digest IS NOT NULL;
    CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);
    -- A password reset ends every attempt of its account.
    CREATE INDEX sign_in_attempts_of_account ON sign_in_attempts (account);

    -- Codes for different purposes can be valid at the same time. Each known device of an account
    -- has its own code. All unknown devices share one, with an empty holder.
    CREATE TABLE code_challenges (
      account     TEXT    NOT NULL,
      purpose     TEXT    NOT NULL,
      holder      TEXT    NOT NULL,
      id          TEXT    NOT NULL,
      client      TEXT    NOT NULL,
      proof_key   TEXT    NOT NULL,
      mac         BLOB    NOT NULL,
      superseded  BLOB    NOT NULL,
      digits      INTEGER NOT NULL,
      expires_at  INTEGER NOT NULL,
      resend_at   INTEGER NOT NULL,
      is_consumed INTEGER NOT NULL,
      PRIMARY KEY (account, purpose, holder)
    ) STRICT, WITHOUT ROWID;

    -- `password_proved` marks the devices on which a password was given.
    CREATE TABLE known_devices (
      account         TEXT    NOT NULL,
      proof_key       TEXT    NOT NULL,
      last_seen_at    INTEGER NOT NULL,
      password_proved INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (account, proof_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX known_devices_by_age ON known_devices (last_seen_at);

    -- The assertions that service accounts used, until they expire.
    CREATE TABLE used_assertions (
      digest     BLOB    NOT NULL PRIMARY KEY,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);
    """

  static let providerSignIns = """
    -- The metadata and keys of identity providers.
    CREATE TABLE provider_documents (
      provider   TEXT    NOT NULL,
      kind       TEXT    NOT NULL,
      url        TEXT    NOT NULL,
      body       BLOB    NOT NULL,
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (provider, kind)
    ) STRICT, WITHOUT ROWID;

    -- Sign-ins at providers in progress. `openings` says how often a browser has opened one. The
    -- columns from `ended_state` on say what a repeated request of the browser is answered with.
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
      openings       INTEGER NOT NULL DEFAULT 0,
      ended_state    BLOB,
      ended_browsers BLOB,
      ended_at       INTEGER,
      outcome        TEXT,
      CHECK (CASE progress
        WHEN 'pushed'  THEN state_digest IS NULL
        WHEN 'started' THEN state_digest IS NOT NULL AND browser_digest IS NOT NULL
        WHEN 'ended'   THEN state_digest IS NULL
        ELSE FALSE END)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX open_provider_journeys
      ON provider_journeys (proof_key, started_at) WHERE progress <> 'ended';
    -- Finds what one browser has started, for answers without `state`.
    CREATE INDEX provider_journeys_by_browser
      ON provider_journeys (browser_digest) WHERE browser_digest IS NOT NULL;
    CREATE UNIQUE INDEX provider_journeys_by_ended_state
      ON provider_journeys (ended_state) WHERE ended_state IS NOT NULL;
    CREATE INDEX provider_journeys_by_expiry ON provider_journeys (expires_at);
    CREATE UNIQUE INDEX provider_journeys_by_state
      ON provider_journeys (state_digest) WHERE state_digest IS NOT NULL;

    -- The links of accounts to providers. `created_account` marks the identity that created its
    -- account.
    CREATE TABLE identities (
      issuer          TEXT    NOT NULL,
      subject         TEXT    NOT NULL,
      account         TEXT    NOT NULL,
      provider        TEXT    NOT NULL,
      linked_at       INTEGER NOT NULL,
      last_used_at    INTEGER,
      created_account INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identities_of_account ON identities (account, linked_at);
    """
}
