extension Schema {
  /// How an address and a number were proved, and where an invitation was sent.
  ///
  /// What is known about earlier accounts does not say who wrote their addresses, so they are not
  /// proved. The demo's accounts are the operator's.
  static let contactProofs = """
    ALTER TABLE accounts ADD COLUMN email_proof TEXT;
    ALTER TABLE accounts ADD COLUMN phone_proof TEXT;
    UPDATE accounts SET email_proof = 'operator' WHERE is_demo = 1 AND email IS NOT NULL;
    UPDATE accounts SET phone_proof = 'operator' WHERE is_demo = 1 AND phone IS NOT NULL;
    ALTER TABLE invitations ADD COLUMN sent_to TEXT;
    """
}
