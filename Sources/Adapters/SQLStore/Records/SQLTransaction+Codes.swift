internal import SignInModel
internal import SignInRules
internal import SignInService

extension SQLTransaction: CodeRecords {
  func codeChallenge(at place: CodeChallenge.Key) throws(StoreFault) -> CodeChallenge? {
    try connection.first(
      Self.codeChallengeByKey,
      bind: {
        $0.bind(place.account.text)
        $0.bind(place.purpose.rawValue)
        $0.bind(place.holder.column)
      },
      read: { (row: inout Row) throws(StoreFault) -> CodeChallenge in
        CodeChallenge(
          id: row.text(), place: place, client: row.identifier(), proofKeyThumbprint: row.text(),
          mac: row.bytes(), supersededMACs: try row.byteList(), digits: row.number(),
          expiresAt: row.moment(), resendAt: row.moment(), isConsumed: row.truth()
        )
      })
  }

  func save(_ challenge: CodeChallenge) throws(StoreFault) {
    try writeLater(
      """
      INSERT INTO code_challenges
        (id, account, purpose, holder, client, proof_key, mac, superseded, digits, expires_at,
        resend_at, is_consumed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, purpose, holder) DO UPDATE SET
        id = excluded.id, client = excluded.client, proof_key = excluded.proof_key,
        mac = excluded.mac, superseded = excluded.superseded, digits = excluded.digits,
        expires_at = excluded.expires_at, resend_at = excluded.resend_at,
        is_consumed = excluded.is_consumed
      """
    ) {
      $0.bind(challenge.id)
      $0.bind(challenge.place.account.text)
      $0.bind(challenge.place.purpose.rawValue)
      $0.bind(challenge.place.holder.column)
      $0.bind(challenge.client.text)
      $0.bind(challenge.proofKeyThumbprint)
      $0.bind(challenge.mac)
      $0.bind(list: challenge.supersededMACs)
      $0.bind(challenge.digits)
      $0.bind(challenge.expiresAt)
      $0.bind(challenge.resendAt)
      $0.bind(challenge.isConsumed)
    }
  }

  func removeCodeChallenges(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) throws(StoreFault) {
    for purpose in CodeChallenge.Purpose.allCases {
      try writeLater("DELETE FROM code_challenges WHERE account = ? AND purpose = ? AND holder = ?")
      {
        $0.bind(account.text)
        $0.bind(purpose.rawValue)
        $0.bind(holder.column)
      }
    }
  }
}

extension CodeChallenge.Holder {
  /// The holder as text.
  ///
  /// Unknown devices have the empty text, which no thumbprint equals.
  fileprivate var column: String {
    switch self {
    case .knownDevice(let thumbprint): thumbprint
    case .unknownDevices: ""
    }
  }
}

/// Statements that are also read ahead.
extension SQLTransaction {
  static let codeChallengeByKey: StaticString = """
    SELECT id, client, proof_key, mac, superseded, digits, expires_at, resend_at, is_consumed
    FROM code_challenges WHERE account = ? AND purpose = ? AND holder = ?
    """
}
