extension PostgresSchema {
  /// The indexes of version 1.
  static let firstIndexes = """
    CREATE INDEX accounts_by_creation ON accounts (created_at, id);
    CREATE INDEX accounts_of_demo ON accounts (id) WHERE is_demo = 1;
    CREATE INDEX activities_of_account ON activities (account, organization, starts_at);
    CREATE INDEX administrators ON accounts (id) WHERE role = 'administrator';
    CREATE INDEX contact_proposals_by_time
      ON contact_proposals (proposed_at) WHERE declined_at IS NULL;
    CREATE INDEX contact_proposals_of_account ON contact_proposals (account, proposed_at);
    CREATE INDEX data_changes_by_time ON data_changes (at);
    CREATE INDEX deliveries_of_account ON deliveries (account, starts_at);
    CREATE INDEX identities_of_account ON identities (account, linked_at);
    CREATE INDEX imported_hashes
      ON accounts (id) WHERE substr(password_hash, 1, 3) IN ('s1a', 's1b');
    CREATE INDEX invitations_by_expiry ON invitations (expires_at);
    CREATE INDEX jobs_of_account ON jobs (account, starts_at);
    CREATE INDEX known_devices_by_age ON known_devices (last_seen_at);
    CREATE INDEX lockouts_by_age ON lockouts (reserved_at);
    CREATE INDEX notices_by_time ON account_notices (at);
    CREATE INDEX notices_of_account ON account_notices (account, at);
    CREATE INDEX open_provider_journeys
      ON provider_journeys (proof_key, started_at) WHERE progress <> 'ended';
    CREATE INDEX open_sessions_of_account
      ON sessions (account, started_at) WHERE ended_by IS NULL;
    CREATE INDEX open_sign_in_attempts
      ON sign_in_attempts (account, proof_key, started_at) WHERE progress = 'awaiting_code';
    CREATE INDEX outbox_by_creation ON outbox (created_at, id);
    CREATE INDEX outbox_by_reference ON outbox (reference) WHERE reference IS NOT NULL;
    CREATE INDEX outbox_settled ON outbox (expires_at) WHERE state <> 'waiting';
    CREATE INDEX outbox_waiting ON outbox (created_at) WHERE state = 'waiting';
    CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);
    CREATE INDEX password_resets_of_account ON password_resets (account);
    CREATE INDEX product_removals_by_time ON product_removals (removed_at);
    CREATE INDEX product_removals_of_owner ON product_removals (owner, position);
    CREATE INDEX products_awaiting
      ON products (awaited_address) WHERE awaited_address IS NOT NULL;
    CREATE INDEX products_by_creation ON products (created_at, id);
    CREATE INDEX products_by_expiry
      ON products (owner, warranty_expires_on) WHERE owner IS NOT NULL;
    CREATE INDEX products_of_owner ON products (owner, position) WHERE owner IS NOT NULL;
    CREATE INDEX provider_journeys_by_browser
      ON provider_journeys (browser_digest) WHERE browser_digest IS NOT NULL;
    CREATE INDEX provider_journeys_by_expiry ON provider_journeys (expires_at);
    CREATE UNIQUE INDEX provider_journeys_by_state
      ON provider_journeys (state_digest) WHERE state_digest IS NOT NULL;
    CREATE INDEX refusal_tallies_by_report ON refusal_tallies (reported_at);
    CREATE INDEX remembered_answers_by_expiry ON remembered_answers (expires_at);
    CREATE INDEX security_events_of_account ON security_events (account, sequence);
    CREATE INDEX service_requests_by_creation ON service_requests (created_at, id);
    CREATE INDEX sessions_before_scopes ON sessions (client) WHERE predates_scopes = 1;
    CREATE INDEX sessions_by_expiry ON sessions (expires_at);
    CREATE INDEX sessions_of_account ON sessions (account, started_at);
    CREATE UNIQUE INDEX sign_in_attempts_by_code
      ON sign_in_attempts (code_digest) WHERE code_digest IS NOT NULL;
    CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires_at);
    CREATE INDEX sign_in_attempts_of_account ON sign_in_attempts (account);
    CREATE INDEX sign_ins_before_scopes ON sign_in_attempts (client) WHERE predates_scopes = 1;
    CREATE INDEX throttles_by_end ON throttles (quiet_from);
    CREATE INDEX used_assertions_by_expiry ON used_assertions (expires_at);
    CREATE INDEX waiting_passwords_by_time ON waiting_passwords (available_at);
    """
}
