internal import SignInModel
internal import SignInRules
internal import SignInService

extension MemoryTransaction: CodeRecords {
  func codeChallenge(
    _ account: AccountID, for purpose: CodeChallenge.Purpose
  ) -> CodeChallenge? {
    tables.challenges[MemoryTables.CodePlace(account: account, purpose: purpose)]
  }

  func save(_ challenge: CodeChallenge) throws(StoreFault) {
    let place = MemoryTables.CodePlace(account: challenge.account, purpose: challenge.purpose)
    try write { tables in tables.challenges[place] = challenge }
  }
}

extension MemoryTransaction: PasswordResetRecords {
  func insert(_ reset: PasswordReset) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.resets.insertNew(reset, for: reset.digest)
    }
  }

  func passwordReset(digest: [UInt8]) -> PasswordReset? { tables.resets[digest] }

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
