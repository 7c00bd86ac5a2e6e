internal import SignInModel
internal import SignInService

extension MemoryTransaction {
  func accounts(_ query: AccountQuery, after position: ListCursor?, limit: Int) -> [Account] {
    let found = tables.accounts.values.filter { account in
      query.finds(account) && (query.lockedAt.map { isLocked(account.id, at: $0) } ?? true)
    }
    return newest(found, after: position, limit: limit) {
      ListCursor(createdAt: $0.createdAt, id: $0.id.text)
    }
  }

  func messages(
    _ query: MessageQuery, after position: ListCursor?, limit: Int
  ) -> [OutboxMessage] {
    let found = tables.messages.values.filter { query.finds($0) }
    return newest(found, after: position, limit: limit) {
      ListCursor(createdAt: $0.createdAt, id: $0.id)
    }
  }

  func newest<Record>(
    _ records: [Record], after position: ListCursor?, limit: Int,
    by place: (Record) -> ListCursor
  ) -> [Record] {
    func order(_ position: ListCursor) -> (Instant, String) { (position.createdAt, position.id) }
    let sorted = records.sorted { order(place($0)) > order(place($1)) }
    let rest = sorted.filter { record in
      position.map { order(place(record)) < order($0) } ?? true
    }
    return Array(rest.prefix(limit))
  }
}

extension MemoryTransaction: RememberedAnswerRecords {
  func rememberedAnswer(owner: AccountID, key: String) -> RememberedAnswer? {
    tables.rememberedAnswers[MemoryTables.AnswerPlace(owner: owner, key: key)]
  }

  func save(_ answer: RememberedAnswer) throws(StoreFault) {
    try write { tables in
      let key = MemoryTables.AnswerPlace(owner: answer.owner, key: answer.key)
      tables.rememberedAnswers[key] = answer
    }
  }

  func removeRememberedAnswers(
    expiredBefore moment: Instant, limit: Int
  ) throws(StoreFault) -> Int {
    try write { tables in
      tables.rememberedAnswers.remove(
        limit, by: { $0.expiresAt }, where: { $0.expiresAt < moment })
    }
  }
}
