extension PostgresSchema {
  /// When an account was last signed out everywhere; unknown for earlier sign-outs.
  static let signOuts = "ALTER TABLE accounts ADD COLUMN signed_out_at bigint"
}
