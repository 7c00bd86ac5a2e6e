extension Schema {
  /// Marks the sessions and sign-in attempts from before routes checked scopes.
  ///
  /// The scopes that they get depend on the configuration, so the server adds them at its next
  /// start. After that, the indexes are empty.
  static let earlierScopes = """
    ALTER TABLE sessions ADD COLUMN predates_scopes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sign_in_attempts ADD COLUMN predates_scopes INTEGER NOT NULL DEFAULT 0;
    UPDATE sessions SET predates_scopes = 1;
    UPDATE sign_in_attempts SET predates_scopes = 1;
    CREATE INDEX sessions_before_scopes ON sessions (client) WHERE predates_scopes = 1;
    CREATE INDEX sign_ins_before_scopes ON sign_in_attempts (client) WHERE predates_scopes = 1;
    """
}
