extension Schema {
  /// Marks the known devices on which a password was given.
  ///
  /// Of the devices of earlier versions, only those are marked that have a stored session with
  /// `pwd` as an authentication method.
  static let provedPasswords = """
    ALTER TABLE known_devices ADD COLUMN password_proved INTEGER NOT NULL DEFAULT 0;
    UPDATE known_devices SET password_proved = 1 WHERE EXISTS (
      SELECT 1 FROM sessions
      WHERE sessions.account = known_devices.account
        AND sessions.proof_key = known_devices.proof_key
        AND ' ' || sessions.authentication_methods || ' ' LIKE '% pwd %'
    );
    """
}
