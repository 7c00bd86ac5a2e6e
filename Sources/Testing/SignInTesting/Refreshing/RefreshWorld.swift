internal import Cryptography
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

/// Devices that renew their sessions and change organization.
///
/// The network loses requests and answers, devices are killed before they store an answer, and
/// tokens are stolen.
///
/// The real use cases decide, over a store in memory. The seed determines everything random. There
/// are two laws. A device without a theft is never signed out. An attacker who uses a stolen token
/// is always detected, which ends the session for both.
public final class RefreshWorld {
  public struct Report: Sendable {
    public init() {}

    public var refreshes = 0
    public var lostRequests = 0
    public var lostAnswers = 0
    public var killed = 0
    public var doubled = 0
    public var switches = 0
    public var foreignKeys = 0
    public var thefts = 0
    public var caught = 0
    /// The violation of a law, or `nil`.
    public var violation: String?
  }

  /// Planted defects, which show that the laws detect them.
  public enum Defect: Sendable {
    /// The parent of an unused successor counts as stolen.
    case noRepetition
    /// Reuse is reported, but the session continues.
    case noEnd
  }

  static let people = 5
  static let devicesEach = 8
  /// The time between two requests of all devices.
  ///
  /// Each device refreshes a few times per hour.
  static let stepMilliseconds: Int64 = 9000
  static let organizations = ["north", "south", "west"]

  private let clock = SimulatedClock()
  private let world: World
  private let client: AppRegistration
  private let store: MemoryStore
  private var chance: Chance
  private var devices: [RefreshDevice] = []
  private var report = Report()

  private init(seed: UInt64, defect: Defect?) {
    chance = Chance(seed: seed)
    var client = AppRegistration(
      id: ClientID("app"), name: "App", home: .activities, signIn: .passwordAndCode,
      roles: [.mentor], scopes: ["offline_access"]
    )
    client.policy[.session] = 365 * 24 * 60 * 60
    self.client = client
    store = MemoryStore { before, after in
      // The laws do not use the log, and it would be copied with every commit.
      if after.events.count > 1, let last = after.events.last { after.events = [last] }
      switch defect {
      case .noRepetition:
        for (id, session) in after.sessions {
          guard let earlier = before.sessions[id] else { continue }
          if session.refreshGeneration == earlier.refreshGeneration + 1 {
            after.sessions[id]?.refreshGeneration += 1
          }
        }
      case .noEnd:
        for (id, session) in after.sessions where session.end == .reuseDetected {
          after.sessions[id]?.end = nil
        }
      case nil: break
      }
    }
    world = World(
      issuer: SimulatedKeys.issuer, clients: [client], keyring: SimulatedKeys.keyring,
      store: store, clock: clock, randomness: SeededRandomness(seed: seed),
      passwords: FastPasswordHashing(), proofs: MemoryProofLedger(), messageRecorded: {},
      reportFault: { _ in }
    )
  }

  /// Runs one world until its devices have sent this number of refreshes.
  public static func run(
    seed: UInt64, refreshes: Int, defect: Defect? = nil
  ) async -> Report {
    let world = RefreshWorld(seed: seed, defect: defect)
    await world.prepare()
    while world.report.refreshes < refreshes, world.report.violation == nil { await world.step() }
    await world.settleThefts()
    return world.report
  }

  private func prepare() async {
    for person in 0..<Self.people {
      await insert(person)
      for number in 0..<Self.devicesEach {
        let device = RefreshDevice(person: person, key: "key-\(person)-\(number)")
        await signIn(device)
        devices.append(device)
      }
    }
  }

  private func insert(_ person: Int) async {
    let phone: PhoneNumber
    do throws(Malformed) { phone = try PhoneNumber(parsing: "+4790000\(100 + person)") } catch {
      preconditionFailure("a made-up number is malformed")
    }
    let account = Account(
      id: AccountID("person-\(person)"), email: nil, phone: phone, name: "Person \(person)",
      role: .mentor, status: .active, passwordHash: nil,
      organizations: Self.organizations.map { OrganizationID($0) }, createdAt: clock.now()
    )
    await write { (transaction) throws(StoreFault) in try transaction.insert(account) }
  }

  private func write(
    _ change: @escaping @Sendable (any Transaction) throws(StoreFault) -> Void
  ) async {
    do throws(StoreFault) { try await store.transact(change) } catch {
      preconditionFailure("a store in memory takes what is new: \(error)")
    }
  }

  /// Stores a code to redeem, as after a right password and a right code.
  private func signIn(_ device: RefreshDevice) async {
    device.signIns += 1
    let code = "\(device.key)-\(device.signIns)"
    let verifier = String(repeating: "v", count: 43)
    let attempt = SignInAttempt(
      digest: SHA256Digest.of("attempt " + code), account: AccountID("person-\(device.person)"),
      client: client.id, proofKeyThumbprint: device.key,
      pkceChallenge: Base64URL.encode(SHA256Digest.of(verifier)), scope: "offline_access",
      nonce: nil, organization: nil, startedAt: clock.now(),
      expiresAt: clock.now().adding(seconds: 60),
      progress: .proved(
        codeDigest: SHA256Digest.of(code), expiresAt: clock.now().adding(seconds: 60))
    )
    await write { (transaction) throws(StoreFault) in try transaction.insert(attempt) }
    let redemption = CodeRedemption(
      client: client, code: code, verifier: verifier, proofKeyThumbprint: device.key
    )
    do throws(Refusal) {
      guard case .tokens(let tokens) = try await redeemCode(redemption, in: world) else {
        return report.violation = "a redeemed code led to another code"
      }
      device.store(tokens)
      device.thief = nil
    } catch {
      report.violation = "a code could not be redeemed"
    }
  }
}

