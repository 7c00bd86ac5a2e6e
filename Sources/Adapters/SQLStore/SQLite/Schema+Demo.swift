extension Schema {
  /// Marks the accounts of the demo, because their passwords are published.
  ///
  /// Earlier versions stored no mark. Their demo accounts are recognised by the fixed identifier
  /// together with the fixed moment of creation. No other account has both, because this program
  /// draws every other identifier at random. Accounts for load tests have a numbered identifier,
  /// and their address and number are derived from it. The password is not compared: it is stored
  /// hashed and sealed, and a demo account is refused in production even if its password was
  /// changed.
  static let demoAccounts = """
    ALTER TABLE accounts ADD COLUMN is_demo INTEGER NOT NULL DEFAULT 0;
    UPDATE accounts SET is_demo = 1
      WHERE (created_at = 1767225600000 AND id IN (
          'technician', 'former-technician', 'rider', 'pending-rider', 'owner', 'new-owner',
          'mentor', 'administrator'))
        OR (id GLOB 'load-[0-9][0-9][0-9][0-9]*' AND email = id || '@example.com'
          AND phone = '+1555020' || substr(id, 6));
    CREATE INDEX accounts_of_demo ON accounts (id) WHERE is_demo = 1;
    """
}
