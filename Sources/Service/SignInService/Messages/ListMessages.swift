import SignInModel
public import SignInWire

/// The delivery log, newest first, one page at a time.
///
/// It shows the destinations and receipts of messages, never their text. An administrator of
/// organizations sees the messages that these organizations pay for.
public func listMessages(
  _ page: PageRequest<ListCursor>, _ query: MessageQuery = MessageQuery(),
  rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<MessageEntry, ListCursor> {
  try await world.read { (transaction: any AccountRecords & OutboxRecords) throws in
    let permission = try rules.permission(transaction)
    return try ListPage.narrowed(page, for: permission) { (cursor, count) throws(StoreFault) in
      try transaction.messages(query, after: cursor, limit: count)
    } cursor: {
      ListCursor(createdAt: $0.createdAt, id: $0.id)
    } isSeen: { (message) throws(StoreFault) in
      permission.sees(message)
    }.map(\.entry)
  }
}

extension OutboxMessage {
  var entry: MessageEntry {
    var entry = MessageEntry(
      id: id, to: to.masked, state: state.rawValue, tries: tries, createdAt: createdAt,
      expiresAt: expiresAt
    )
    entry.kind = kind.rawValue
    entry.channel = channel.rawValue
    entry.segments = segments
    entry.client = client?.text
    entry.organization = organization?.text
    entry.messenger = messenger
    entry.handedOverAt = handedOverAt
    entry.receipt = receipt?.rawValue
    entry.receivedAt = receivedAt
    entry.price = price
    return entry
  }
}
