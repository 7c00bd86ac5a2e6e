public import SignInModel

public protocol OutboxRecords {
  func insert(_ message: OutboxMessage) throws(StoreFault)
  /// At most `limit` waiting messages with an expired lease, oldest first.
  func waitingMessages(at now: Instant, limit: Int) throws(StoreFault) -> [OutboxMessage]
  func message(_ id: String) throws(StoreFault) -> OutboxMessage?
  /// The message to which this messenger gave this reference.
  func message(
    reference: String, messenger: String
  ) throws(StoreFault) -> OutboxMessage?
  func update(_ message: OutboxMessage) throws(StoreFault)
  /// Removes at most `limit` messages that no longer wait and that expired before `moment`, and
  /// returns how many.
  ///
  /// They contain phone numbers, which are no longer needed.
  func removeSettledMessages(expiredBefore moment: Instant, limit: Int) throws(StoreFault) -> Int
  /// At most `limit` messages in every state except `.decoy`, newest first.
  ///
  /// The list begins after `position` if there is one.
  func messages(
    _ query: MessageQuery, after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [OutboxMessage]
}

extension OutboxRecords {
  public func messages(
    after position: ListCursor?, limit: Int
  ) throws(StoreFault) -> [OutboxMessage] {
    try messages(MessageQuery(), after: position, limit: limit)
  }
}
