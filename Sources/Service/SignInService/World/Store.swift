public import SignInModel

/// Stores decisions durably.
///
/// Every decision runs inside `decide`, together with its reads and writes. Decisions that share a
/// subject never overlap.
public protocol Store: Sendable {
  /// Runs `decide` in isolation, and returns when its writes are durable.
  ///
  /// - Parameters:
  ///   - subjects: What the decision is about.
  ///   - decide: Reads and writes through the transaction and has no other effect. A store may run
  ///     it again after a conflict, so it must not call anything outside. If it throws, only its
  ///     own writes are undone.
  /// - Returns: The result of `decide`, after its writes are on disk.
  /// - Throws: The error of `decide`, or the fault that prevented the writes from becoming durable.
  func transact<Answer: Sendable>(
    about subjects: [Subject],
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer

  /// Runs `body` on a consistent view of the durable data.
  ///
  /// A write inside `body` is a defect.
  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer

  /// The same for a `body` that begins with the records of these subjects.
  ///
  /// A store behind a network can read them together.
  func read<Answer: Sendable>(
    about subjects: [Subject],
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer

  /// The same for a `body` that reads many records, such as a search.
  ///
  /// A store that reads on the calling thread runs it elsewhere, so that no other request waits.
  ///
  /// `reader` is the administrator who reads; `nil` for a command of the operator.
  ///
  /// - Throws: Also `.unavailable` if too many long reads wait, in all or for this reader.
  func readLong<Answer: Sendable>(
    by reader: AccountID?,
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer

  /// Whether damage was found in the stored data.
  ///
  /// If so, restore a backup.
  var isDamaged: Bool { get }

  /// Removes the content of deleted records from the store's files, such as the write-ahead log.
  ///
  /// - Returns: Whether none of it is left. It is false if others use the files or if the files
  ///   cannot be written; then call it again later.
  func clearRemovedRecords() async -> Bool

  /// Does the same if an earlier call did not succeed.
  func clearRemovedRecordsIfPending() async
}

extension Store {
  public var isDamaged: Bool { false }

  public func read<Answer: Sendable>(
    about subjects: [Subject],
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await read(body)
  }

  public func readLong<Answer: Sendable>(
    by reader: AccountID?,
    _ body: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer {
    try await read(body)
  }

  public func clearRemovedRecords() async -> Bool { true }

  public func clearRemovedRecordsIfPending() async {}
}

/// The reads and writes that a decision can make.
///
/// A transaction is valid only inside the closure of `transact` or `read`. A use case takes only
/// the records that it needs.
///
/// For all of these protocols: an `insert` of an identifier that exists, and an `update` of one
/// that does not exist, throw `.conflict` and change nothing. An `update` changes the properties
/// that the record declares as `var`. If two records are equal in an order, their identifiers
/// decide.
///
/// A store may find the conflict of a sign-in attempt, message or notice, or of an update, only at
/// a later call or at the end. Then it keeps nothing of the decision.
public protocol Transaction: AccountRecords, LockoutRecords, SignInRecords, CodeRecords,
  PasswordResetRecords, SessionRecords, OutboxRecords, JobRecords,
  DeliveryRecords, EventRecords, RefusalRecords, ThrottleRecords, KnownDeviceRecords,
  RememberedAnswerRecords,
  ProductRecords, ProductPhotoRecords, ProductFeedRecords, ServiceRequestRecords, ActivityRecords,
  PolicyRecords, MessageCostRecords, WaitingPasswordRecords, InvitationRecords, NoticeRecords,
  ReadinessRecords, DemoRecords, AssertionRecords, PersonRecords,
  VersionRecords, ChangeRecords, ChangeReceiverRecords, PasswordHashKindRecords,
  ProviderDocumentRecords, ProviderJourneyRecords, IdentityRecords, ContactProposalRecords,
  OverviewRecords, ResetMeansRecords, RevocableChangeRecords, WaitingProductRecords
{}

/// The reason why the store could not do the work.
public enum StoreFault: Error, Equatable, Sendable {
  /// The store is busy or cannot be reached now.
  ///
  /// A later attempt may succeed.
  case unavailable(String)
  /// A record with the same unique value exists.
  case conflict
  /// This program cannot use the file or the schema.
  ///
  /// The text says what to do.
  case unusable(String)
}
