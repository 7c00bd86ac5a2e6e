extension Schema {
  /// Finds what is open of an account without reading what is over: an account has few open
  /// sessions, and over the years thousands that ended.
  static let openSignIns = """
    CREATE INDEX open_sessions_of_account
      ON sessions (account, started_at) WHERE ended_by IS NULL;
    CREATE INDEX open_sign_in_attempts
      ON sign_in_attempts (account, proof_key, started_at) WHERE progress = 'awaiting_code';
    """
}
