internal import SignInModel
internal import SignInService

extension MemoryTransaction: WaitingPasswordRecords {
  func waitingPassword(of account: AccountID) -> WaitingPassword? {
    tables.waitingPasswords[account]
  }

  func save(_ waiting: WaitingPassword) throws(StoreFault) {
    try write { tables in tables.waitingPasswords[waiting.account] = waiting }
  }

  func removeWaitingPassword(of account: AccountID) throws(StoreFault) {
    try write { tables in tables.waitingPasswords[account] = nil }
  }

  func waitingPasswords(availableAt moment: Instant, limit: Int) -> [WaitingPassword] {
    let due = tables.waitingPasswords.values.filter { $0.availableAt <= moment }
      .sorted { ($0.availableAt, $0.account.text) < ($1.availableAt, $1.account.text) }
    return Array(due.prefix(limit))
  }
}

extension MemoryTransaction: InvitationRecords {
  func invitation(digest: [UInt8]) -> Invitation? {
    tables.invitations.values.first { $0.digest == digest }
  }

  func save(_ invitation: Invitation) throws(StoreFault) {
    try write { tables in tables.invitations[invitation.account] = invitation }
  }

  func removeInvitation(of account: AccountID) throws(StoreFault) {
    try write { tables in tables.invitations[account] = nil }
  }

  func removeInvitations(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.invitations.remove(limit, by: { $0.expiresAt }, where: { $0.expiresAt < moment })
    }
  }
}

extension MemoryTransaction: NoticeRecords {
  func insert(_ notice: AccountNotice) throws(StoreFault) {
    try write { tables throws(StoreFault) in
      try tables.notices.insertNew(notice, for: notice.id)
    }
  }

  func notices(of account: AccountID) -> [AccountNotice] {
    tables.notices.values.filter { $0.account == account }
      .sorted { ($0.at, $0.id) > ($1.at, $1.id) }
  }

  func removeNotice(_ id: String, of account: AccountID) throws(StoreFault) {
    try write { tables in
      if tables.notices[id]?.account == account { tables.notices[id] = nil }
    }
  }

  func removeNotices(madeBefore moment: Instant, limit: Int) throws(StoreFault) -> Int {
    try write { tables in
      tables.notices.remove(limit, by: { $0.at }, where: { $0.at < moment })
    }
  }
}
