internal import SignInModel
internal import SignInRules
internal import SignInService

extension MemoryTransaction: CodeRecords {
  func codeChallenge(at place: CodeChallenge.Key) -> CodeChallenge? { tables.challenges[place] }

  func save(_ challenge: CodeChallenge) throws(StoreFault) {
    try write { tables in tables.challenges[challenge.place] = challenge }
  }

  func removeCodeChallenges(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) throws(StoreFault) {
    try write { tables in
      for purpose in CodeChallenge.Purpose.allCases {
        let place = CodeChallenge.Key(account: account, purpose: purpose, holder: holder)
        tables.challenges[place] = nil
      }
    }
  }
}

extension MemoryTransaction: PasswordResetRecords {
  func insert(_ reset: PasswordReset) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.resets.insertNew(reset, for: reset.digest)
    }
  }

  func passwordReset(digest: [UInt8]) -> PasswordReset? { tables.resets[digest] }

  func passwordResetCount(
    of account: AccountID, proofKeyThumbprint: String, expiringAfter moment: Instant
  ) -> Int {
    resets(of: account, proofKeyThumbprint).filter { $0.expiresAt > moment }.count
  }

  func removePasswordResets(
    of account: AccountID, proofKeyThumbprint: String, keeping count: Int
  ) throws(StoreFault) {
    func order(_ reset: PasswordReset) -> (Int64, String) {
      (-reset.expiresAt.milliseconds, "\(reset.digest)")
    }
    let old = resets(of: account, proofKeyThumbprint)
      .sorted { order($0) < order($1) }.dropFirst(count)
    try write { tables in for reset in old { tables.resets[reset.digest] = nil } }
  }

  private func resets(of account: AccountID, _ proofKeyThumbprint: String) -> [PasswordReset] {
    tables.resets.values.filter {
      $0.account == account && $0.proofKeyThumbprint == proofKeyThumbprint
    }
  }

  func removePasswordResets(of account: AccountID) throws(StoreFault) {
    try write { tables in tables.resets = tables.resets.filter { $0.value.account != account } }
  }

  func removePasswordResets(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.resets.remove(limit, by: { $0.expiresAt }, where: { $0.expiresAt < moment })
    }
  }
}
