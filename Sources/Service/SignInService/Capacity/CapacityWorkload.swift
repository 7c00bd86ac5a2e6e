import Cryptography
import SignInModel
import SignInWire
import Synchronization

/// A store that says how large its tables are.
public protocol MeasuredStore: Store {
  /// Every table with the number of its records and the bytes of its pages, those of its indexes
  /// included.
  func tableSizes() throws(StoreFault) -> [TableSize]
}

/// The size of one table.
public struct TableSize: Equatable, Sendable {
  public let table: String
  public let records: Int64
  public let bytes: Int64

  public init(table: String, records: Int64, bytes: Int64) {
    self.table = table
    self.records = records
    self.bytes = bytes
  }
}

/// A clock that moves only when a plan is measured.
final class PlannedClock: Clock {
  private let moment: Mutex<Instant>

  init(_ start: Instant) { moment = Mutex(start) }

  func now() -> Instant { moment.withLock { $0 } }

  func advance(seconds: Int64) { moment.withLock { $0 = $0.adding(seconds: seconds) } }

  /// Waiting would take the time of the person who measures.
  func pause(milliseconds: Int64) async { await Task.yield() }
}

/// People of one app who sign in and renew their sessions, so that the effect on a store can be
/// measured.
///
/// It uses the use cases of the server. Only passwords and proofs of keys are left out, because
/// they change nothing in the store.
public final class CapacityWorkload: Sendable {
  /// A step that must not fail failed.
  public struct Fault: Error {
    public let what: String

    public init(what: String) { self.what = what }
  }

  private static let start = Instant(seconds: 1_800_000_000)
  private static let verifier = String(repeating: "v", count: 43)
  private static let parallelism = 32
  private static let batch = 500
  private static let organization = OrganizationID("north")

  let store: any MeasuredStore
  let world: World
  private let clock: PlannedClock
  private let app: AppRegistration
  private let messenger = CodeReader()
  /// The newest refresh token of each person.
  private let tokens = Mutex<[Int: Secret]>([:])

  /// The store must have the keys of this master key.
  public init(
    store: any MeasuredStore, master: [UInt8], randomness: any Randomness,
    passwords: any PasswordHashing, decoyPasswordHash: String
  ) {
    var app = AppRegistration(
      id: ClientID("measured-app"), name: "Measured", home: .none, signIn: .phoneCode,
      roles: Array(AccountRole.allCases.prefix(1)), scopes: ["openid", "offline_access"])
    for budget in [
      PolicyKey.prefixDaily, .organizationDaily, .appDaily, .conversionCheckedAfter,
    ] {
      app.policy[budget] = budget.range.upperBound
    }
    self.app = app
    self.store = store
    let clock = PlannedClock(Self.start)
    self.clock = clock
    world = World(
      issuer: "https://login.example.com", clients: [app],
      organizations: [.init(id: Self.organization, name: "North")],
      keyring: Keyring(
        signing: .generate(), master: master, decoyPasswordHash: decoyPasswordHash),
      store: store, clock: clock, randomness: randomness, passwords: passwords,
      proofs: NoLedger(), messageRecorded: {}, reportFault: { _ in })
  }

  public func advance(seconds: Int64) { clock.advance(seconds: seconds) }

