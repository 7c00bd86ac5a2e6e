extension Schema {
  /// Marks accounts of the demo, whose passwords are published.
  ///
  /// Earlier versions stored no mark, so their demo accounts are recognised by what no other
  /// account has: the fixed identifier (this program draws every other identifier at random)
  /// together with the fixed moment of creation. Accounts for load tests have a numbered
  /// identifier, and their address and number are derived from it. The password is not compared:
  /// it is hashed and sealed here, and an account of the demo is refused in production also after
  /// its password was changed.
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
