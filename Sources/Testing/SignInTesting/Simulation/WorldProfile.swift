internal import SignInModel
internal import SignInService
internal import SignInWire

/// The people, the conditions and the policies of one world, chosen at random from its seed.
///
/// Most worlds test sign-ins, and the others test sessions. Each kind has the conditions that its
/// subject needs, and sometimes those of the other kind. So each rare combination happens often
/// enough.
struct WorldProfile {
  /// What makes a world difficult: a fault, a kind of person or another sender.
  enum Condition: CaseIterable {
    /// The network loses and repeats requests and answers.
    case losses
    /// The network delays some requests and answers for minutes.
    case delays
    /// A task of the server waits while later events happen.
    case stalls
    /// Providers of text messages fail, and there is no memory for hashing passwords.
    case overload
    /// The server stops and crashes.
    case crashes
    /// Storage is locked, slow or full, or loses writes. Devices stop, and are offline or hidden.
    case devices
    /// People mistype and forget their passwords and codes.
    case mistakes
    /// Other senders guess, hurry and repeat requests.
    case attackers
    /// Thieves use copies of tokens.
    case thieves
    /// An administrator decides about accounts.
    case administrator
  }

  static let backgroundSeconds: Int64 = 5 * 60

  let conditions: Set<Condition>
  /// The people with an account from the start.
  let people: [SimulatedPeople.Person]
  /// The owner of each device.
  let owners: [SimulatedPeople.Person]
  let clients: [AppRegistration]
  /// The number of events before all faults end.
  let steps: Int
  /// The idle timeout of sessions.
  ///
  /// It is short, so that sessions expire during one simulated world.
  let idleSeconds: Int64
  /// Whether sessions can have a lock on the device.
  let locks: Bool

  init(_ chance: inout Chance) {
    let isAboutSessions = chance.isOne(in: 4)
    conditions = isAboutSessions ? Self.sessionConditions(&chance) : Self.signInConditions(&chance)
    owners = Self.owners(isAboutSessions: isAboutSessions, &chance)
    people =
      isAboutSessions && !conditions.contains(.attackers)
      ? owners
      : SimulatedPeople.ofSignIns + owners.filter { $0.account.role == .mentor }
    steps = Int(isAboutSessions ? 800 : chance.between(100...300))
    idleSeconds = isAboutSessions ? 40 * 60 : 30 * 60
    locks = isAboutSessions && chance.isOne(in: 2)
    let (accessSeconds, sessionHours): (Int64, Int64) = isAboutSessions ? (90, 4) : (60, 2)
    clients = SimulatedPeople.clients.map { [idleSeconds, locks, conditions] client in
      var client = client
      client.policy[.accessToken] = accessSeconds
      client.policy[.idle] = idleSeconds
      client.policy[.session] = sessionHours * 60 * 60
      client.policy[.background] = Self.backgroundSeconds
      if locks { client.policy.unlock = .biometric }
      if conditions.contains(.devices) { Self.allowManyMessages(&client) }
      return client
    }
  }

  func has(_ condition: Condition) -> Bool { conditions.contains(condition) }

  func client(of person: SimulatedPeople.Person) -> AppRegistration {
    guard let client = clients.first(where: { $0.roles.contains(person.account.role) }) else {
      preconditionFailure("a simulated person without an app")
    }
    return client
  }

  private static func signInConditions(_ chance: inout Chance) -> Set<Condition> {
    var conditions: Set<Condition> = [.stalls, .overload, .mistakes]
    if !chance.isOne(in: 4) { conditions.formUnion([.losses, .delays]) }
    if !chance.isOne(in: 3) { conditions.insert(.attackers) }
    if chance.isOne(in: 2) { conditions.insert(.crashes) }
    if chance.isOne(in: 3) { conditions.insert(.administrator) }
    if chance.isOne(in: 8) { conditions.insert(.thieves) }
    if chance.isOne(in: 12) { conditions.insert(.devices) }
    return conditions
  }

  private static func sessionConditions(_ chance: inout Chance) -> Set<Condition> {
    var conditions: Set<Condition> = [.losses, .crashes, .devices]
    if chance.isOne(in: 3) { conditions.insert(.thieves) }
    for condition in [Condition.delays, .stalls, .overload, .mistakes, .attackers, .administrator]
    where chance.isOne(in: 8) {
      conditions.insert(condition)
    }
    return conditions
  }

  private static func owners(
    isAboutSessions: Bool, _ chance: inout Chance
  ) -> [SimulatedPeople.Person] {
    let (first, second) =
      isAboutSessions
      ? (SimulatedPeople.ofFirstSession, SimulatedPeople.ofSecondSession)
      : (SimulatedPeople.atFirstDevice, SimulatedPeople.atSecondDevice)
    let owner = chance.pick(first)
    return chance.isOne(in: 2) ? [owner, chance.pick(second)] : [owner]
  }

  /// A person who loses many answers needs many codes.
  private static func allowManyMessages(_ client: inout AppRegistration) {
    client.policy[.numberHourly] = 1000
    client.policy[.numberDaily] = 1000
    client.policy[.deviceSends] = 1000
    client.policy[.addressSends] = 1000
  }
}
