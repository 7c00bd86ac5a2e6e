extension Schema {
  static let sessions = """
    -- `successor` is the session that follows after a switch of the organization. The columns of
    -- the provider say what it told about the authentication. `browser`, `system`, `town` and
    -- `country` say where the session began, approximately.
    --
    -- The last three columns are the renewals on one day that no event reports yet. They are in the
    -- row that each renewal changes anyway, and their index changes only once a day.
    CREATE TABLE sessions (
      id                     TEXT    NOT NULL PRIMARY KEY,
      account                TEXT    NOT NULL,
      client                 TEXT    NOT NULL,
      proof_key              TEXT    NOT NULL,
      scope                  TEXT    NOT NULL,
      organization           TEXT,
      authentication_methods TEXT    NOT NULL,
      provider               TEXT,
      assurance              TEXT,
      authenticated_at       INTEGER,
      browser                TEXT,
      system                 TEXT,
      town                   TEXT,
      country                TEXT,
      started_at             INTEGER NOT NULL,
      expires_at             INTEGER NOT NULL,
      last_used_at           INTEGER NOT NULL,
      refresh_generation     INTEGER NOT NULL,
      ended_by               TEXT,
      successor              TEXT,
      renewals               INTEGER NOT NULL DEFAULT 0,
      first_renewal_at       INTEGER,
      last_renewal_at        INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX open_sessions_by_organization
      ON sessions (organization, expires_at, ended_by) WHERE ended_by IS NULL;
    -- An account has few open sessions, and after years it has thousands of ended ones, which need
    -- not be read.
    CREATE INDEX open_sessions_of_account
      ON sessions (account, started_at) WHERE ended_by IS NULL;
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);
    CREATE INDEX sessions_of_account ON sessions (account, started_at);
    CREATE INDEX sessions_with_renewals
      ON sessions (first_renewal_at) WHERE first_renewal_at IS NOT NULL;
    """
}
