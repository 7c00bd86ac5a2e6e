extension Schema {
  static let accounts = """
    -- Two accounts without a number do not collide, because NULL equals nothing.
    --
    -- `email_proof` and `phone_proof` say how each was proved. `phone_changed_at` is set until a
    -- changed number is proved. `search_text` is the folded text in which words are searched.
    -- `is_demo` marks the accounts of the demo, because their passwords are published.
    CREATE TABLE accounts (
      id               TEXT    NOT NULL PRIMARY KEY,
      email            TEXT    UNIQUE,
      email_proof      TEXT,
      phone            TEXT,
      phone_proof      TEXT,
      phone_changed_at INTEGER,
      name             TEXT    NOT NULL,
      search_text      TEXT    NOT NULL,
      role             TEXT    NOT NULL,
      permissions      TEXT    NOT NULL DEFAULT '',
      organizations    TEXT    NOT NULL,
      status           TEXT    NOT NULL,
      password_hash    TEXT,
      created_at       INTEGER NOT NULL,
      signed_out_at    INTEGER,
      is_demo          INTEGER NOT NULL DEFAULT 0,
      UNIQUE (phone, role)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX accounts_of_demo ON accounts (id) WHERE is_demo = 1;
    CREATE INDEX accounts_pending
      ON accounts (organizations, status) WHERE status = 'pending';
    CREATE INDEX administrators ON accounts (id) WHERE role = 'administrator';
    CREATE INDEX imported_hashes ON accounts (id)
      WHERE substr(password_hash, 1, 3) IN ('s1a', 's1b');

    -- The kinds of imported hashes. Each comparison of a password does the work of all of them.
    CREATE TABLE password_hash_kinds (
      kind TEXT NOT NULL PRIMARY KEY
    ) STRICT, WITHOUT ROWID;

    -- Passwords that wait to take effect.
    CREATE TABLE waiting_passwords (
      account       TEXT    NOT NULL PRIMARY KEY,
      client        TEXT    NOT NULL,
      password_hash TEXT    NOT NULL,
      requested_at  INTEGER NOT NULL,
      available_at  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX waiting_passwords_by_time ON waiting_passwords (available_at);

    CREATE TABLE password_resets (
      digest     BLOB    NOT NULL PRIMARY KEY,
      account    TEXT    NOT NULL,
      client     TEXT    NOT NULL,
      proof_key  TEXT,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);
    CREATE INDEX password_resets_of_account ON password_resets (account);

    -- Invitations to choose a password, and the contact to which each was sent.
    CREATE TABLE invitations (
      account    TEXT    NOT NULL PRIMARY KEY,
      digest     BLOB    NOT NULL UNIQUE,
      sent_to    TEXT,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitations_by_expiry ON invitations (expires_at);

    -- Notices for signed-in devices.
    CREATE TABLE account_notices (
      id      TEXT    NOT NULL PRIMARY KEY,
      account TEXT    NOT NULL,
      kind    TEXT    NOT NULL,
      at      INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notices_by_time ON account_notices (at);
    CREATE INDEX notices_of_account ON account_notices (account, at);
    """

  static let contacts = """
    -- Addresses and numbers that accounts had before; see `FormerContact`.
    CREATE TABLE former_contacts (
      account     TEXT    NOT NULL,
      value       TEXT    NOT NULL,
      proof       TEXT,
      replaced_at INTEGER,
      PRIMARY KEY (account, value)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX former_contacts_by_age ON former_contacts (replaced_at);

    -- What people changed in their own account and can take back, and requests for an erasure.
    CREATE TABLE revocable_changes (
      id               TEXT    NOT NULL PRIMARY KEY,
      account          TEXT    NOT NULL,
      kind             TEXT    NOT NULL,
      value            TEXT,
      proof            TEXT,
      unverified_since INTEGER,
      digest           BLOB    NOT NULL,
      made_at          INTEGER NOT NULL,
      ends_at          INTEGER NOT NULL,
      undone_at        INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX revocable_changes_by_digest ON revocable_changes (digest);
    CREATE INDEX revocable_changes_by_end ON revocable_changes (ends_at);
    CREATE INDEX revocable_changes_of_account ON revocable_changes (account, made_at);

    -- Numbers and addresses of providers that wait for the person, and those that were declined.
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
    CREATE INDEX contact_proposals_by_time
      ON contact_proposals (proposed_at) WHERE declined_at IS NULL;
    CREATE INDEX contact_proposals_of_account ON contact_proposals (account, proposed_at);
    """
}
