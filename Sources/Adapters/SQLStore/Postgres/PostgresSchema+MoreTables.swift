extension PostgresSchema {
  /// The tables of version 1, from P to Z, and their first rows.
  static let moreTables = """
    CREATE TABLE password_hash_kinds (
      kind text COLLATE "C" NOT NULL PRIMARY KEY
    );

    CREATE TABLE password_resets (
      digest bytea NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      client text COLLATE "C" NOT NULL,
      proof_key text COLLATE "C",
      expires_at bigint NOT NULL
    );

    CREATE TABLE policies (
      kind text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      changes bytea NOT NULL,
      PRIMARY KEY (kind, subject)
    );

    CREATE TABLE product_feeds (
      owner text COLLATE "C" NOT NULL PRIMARY KEY,
      position bigint NOT NULL,
      day bigint
    );

    CREATE TABLE product_removals (
      owner text COLLATE "C" NOT NULL,
      product text COLLATE "C" NOT NULL,
      position bigint NOT NULL,
      removed_at bigint NOT NULL,
      PRIMARY KEY (owner, product)
    );

    CREATE TABLE products (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      model text COLLATE "C" NOT NULL,
      serial_number text COLLATE "C" NOT NULL,
      category text COLLATE "C" NOT NULL,
      warranty_provider text COLLATE "C",
      purchased_on bigint,
      warranty_expires_on bigint,
      created_at bigint NOT NULL,
      owner text COLLATE "C",
      awaited_address text COLLATE "C",
      position bigint NOT NULL,
      version bigint NOT NULL DEFAULT 1,
      CHECK ((owner IS NULL) <> (awaited_address IS NULL))
    );

    CREATE TABLE provider_documents (
      provider text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      url text COLLATE "C" NOT NULL,
      body bytea NOT NULL,
      fetched_at bigint NOT NULL,
      PRIMARY KEY (provider, kind)
    );

    CREATE TABLE provider_journeys (
      digest bytea NOT NULL PRIMARY KEY,
      provider text COLLATE "C" NOT NULL,
      issuer text COLLATE "C" NOT NULL,
      client text COLLATE "C" NOT NULL,
      proof_key text COLLATE "C" NOT NULL,
      pkce_challenge text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      nonce text COLLATE "C",
      organization text COLLATE "C",
      redirect_uri text COLLATE "C" NOT NULL,
      state text COLLATE "C",
      login_hint text COLLATE "C",
      own_nonce text COLLATE "C" NOT NULL,
      own_verifier text COLLATE "C" NOT NULL,
      started_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      progress text COLLATE "C" NOT NULL,
      state_digest bytea,
      browser_digest bytea,
      openings bigint NOT NULL DEFAULT 0,
      CHECK (CASE progress
        WHEN 'pushed' THEN state_digest IS NULL
        WHEN 'started' THEN state_digest IS NOT NULL AND browser_digest IS NOT NULL
        WHEN 'ended' THEN state_digest IS NULL
        ELSE FALSE END)
    );

    CREATE TABLE readiness (
      id bigint NOT NULL PRIMARY KEY,
      checked_at bigint NOT NULL,
      filling bytea NOT NULL
    );

    CREATE TABLE record_versions (
      id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
      last bigint NOT NULL
    );

    CREATE TABLE refusal_tallies (
      code text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      client text COLLATE "C" NOT NULL,
      network text COLLATE "C" NOT NULL,
      detail text COLLATE "C" NOT NULL,
      account text COLLATE "C",
      peer text COLLATE "C",
      reported_at bigint NOT NULL,
      unreported bigint NOT NULL,
      PRIMARY KEY (code, subject, client, network, detail)
    );

    CREATE TABLE remembered_answers (
      owner text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      fingerprint bytea NOT NULL,
      body bytea NOT NULL,
      expires_at bigint NOT NULL,
      PRIMARY KEY (owner, key)
    );

    CREATE TABLE security_events (
      sequence bigint NOT NULL PRIMARY KEY,
      at bigint NOT NULL,
      code text COLLATE "C" NOT NULL,
      account text COLLATE "C",
      client text COLLATE "C",
      session text COLLATE "C",
      peer text COLLATE "C",
      proof_key text COLLATE "C",
      detail text COLLATE "C",
      hash bytea NOT NULL,
      count bigint,
      key_id text COLLATE "C"
    );

    CREATE TABLE security_log_start (
      id bigint NOT NULL PRIMARY KEY CHECK (id = 1),
      sequence bigint NOT NULL,
      hash bytea NOT NULL
    );

    CREATE TABLE service_requests (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      product text COLLATE "C" NOT NULL,
      product_name text COLLATE "C" NOT NULL,
      account text COLLATE "C" NOT NULL,
      description text COLLATE "C" NOT NULL,
      created_at bigint NOT NULL
    );

    CREATE TABLE sessions (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      client text COLLATE "C" NOT NULL,
      proof_key text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      organization text COLLATE "C",
      authentication_methods text COLLATE "C" NOT NULL,
      started_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      last_used_at bigint NOT NULL,
      refresh_generation bigint NOT NULL,
      ended_by text COLLATE "C",
      successor text COLLATE "C",
      predates_scopes bigint NOT NULL DEFAULT 0,
      provider text COLLATE "C",
      assurance text COLLATE "C",
      authenticated_at bigint
    );

    CREATE TABLE sign_in_attempts (
      digest bytea NOT NULL PRIMARY KEY,
      account text COLLATE "C" NOT NULL,
      client text COLLATE "C" NOT NULL,
      proof_key text COLLATE "C" NOT NULL,
      pkce_challenge text COLLATE "C" NOT NULL,
      scope text COLLATE "C" NOT NULL,
      nonce text COLLATE "C",
      organization text COLLATE "C",
      started_at bigint NOT NULL,
      expires_at bigint NOT NULL,
      progress text COLLATE "C" NOT NULL,
      code_digest bytea,
      code_expires_at bigint,
      session text COLLATE "C",
      predates_scopes bigint NOT NULL DEFAULT 0,
      provider text COLLATE "C",
      provider_methods text COLLATE "C",
      provider_assurance text COLLATE "C",
      provider_authenticated_at bigint,
      needs_code bigint NOT NULL DEFAULT 0,
      CHECK (CASE progress
        WHEN 'awaiting_code' THEN code_digest IS NULL
        WHEN 'proved' THEN code_digest IS NOT NULL AND code_expires_at IS NOT NULL
        WHEN 'redeemed' THEN code_digest IS NOT NULL AND session IS NOT NULL
        ELSE FALSE END)
    );

    CREATE TABLE throttles (
      key text COLLATE "C" NOT NULL PRIMARY KEY,
      tallies bytea NOT NULL,
      quiet_from bigint NOT NULL
    );

    CREATE TABLE used_assertions (
      digest bytea NOT NULL PRIMARY KEY,
      expires_at bigint NOT NULL
    );

    CREATE TABLE waiting_passwords (
      account text COLLATE "C" NOT NULL PRIMARY KEY,
      client text COLLATE "C" NOT NULL,
      password_hash text COLLATE "C" NOT NULL,
      requested_at bigint NOT NULL,
      available_at bigint NOT NULL
    );

    INSERT INTO record_versions (id, last) VALUES (1, 1);
    INSERT INTO data_change_bounds (id, removed, last) VALUES (1, 0, 0);
    INSERT INTO security_log_start (id, sequence, hash) VALUES (1, 0, zeroblob(32));
    """

  /// Whom to call, and what to know before a visit.
  static let visitDetails = """
    ALTER TABLE jobs ADD COLUMN phone text COLLATE "C";
    ALTER TABLE jobs ADD COLUMN instructions text COLLATE "C";
    ALTER TABLE deliveries ADD COLUMN phone text COLLATE "C";
    ALTER TABLE deliveries ADD COLUMN instructions text COLLATE "C";
    """

  /// The organization whose work a job or a delivery is; unknown for earlier ones.
  static let workOrganizations = """
    ALTER TABLE jobs ADD COLUMN organization text COLLATE "C";
    ALTER TABLE deliveries ADD COLUMN organization text COLLATE "C";
    """

  /// What the person wrote about the status.
  static let statusNotes = """
    ALTER TABLE jobs ADD COLUMN status_note text COLLATE "C";
    ALTER TABLE deliveries ADD COLUMN status_note text COLLATE "C";
    """
}
