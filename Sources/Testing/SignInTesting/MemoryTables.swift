internal import Cryptography
internal import SignInModel
internal import SignInRules
internal import SignInService
internal import SignInWire

/// All records by identifier.
///
/// A copy is cheap, because Swift copies a table only on a write.
struct MemoryTables {
  var accounts: [AccountID: Account] = [:]
  var lockouts: [LockoutKey: Lockout] = [:]
  var attempts: [[UInt8]: SignInAttempt] = [:]
  var challenges: [CodeChallenge.Key: CodeChallenge] = [:]
  var resets: [[UInt8]: PasswordReset] = [:]
  var waitingPasswords: [AccountID: WaitingPassword] = [:]
  var invitations: [AccountID: Invitation] = [:]
  var notices: [String: AccountNotice] = [:]
  var sessions: [SessionID: Session] = [:]
  var messages: [String: OutboxMessage] = [:]
  var messageCosts: [MessageCost.Group: MessageCost] = [:]
  var dailyCounts: [CountPlace: Int64] = [:]
  var jobs: [RecordKey: Job] = [:]
  var nodeReports: [NodeReport] = []
  var throttles: [ThrottleKey: ExpiringThrottle] = [:]
  var knownDevices: [String: KnownDevice] = [:]
  var deliveries: [RecordKey: Delivery] = [:]
  var activities: [RecordKey: Activity] = [:]
  /// By sequence number.
  var events: [SecurityEvent] = []
  /// By number.
  var unlinkedEvents: [UnlinkedEvent] = []
  var refusedEvents: [UnlinkedEvent] = []
  var lastUnlinkedEvent: Int64 = 0
  var refusals: [RefusalSource: RefusalTally] = [:]
  var logStart = LogStart.whole
  /// By reference.
  var eventNotes: [String: EventText] = [:]
  var policies: [PolicyChanges.Subject: PolicyChanges] = [:]
  var rememberedAnswers: [AnswerPlace: RememberedAnswer] = [:]
  var products: [ProductID: Product] = [:]
  var photos: [ProductID: ProductPhotoContent] = [:]
  var removals: [RemovalPlace: ProductRemoval] = [:]
  var feeds: [AccountID: ProductFeed] = [:]
  var serviceRequests: [String: ServiceRequestEntry] = [:]
  var passwordHashKinds: Set<PasswordHashKind> = []
  var readinessCheckedAt: Instant?
  var lastVersion: Int64 = 1
  var lastVersions: [OrganizationID: Int64] = [:]
  var removedChanges: [OrganizationID: Int64] = [:]
  /// By sequence number.
  var changes: [DataChange] = []
  var acceptedChanges: [String: Int64] = [:]
  var lastChange: Int64 = 0
  var removedChange: Int64 = 0
  /// The expiry of each, by digest.
  var usedAssertions: [[UInt8]: Instant] = [:]
  var providerJourneys: [[UInt8]: ProviderJourney] = [:]
  var identities: [IdentityPlace: Identity] = [:]
  var contactProposals: [String: ContactProposal] = [:]
  var revocableChanges: [String: RevocableChange] = [:]
  var formerContacts: [ContactPlace: FormerContact] = [:]
  var providerDocuments: [DocumentPlace: ProviderDocument] = [:]

  /// The key of an identity.
  struct IdentityPlace: Hashable {
    let issuer: String
    let subject: String
  }

  /// The key of a former contact: one for each account and value.
  struct ContactPlace: Hashable {
    let account: AccountID
    let value: Recipient
  }

  /// The key of a provider's document.
  struct DocumentPlace: Hashable {
    let provider: String
    let kind: ProviderDocument.Kind
  }

  /// The key of a count: one for each day, kind and combination of organizations.
  struct CountPlace: Hashable {
    let day: CalendarDay
    let kind: DailyCount.Kind
    let organizations: [OrganizationID]
  }

  /// The key of a removal: one for each owner, product and id in the app.
  struct RemovalPlace: Hashable {
    let owner: AccountID
    let product: ProductID
    let key: RecordKey
  }

  /// The key of a remembered answer: one for each owner and idempotency key.
  struct AnswerPlace: Hashable {
    let owner: AccountID
    let key: String
  }
}

extension Dictionary {
  /// Throws `.conflict` if the key is in use.
  mutating func insertNew(_ value: Value, for key: Key) throws(StoreFault) {
    guard self[key] == nil else { throw .conflict }
    self[key] = value
  }

  /// Throws `.conflict` if the record does not exist.
  mutating func change(_ key: Key, _ change: (inout Value) -> Void) throws(StoreFault) {
    guard var value = self[key] else { throw .conflict }
    change(&value)
    self[key] = value
  }

  /// Removes the first `limit` entries that satisfy `isDue`, in the order of `due`.
  ///
  /// It returns their number.
  mutating func remove<Order: Comparable>(
    _ limit: Int, by due: (Value) -> Order, where isDue: (Value) -> Bool
  ) -> Int {
    let chosen = filter { isDue($0.value) }.sorted { due($0.value) < due($1.value) }.prefix(limit)
    for entry in chosen { self[entry.key] = nil }
    return chosen.count
  }
}