  /// Adds accounts with an e-mail address, a password and a number.
  public func addAccounts(_ numbers: Range<Int>, passwordHash: String) async throws(Fault) {
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.batch) {
      let batch = start..<min(start + Self.batch, numbers.upperBound)
      let accounts = try batch.map { (number) throws(Fault) in
        try account(number, passwordHash: passwordHash)
      }
      do throws(StoreFault) {
        try await store.transact(about: []) {
          (transaction: any AccountRecords) throws(StoreFault) in
          for account in accounts { try transaction.insert(account) }
        }
      } catch {
        throw Fault(what: "accounts cannot be stored")
      }
    }
  }

  private func account(_ number: Int, passwordHash: String) throws(Fault) -> Account {
    do throws(Malformed) {
      return Account(
        id: AccountID(world.handle(bytes: 16)),
        email: try EmailAddress(parsing: "person\(number)@example.com"), phone: try phone(number),
        name: "Person Number \(number)", role: app.roles[0], status: .active,
        passwordHash: passwordHash, organizations: [Self.organization],
        createdAt: clock.now())
    } catch {
      throw Fault(what: "an account has a wrong form")
    }
  }

  private func phone(_ number: Int) throws(Malformed) -> PhoneNumber {
    try PhoneNumber(parsing: "+4790\(String(1_000_000 + number).suffix(6))")
  }

  /// Many people have one network address.
  private func peer(_ number: Int) -> String { "10.0.\(number / 20 % 256).1" }

  /// The thumbprint of a key.
  private func key(_ number: Int) -> String {
    Base64URL.encode(SHA256Digest.of("device \(number)"))
  }

  /// Each of these people signs in on the same device as before.
  public func signIn(_ numbers: [Int]) async throws(Fault) {
    var rest = numbers[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(Self.batch)
      let sessions = try await each(batch) { [self] number in try await begin(number) }
      await sendMessages()
      _ = try await each(batch) { [self] number in
        try await complete(number, sessions[number] ?? Secret(""))
      }
    }
  }

  /// Hands over the waiting messages.
  private func sendMessages() async {
    let tasks = Mutex<[Task<Void, Never>]>([])
    let sender = OutboxSender(
      router: MessengerRouter([MessengerRouter.Entry(messenger)]), world: world,
      startTask: { work in
        let task = Task { await work() }
        tasks.withLock { $0.append(task) }
        return task
      }, roomFreed: {})
    var isDone = false
    while !isDone {
      await sender.send()
      let started = tasks.withLock { tasks in
        defer { tasks = [] }
        return tasks
      }
      for task in started { await task.value }
      isDone = started.isEmpty
    }
  }

  private func begin(_ number: Int) async throws -> Secret {
    let terms = SignInTerms(
      client: app, scope: "openid offline_access",
      pkceChallenge: Base64URL.encode(SHA256Digest.of(Self.verifier)), nonce: nil,
      organization: nil, proofKeyThumbprint: key(number), peer: peer(number))
    return try await beginPhoneSignIn(
      PhoneSignInRequest(terms: terms, phone: try phone(number)), in: world
    ).authSession
  }

  private func complete(_ number: Int, _ session: Secret) async throws {
    let code = messenger.code(for: try phone(number)) ?? ""
    let answer = CodeAnswer(
      client: app, authSession: session, code: Secret(code), proofKeyThumbprint: key(number),
      peer: peer(number))
    let authorization = try await verifyCode(answer, in: world)
    let redemption = CodeRedemption(
      client: app, code: authorization, verifier: Secret(Self.verifier),
      proofKeyThumbprint: key(number), peer: peer(number))
    guard case .tokens(let tokens) = try await redeemCode(redemption, in: world) else {
      throw Fault(what: "a sign-in gave no tokens")
    }
    self.tokens.withLock { $0[number] = tokens.refreshToken }
  }

  /// Each of these people renews the session once.
  public func renew(_ numbers: [Int]) async throws(Fault) {
    _ = try await each(numbers) { [self] number in
      let token = tokens.withLock { $0[number] }
      let request = RefreshRequest(
        client: app, refreshToken: token ?? Secret(""), proofKeyThumbprint: key(number),
        peer: peer(number))
      let answer = try await refreshSession(request, in: world)
      tokens.withLock { $0[number] = answer.refreshToken }
    }
  }

  /// Does what a server does in the background.
  public func settle() async {
    while await removeExpiredRecords(in: world) {}
    await world.linkEvents()
  }

  /// Removes the counts of rate limits that limit nothing any more, as a server does.
  func removeQuietThrottles() async throws(Fault) {
    let now = clock.now()
    do throws(StoreFault) {
      var removed = SignInLimits.removalBatch
      while removed == SignInLimits.removalBatch {
        removed = try await store.transact(about: []) {
          (transaction: any ThrottleRecords) throws(StoreFault) in
          try transaction.removeThrottles(quietBefore: now, limit: SignInLimits.removalBatch)
        }
      }
    } catch {
      throw Fault(what: "counts of rate limits cannot be removed")
    }
  }

  /// Does the work for each person, several at a time as on a server.
  private func each<Answer: Sendable>(
    _ numbers: [Int], _ work: @escaping @Sendable (Int) async throws -> Answer
  ) async throws(Fault) -> [Int: Answer] {
    do {
      return try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
        var answers: [Int: Answer] = [:]
        for (index, number) in numbers.enumerated() {
          if index >= Self.parallelism, let (done, answer) = try await group.next() {
            answers[done] = answer
          }
          group.addTask { (number, try await work(number)) }
        }
        for try await (done, answer) in group { answers[done] = answer }
        return answers
      }
    } catch {
      throw Fault(what: "a step was refused: \(error)")
    }
  }
}

/// Reads the codes of messages in place of a person.
private final class CodeReader: TextMessenger {
  private let codes = Mutex<[Recipient: String]>([:])

  let name = "measured"

  func carries(_ recipient: Recipient) -> Bool { true }

  func send(_ message: TextMessage) async throws(TextMessengerFault) -> Acceptance {
    let digits = message.text.revealed.prefix { $0.isNumber }
    codes.withLock { $0[message.to] = String(digits) }
    return Acceptance()
  }

  func forget(_ recipients: Set<Recipient>) {}

  func code(for phone: PhoneNumber) -> String? { codes.withLock { $0[.phone(phone)] } }
}

/// Proofs are checked before a use case runs, so none is recorded here.
private struct NoLedger: ProofLedger {
  func record(
    _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
  ) async -> ProofVerdict { .unavailable }
}
