extension Schema {
  /// Indexes for the open sessions and open sign-in attempts of an account.
  ///
  /// An account has few open sessions, and after years it has thousands of ended ones, which need
  /// not be read.
  static let openSignIns = """
    CREATE INDEX open_sessions_of_account
      ON sessions (account, started_at) WHERE ended_by IS NULL;
    CREATE INDEX open_sign_in_attempts
      ON sign_in_attempts (account, proof_key, started_at) WHERE progress = 'awaiting_code';
    """
}
