internal import Cryptography
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

/// Devices that renew their sessions and change organization over a network that loses requests
/// and answers, are killed before they have written what they got, and are stolen from.
///
/// The real use cases decide, over a store in memory; the seed is all the chance there is. Two laws
/// hold: nobody whose device was not stolen from is ever signed out, and every thief who uses what
/// was stolen is caught, which ends the session for both.
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
    /// What broke a law, or nil.
    public var violation: String?
  }

  /// What is wrong on purpose, to show that the laws find it.
  public enum Defect: Sendable {
    /// The parent of an unused successor counts as stolen.
    case noRepetition
    /// Reuse is answered, but the session goes on.
    case noEnd
  }

  static let people = 5
  static let devicesEach = 8
  /// Between two calls of all devices: each refreshes a few times in an hour.
  static let stepMilliseconds: Int64 = 9000
  static let organizations = ["north", "south", "west"]

  private let clock = SimulatedClock()
  private let world: World
  private let client: AppClient
  private let store: MemoryStore
  private var chance: Chance
  private var devices: [RefreshDevice] = []
  private var report = Report()

  private init(seed: UInt64, defect: Defect?) {
    chance = Chance(seed: seed)
    var client = AppClient(
      id: ClientID("app"), name: "App", home: .activities, signIn: .passwordAndCode,
      roles: [.mentor], scopes: ["offline_access"]
    )
    client.sessionSeconds = 365 * 24 * 60 * 60
    self.client = client
    store = MemoryStore { before, after in
      // The log is not looked at here, and would be copied with every commit.
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
      passwords: FastPasswordHashing(), proofs: MemoryProofLedger(), outboxRung: {},
      faultSeen: { _ in }
    )
  }

  /// Runs one world until its devices have refreshed so many times.
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

  /// As after a right password and code: the store holds a code to redeem.
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
    guard case .success(let tokens) = await redeemCode(redemption, in: world) else {
      return report.violation = "a code could not be redeemed"
    }
    device.keep(tokens)
    device.thief = nil
  }
}

/// One device, and perhaps somebody who has a copy of what it keeps.
final class RefreshDevice {
  let person: Int
  let key: String
  var signIns = 0
  /// What is written down: a device that is killed has this and nothing else.
  private(set) var token = Secret("")
  private(set) var organization: OrganizationID?
  var thief: Secret?
  /// Whether the thief has used the copy, and so must be caught.
  var isUsedByThief = false

  init(person: Int, key: String) {
    self.person = person
    self.key = key
  }

  func keep(_ tokens: TokenAnswer) {
    token = tokens.refreshToken ?? Secret("")
    organization = tokens.session.organization
  }
}

// MARK: - What happens

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
    // Another window, or the network, has sent the same once more.
    if chance.isOne(in: 20) {
      report.doubled += 1
      let again = await ask(device.token, key: device.key, chance.isOne(in: 2) ? wanted : nil)
      check(again, equals: outcome)
    }
    switch outcome {
    case .refusal(let refusal): await refused(device, refusal)
    case .success(let tokens):
      if chance.isOne(in: 10) { return report.lostAnswers += 1 }
      if chance.isOne(in: 20) { return report.killed += 1 }
      device.keep(tokens)
    }
  }

  private func check(_ again: Outcome<TokenAnswer>, equals first: Outcome<TokenAnswer>) {
    guard case .success(let one) = first, case .success(let two) = again else { return }
    if one.refreshToken != two.refreshToken {
      report.violation = "the same token was answered with two successors"
    }
  }

  private func ask(
    _ token: Secret, key: String, _ organization: OrganizationID? = nil
  ) async -> Outcome<TokenAnswer> {
    report.refreshes += 1
    return await refreshSession(
      RefreshRequest(
        client: client, refreshToken: token, proofKeyThumbprint: key, organization: organization
      ),
      in: world
    )
  }

  /// The one law for people: who was not stolen from is never refused.
  private func refused(_ device: RefreshDevice, _ refusal: ErrorAnswer) async {
    let why = refusal.reason ?? refusal.code.rawValue
    guard let copy = device.thief, device.isUsedByThief else {
      return report.violation = "\(device.key) was signed out by mistake: \(why)"
    }
    guard refusal.reason == Session.End.reuseDetected.rawValue else {
      return report.violation = "\(device.key) was told \(why) after a theft"
    }
    if case .success = await ask(copy, key: device.key) {
      return report.violation = "the thief of \(device.key) went on after the owner was told"
    }
    report.caught += 1
    await signIn(device)
  }

  /// The thief has the key too, else nothing would be proved; what was stolen may be old by now.
  private func steal(with device: RefreshDevice) async {
    guard let copy = device.thief else { return }
    let outcome = await ask(copy, key: device.key)
    device.isUsedByThief = true
    switch outcome {
    case .success(let tokens): device.thief = tokens.refreshToken
    case .refusal(let refusal):
      guard refusal.reason == Session.End.reuseDetected.rawValue else {
        return report.violation = "a thief was told \(refusal.reason ?? "nothing")"
      }
      // The owner learns of it at the next call, and the thief gets nothing any more.
      switch await ask(device.token, key: device.key) {
      case .success:
        report.violation = "the session of \(device.key) went on after the theft was seen"
      case .refusal(let refusal): await refused(device, refusal)
      }
    }
  }

  /// A copy without the key is of no use, and using it harms nobody.
  private func useForeignKey(on device: RefreshDevice) async {
    report.foreignKeys += 1
    if case .success = await ask(device.token, key: "another key") {
      report.violation = "a token was of use to another key"
    }
  }

  /// Whoever has used a copy is caught once both go on.
  private func settleThefts() async {
    for device in devices {
      var rounds = 0
      while device.thief != nil, report.violation == nil {
        rounds += 1
        if rounds > 1000 {
          report.violation = "the thief of \(device.key) was never caught"
        } else if chance.isOne(in: 2) {
          await steal(with: device)
        } else {
          await refresh(device, to: nil)
        }
      }
    }
  }
}
