import JSONText
import SignInWire

/// Measures whether an attacker can learn from the time of an answer which accounts exist, and in
/// which state (T-03, L-12).
///
/// Each round has the kinds in a new random order, so that no kind gains from caches that another
/// one filled.
struct Enumeration {
  /// Rounds that are not counted: they fill caches and map memory.
  static let warmUps = 20
  /// The number of locked accounts.
  ///
  /// Each is used several times, which does not change it.
  static let lockedAccounts = 10
  static let failuresToLock = 5

  enum Kind: String, CaseIterable {
    case known = "known, wrong password"
    case unknown = "unknown"
    case deactivated = "deactivated, wrong password"
    case locked = "known and locked"
    case lockedUnknown = "unknown and locked"
    case forgotten = "forgot password, known"
    case forgottenUnknown = "forgot password, unknown"

    /// The kind with which its times are compared.
    var twin: Kind {
      switch self {
      case .known, .unknown, .deactivated: .known
      case .locked, .lockedUnknown: .locked
      case .forgotten, .forgottenUnknown: .forgotten
      }
    }

    /// The expected error code.
    var answer: String? {
      switch self {
      case .known, .unknown, .deactivated: "invalid_credentials"
      case .locked, .lockedUnknown: "account_locked"
      case .forgotten, .forgottenUnknown: nil
      }
    }
  }

  /// How often each kind was measured.
  let count: Int
  private(set) var samples: [Kind: Sample] = [:]

  init(count: Int) { self.count = count }

  static func measure(
    _ target: ServerProcess.Target, samples: Int,
    next: () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> Enumeration {
    let phone = try Phone(target)
    let administrator = try Phone(target, .console)
    try administrator.signInAsAdministrator()
    let names = try names(phone, administrator, count: samples + warmUps, next: next)
    var figures = Enumeration(count: samples)
    var chance = UniformChance(seed: 11)
    for round in 0..<(samples + warmUps) {
      var kinds = Kind.allCases
      for index in kinds.indices.reversed() {
        kinds.swapAt(index, Int(chance.word() % UInt64(index + 1)))
      }
      for kind in kinds {
        let known = names[kind] ?? []
        let seconds = try ask(kind, known[round % known.count], phone)
        if round >= warmUps { figures.samples[kind, default: Sample()].add(seconds) }
      }
    }
    return figures
  }

  private static func ask(
    _ kind: Kind, _ name: String, _ phone: Phone
  ) throws(BenchFault) -> Double {
    let (answer, seconds): (JSON, Double)
    switch kind {
    case .forgotten, .forgottenUnknown:
      let request = JSON.members([
        JSONMember(.clientID, Phone.App.technician.rawValue), JSONMember(.username, name),
      ])
      (answer, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
        try phone.ask("POST", Endpoint.forgotPassword.path, request)
      }
      // The message is sent during the next answers and must not delay one of them.
      Stopwatch.pause(milliseconds: 3)
    case .known, .unknown, .deactivated, .locked, .lockedUnknown:
      (answer, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
        try phone.logIn(email: name, password: "wrong-guess")
      }
    }
    guard answer["error"]?.text == kind.answer else {
      throw BenchFault("\(kind.rawValue) got \(answer["error"]?.text ?? "another answer")")
    }
    return seconds
  }

  /// The names for all measurements, prepared beforehand.
  ///
  /// Each sample has its own account, because an account with a counted failure would be a
  /// different case.
  private static func names(
    _ phone: Phone, _ administrator: Phone, count: Int,
    next: () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> [Kind: [String]] {
    var names: [Kind: [String]] = [:]
    for _ in 0..<count {
      let known = try next().email
      names[.known, default: []].append(known)
      names[.unknown, default: []].append(unknownEmail(like: known))
      let former = try next()
      try administrator.deactivate(former.account)
      names[.deactivated, default: []].append(former.email)
      let forgotten = try next().email
      names[.forgotten, default: []].append(forgotten)
      names[.forgottenUnknown, default: []].append(unknownEmail(like: forgotten))
    }
    for _ in 0..<lockedAccounts {
      let known = try next().email
      for (kind, email) in [(Kind.locked, known), (.lockedUnknown, unknownEmail(like: known))] {
        for _ in 0..<failuresToLock {
          _ = try phone.logIn(email: email, password: "wrong-guess")
        }
        names[kind, default: []].append(email)
      }
    }
    return names
  }

  /// An unknown address of the same length, so that only the existence differs.
  private static func unknownEmail(like email: String) -> String {
    "void" + email.dropFirst("load".utf8.count)
  }
}
