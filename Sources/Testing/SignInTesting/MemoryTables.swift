internal import Cryptography
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// Every record, by its identifier.
///
/// Copying it is cheap: Swift copies a table when it is written.
struct MemoryTables {
  var accounts: [AccountID: Account] = [:]
  var lockouts: [String: Lockout] = [:]
  var attempts: [[UInt8]: SignInAttempt] = [:]
  var challenges: [CodeChallenge.Place: CodeChallenge] = [:]
  var resets: [[UInt8]: PasswordReset] = [:]
  var waitingPasswords: [AccountID: WaitingPassword] = [:]
  var invitations: [AccountID: Invitation] = [:]
  var notices: [String: AccountNotice] = [:]
  var sessions: [SessionID: Session] = [:]
  var messages: [String: OutboxMessage] = [:]
  var messageCosts: [MessageCost.Place: MessageCost] = [:]
  var jobs: [String: Job] = [:]
  var throttles: [String: QuietingThrottle] = [:]
  var knownDevices: [String: KnownDevice] = [:]
  var deliveries: [String: Delivery] = [:]
  var activities: [String: Activity] = [:]
  /// By sequence number.
  var events: [SecurityEvent] = []
  var refusals: [RefusalSource: RefusalTally] = [:]
  var logStart = LogStart.whole
  var policies: [PolicyChanges.Subject: PolicyChanges] = [:]
  var rememberedAnswers: [AnswerPlace: RememberedAnswer] = [:]
  var products: [ProductID: Product] = [:]
  var removals: [RemovalPlace: ProductRemoval] = [:]
  var feeds: [AccountID: ProductFeed] = [:]
  var serviceRequests: [String: ServiceRequestEntry] = [:]
  var passwordHashKinds: Set<PasswordHashKind> = []
  var readinessCheckedAt: Instant?
  var lastVersion: Int64 = 1
  /// By sequence number.
  var changes: [DataChange] = []
  var takenChanges: [String: Int64] = [:]
  var lastChange: Int64 = 0
  var removedChange: Int64 = 0
  /// When each expires, by digest.
  var usedAssertions: [[UInt8]: Instant] = [:]

  /// Where a removal lies: one for each owner and product.
  struct RemovalPlace: Hashable {
    let owner: AccountID
    let product: ProductID
  }

  /// Where a remembered answer lies: one for each owner and key.
  struct AnswerPlace: Hashable {
    let owner: AccountID
    let key: String
  }
}

extension Dictionary {
  /// Faults with `.conflict` when the key is taken.
  mutating func insertNew(_ value: Value, for key: Key) throws(StoreFault) {
    guard self[key] == nil else { throw .conflict }
    self[key] = value
  }

  /// Faults with `.conflict` when there is nothing to change.
  mutating func change(_ key: Key, _ change: (inout Value) -> Void) throws(StoreFault) {
    guard var value = self[key] else { throw .conflict }
    change(&value)
    self[key] = value
  }

  /// Removes the first `limit` entries that `isDue`, in the order of `due`; answers how many.
  mutating func remove<Order: Comparable>(
    _ limit: Int, by due: (Value) -> Order, where isDue: (Value) -> Bool
  ) -> Int {
    let chosen = filter { isDue($0.value) }.sorted { due($0.value) < due($1.value) }.prefix(limit)
    for entry in chosen { self[entry.key] = nil }
    return chosen.count
  }
}
