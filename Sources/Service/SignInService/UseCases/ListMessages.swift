import SignInModel
public import SignInWire

/// The delivery log, newest first, a page at a time: where messages went and what became of them,
/// never what they said.
public func listMessages(
  cursor: String?, limit: Int, in world: World
) async -> Outcome<ListPage<MessageEntry>> {
  switch readPosition(cursor, limit: limit) {
  case .refusal(let refusal): return .refusal(refusal)
  case .success(let position):
    return await world.look { (transaction) throws(StoreFault) in
      let messages = try transaction.messages(after: position, limit: limit + 1)
      return .success(
        try ListPage.page(
          of: messages, limit: limit,
          position: { ListPosition(createdAt: $0.createdAt, id: $0.id) },
          entry: { (message) throws(StoreFault) in message.entry }
        )
      )
    }
  }
}

extension OutboxMessage {
  fileprivate var entry: MessageEntry {
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
