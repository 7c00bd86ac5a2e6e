/// Keeps what was decided, durably.
///
/// Every decision runs inside `decide`, together with the reads it rests on and the writes that
/// record it, so that no two decisions about one account ever overlap.
public protocol Store: Sendable {
  /// Runs `decide` alone and answers once what it wrote is durable.
  ///
  /// - Parameter decide: Reads and writes through the transaction, and nothing else: a store may
  ///   run it again after a conflict, and it must not call the outside. What it throws undoes its
  ///   own writes, and no other decision's.
  /// - Returns: What `decide` answered, after its writes are on disk.
  /// - Throws: What `decide` threw, or the fault that kept the writes from becoming durable.
  func transact<Answer: Sendable>(
    _ decide: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer

  /// Runs `look` on a consistent view of what is durable. Writing in it is a defect.
  func read<Answer: Sendable>(
    _ look: @escaping @Sendable (any Transaction) throws(StoreFault) -> Answer
  ) async throws(StoreFault) -> Answer

  /// Whether some of what it holds was found damaged: a backup should be restored.
  var isDamaged: Bool { get }

  /// Removes what its files still hold of records that were removed, such as a log of changes.
  ///
  /// - Returns: Whether nothing is left; false while others use the files, or when they cannot be
  ///   written: to be tried again.
  func clearRemovedRecords() async -> Bool

  /// The same, if an earlier call could not.
  func clearRemovedRecordsIfPending() async
}

extension Store {
  public var isDamaged: Bool { false }

  public func clearRemovedRecords() async -> Bool { true }

  public func clearRemovedRecordsIfPending() async {}
}

/// What a decision may read and write.
///
/// It is valid only inside `decide` or `look`.
public protocol Transaction: AccountRecords, LockoutRecords, SignInRecords, CodeRecords,
  PasswordResetRecords, SessionRecords, OutboxRecords, JobRecords,
  DeliveryRecords, EventRecords, RefusalRecords, ThrottleRecords, KnownDeviceRecords,
  RememberedAnswerRecords,
  ProductRecords, ProductFeedRecords, ServiceRequestRecords, ActivityRecords,
  PolicyRecords, MessageCostRecords, WaitingPasswordRecords, InvitationRecords, NoticeRecords,
  ReadinessRecords, DemoRecords, AssertionRecords, PersonRecords,
  VersionRecords, ChangeRecords, ChangeReceiverRecords, PasswordHashKindRecords
{}

/// Why the store could not do what was asked.
public enum StoreFault: Error, Equatable, Sendable {
  /// The store is busy or out of reach for now: trying again may help.
  case unavailable(String)
  /// A record with the same unique value exists.
  case conflict
  /// The file or schema is not one this program can use. The text says what to do.
  case unusable(String)
}
