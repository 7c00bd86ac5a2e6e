import SignInModel
public import SignInWire

/// The delivery log, newest first, one page at a time.
///
/// It shows the destinations and receipts of messages, never their text. An administrator of
/// organizations sees the messages that these organizations pay for.
public func listMessages(
  cursor: String?, limit: Int, rules: AccountEditingRules, in world: World
) async throws(Refusal) -> ListPage<MessageEntry> {
  let position = try readPosition(cursor, limit: limit)
  return try await world.read { (transaction: any MessageTransaction) throws in
    let permission = try rules.permission(transaction)
    return try ListPage<MessageEntry>.narrowed(
      limit: limit, from: position, for: permission
    ) { (position, count) throws(StoreFault) in
      try transaction.messages(after: position, limit: count)
    } position: {
      ListPosition(createdAt: $0.createdAt, id: $0.id)
    } cursor: {
      $0.cursor
    } isSeen: { (message) throws(StoreFault) in
      permission.sees(message)
    } entry: { (message) throws(StoreFault) in
      message.entry
    }
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