/// One device, and possibly an attacker with a copy of its token.
final class RefreshDevice {
  let person: Int
  let key: String
  var signIns = 0
  /// The stored token.
  ///
  /// A killed device has only what is stored.
  private(set) var token = Secret("")
  private(set) var organization: OrganizationID?
  var thief: Secret?
  /// Whether the attacker has used the copy and must therefore be detected.
  var isUsedByThief = false

  init(person: Int, key: String) {
    self.person = person
    self.key = key
  }

  func store(_ tokens: TokenAnswer) {
    token = tokens.refreshToken ?? Secret("")
    organization = tokens.session.organization
  }
}

// MARK: - Events

extension RefreshWorld {
  private func step() async {
    clock.advance(milliseconds: Self.stepMilliseconds)
    let device = chance.pick(devices)
    if device.thief != nil, chance.isOne(in: 3) { return await steal(with: device) }
    switch chance.below(400) {
    case 0 where device.thief == nil:
      device.thief = device.token
      device.isUsedByThief = false
      report.thefts += 1
    case 1...4: await useForeignKey(on: device)
    case 5...14: await refresh(device, to: chance.pick(Self.organizations))
    default: await refresh(device, to: nil)
    }
  }

  private func refresh(_ device: RefreshDevice, to organization: String?) async {
    if chance.isOne(in: 20) { return report.lostRequests += 1 }
    let wanted = organization.map { OrganizationID($0) }
    let outcome = await ask(device.token, key: device.key, wanted)
    if wanted != nil { report.switches += 1 }
    // Another tab, or the network, has sent the same request again.
    if chance.isOne(in: 20) {
      report.doubled += 1
      let again = await ask(device.token, key: device.key, chance.isOne(in: 2) ? wanted : nil)
      check(again, equals: outcome)
    }
    switch outcome {
    case .failure(let refusal): await refused(device, refusal)
    case .success(let tokens):
      if chance.isOne(in: 10) { return report.lostAnswers += 1 }
      if chance.isOne(in: 20) { return report.killed += 1 }
      device.store(tokens)
    }
  }

  private func check(
    _ again: Result<TokenAnswer, Refusal>, equals first: Result<TokenAnswer, Refusal>
  ) {
    guard case .success(let one) = first, case .success(let two) = again else { return }
    if one.refreshToken != two.refreshToken {
      report.violation = "the same token has two successors"
    }
  }

  private func ask(
    _ token: Secret, key: String, _ organization: OrganizationID? = nil
  ) async -> Result<TokenAnswer, Refusal> {
    report.refreshes += 1
    let request = RefreshRequest(
      client: client, refreshToken: token, proofKeyThumbprint: key, organization: organization)
    return await result(try await refreshSession(request, in: world))
  }

  /// The law for owners: a device without a theft is never refused.
  private func refused(_ device: RefreshDevice, _ refusal: Refusal) async {
    let why = refusal.reason ?? refusal.code.rawValue
    guard let copy = device.thief, device.isUsedByThief else {
      return report.violation = "\(device.key) was signed out by mistake: \(why)"
    }
    guard refusal.reason == Session.End.reuseDetected.rawValue else {
      return report.violation = "\(device.key) got \(why) after a theft"
    }
    if case .success = await ask(copy, key: device.key) {
      return report.violation = "the attacker of \(device.key) continued after the refusal"
    }
    report.caught += 1
    await signIn(device)
  }

  /// Uses the stolen copy.
  ///
  /// The attacker also has the key, because otherwise the proof would fail. The copy may be
  /// outdated.
  private func steal(with device: RefreshDevice) async {
    guard let copy = device.thief else { return }
    let outcome = await ask(copy, key: device.key)
    device.isUsedByThief = true
    switch outcome {
    case .success(let tokens): device.thief = tokens.refreshToken
    case .failure(let refusal):
      guard refusal.reason == Session.End.reuseDetected.rawValue else {
        return report.violation = "an attacker got \(refusal.reason ?? "no reason")"
      }
      // The owner learns it at the next request, and the attacker gets nothing more.
      switch await ask(device.token, key: device.key) {
      case .success:
        report.violation = "the session of \(device.key) continued after the detection"
      case .failure(let refusal): await refused(device, refusal)
      }
    }
  }

  /// Uses a copy without the key, which must fail and must not change the session.
  private func useForeignKey(on device: RefreshDevice) async {
    report.foreignKeys += 1
    if case .success = await ask(device.token, key: "another key") {
      report.violation = "a token worked with another key"
    }
  }

  /// Continues until every used copy is detected.
  private func settleThefts() async {
    for device in devices {
      var rounds = 0
      while device.thief != nil, report.violation == nil {
        rounds += 1
        if rounds > 1000 {
          report.violation = "the attacker of \(device.key) was never detected"
        } else if chance.isOne(in: 2) {
          await steal(with: device)
        } else {
          await refresh(device, to: nil)
        }
      }
    }
  }
}
