extension PostgresSchema {
  /// The tables of version 1, from A to O.
  ///
  /// Texts are ordered by their bytes, as in SQLite.
  static let firstTables = """
    CREATE TABLE account_notices (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      at bigint NOT NULL
    );

    CREATE TABLE accounts (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      email text COLLATE "C" UNIQUE,
      phone text COLLATE "C",
      name text COLLATE "C" NOT NULL,
      role text COLLATE "C" NOT NULL,
      status text COLLATE "C" NOT NULL,
      password_hash text COLLATE "C",
      organizations text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL,
      is_demo bigint NOT NULL DEFAULT 0,
      permissions text COLLATE "C" NOT NULL DEFAULT '',
      phone_changed_at bigint,
      UNIQUE (phone, role),
      CHECK (phone IS NOT NULL OR role <> 'rider')
    );

    CREATE TABLE activities (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      organization text COLLATE "C" NOT NULL,
      title text COLLATE "C" NOT NULL,
      place text COLLATE "C" NOT NULL,
      companion text COLLATE "C" NOT NULL,
      starts_at bigint NOT NULL,
      ends_at bigint NOT NULL,
      status text COLLATE "C" NOT NULL,
      notes text COLLATE "C" NOT NULL,
      version bigint NOT NULL DEFAULT 1
    );

    CREATE TABLE change_receivers (
      name text COLLATE "C" NOT NULL PRIMARY KEY,
      taken bigint NOT NULL
    );

    CREATE TABLE code_challenges (
      account text COLLATE "C" NOT NULL,
      purpose text COLLATE "C" NOT NULL,
      holder text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      client text COLLATE "C" NOT NULL,
      proof_key text COLLATE "C" NOT NULL,
      mac bytea NOT NULL,
      superseded bytea NOT NULL,
      digits bigint NOT NULL,
      expires_at bigint NOT NULL,
      resend_at bigint NOT NULL,
      is_consumed bigint NOT NULL,
      PRIMARY KEY (account, purpose, holder)
    );

    CREATE TABLE contact_proposals (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      provider text COLLATE "C" NOT NULL,
      issuer text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      channel text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      proposed_at bigint NOT NULL,
      declined_at bigint,
      UNIQUE (issuer, subject, channel)
    );

    CREATE TABLE data_change_bounds (
      id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
      removed bigint NOT NULL,
      last bigint NOT NULL
    );

    CREATE TABLE data_changes (
      sequence bigint NOT NULL PRIMARY KEY,
      at bigint NOT NULL,
      kind text COLLATE "C" NOT NULL,
      record text COLLATE "C" NOT NULL,
      act text COLLATE "C" NOT NULL,
      account text COLLATE "C" NOT NULL,
      status text COLLATE "C",
      version bigint
    );

    CREATE TABLE deliveries (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      recipient text COLLATE "C" NOT NULL,
      place text COLLATE "C" NOT NULL,
      parcels bigint NOT NULL,
      starts_at bigint NOT NULL,
      ends_at bigint NOT NULL,
      status text COLLATE "C" NOT NULL,
      version bigint NOT NULL DEFAULT 1
    );

    CREATE TABLE identities (
      issuer text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      account text COLLATE "C" NOT NULL,
      provider text COLLATE "C" NOT NULL,
      linked_at bigint NOT NULL,
      last_used_at bigint,
      created_account bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (issuer, subject)
    );

    CREATE TABLE invitations (
      account text COLLATE "C" NOT NULL PRIMARY KEY,
      digest bytea NOT NULL UNIQUE,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL
    );

    CREATE TABLE jobs (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      title text COLLATE "C" NOT NULL,
      customer text COLLATE "C" NOT NULL,
      place text COLLATE "C" NOT NULL,
      starts_at bigint NOT NULL,
      ends_at bigint NOT NULL,
      status text COLLATE "C" NOT NULL,
      version bigint NOT NULL DEFAULT 1
    );

    CREATE TABLE known_devices (
      account text COLLATE "C" NOT NULL,
      proof_key text COLLATE "C" NOT NULL,
      last_seen_at bigint NOT NULL,
      password_proved bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (account, proof_key)
    );

    CREATE TABLE lockouts (
      account text COLLATE "C" NOT NULL,
      device text COLLATE "C" NOT NULL,
      is_for_resets bigint NOT NULL,
      failures bigint NOT NULL,
      failures_in_row bigint NOT NULL,
      reserved bigint NOT NULL,
      reserved_at bigint NOT NULL,
      locks bigint NOT NULL,
      locked_until bigint,
      shares text COLLATE "C" NOT NULL DEFAULT '',
      failures_of_account bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (account, device, is_for_resets)
    );

    CREATE TABLE message_costs (
      day bigint NOT NULL,
      messenger text COLLATE "C" NOT NULL,
      country text COLLATE "C" NOT NULL,
      organization text COLLATE "C" NOT NULL,
      messages bigint NOT NULL,
      parts bigint NOT NULL,
      delivered bigint NOT NULL,
      undelivered bigint NOT NULL,
      price bigint NOT NULL,
      unpriced bigint NOT NULL,
      PRIMARY KEY (day, messenger, country, organization)
    );

    CREATE TABLE outbox (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      recipient text COLLATE "C" NOT NULL,
      sealed_text bytea NOT NULL,
      created_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      leased_until bigint NOT NULL,
      tries bigint NOT NULL,
      state text COLLATE "C" NOT NULL,
      client text COLLATE "C",
      organization text COLLATE "C",
      segments bigint NOT NULL DEFAULT 1,
      messenger text COLLATE "C",
      reference text COLLATE "C",
      doubts bigint NOT NULL DEFAULT 0,
      handed_over_at bigint,
      receipt text COLLATE "C",
      received_at bigint,
      price bigint,
      channel text COLLATE "C" NOT NULL DEFAULT 'sms',
      kind text COLLATE "C" NOT NULL DEFAULT 'code',
      account text COLLATE "C"
    );
    """
}
