import JSONText
import SignInWire

/// Whether a stranger can learn from the time of an answer who has an account, and in which state
/// (T-03, L-12).
///
/// Kinds come in an order drawn anew for each round, so that none profits from caches that another
/// warmed.
struct Enumeration {
  static let samples = 500
  /// Rounds that are thrown away: caches fill, memory is mapped.
  static let warmUps = 20
  /// A locked account is asked so often, which changes nothing about it.
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

    /// Which of them it must not be told from.
    var twin: Kind {
      switch self {
      case .known, .unknown, .deactivated: .known
      case .locked, .lockedUnknown: .locked
      case .forgotten, .forgottenUnknown: .forgotten
      }
    }

    /// What it is answered.
    var answer: String? {
      switch self {
      case .known, .unknown, .deactivated: "invalid_credentials"
      case .locked, .lockedUnknown: "account_locked"
      case .forgotten, .forgottenUnknown: nil
      }
    }
  }

  private(set) var samples: [Kind: Sample] = [:]

  static func measure(
    _ target: ServerProcess.Target, next: () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> Enumeration {
    let phone = try Phone(target)
    let administrator = try Phone(target, .console)
    let first = try administrator.logIn(
      email: "admin@example.com", password: "demo-Admin-1", as: nil
    )
    try administrator.finish(first, with: try administrator.readCode(of: "+15550101238"))
    let names = try names(phone, administrator, next: next)
    var figures = Enumeration()
    var chance = UniformChance(seed: 11)
    for round in 0..<(Self.samples + warmUps) {
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
      let wish = JSON.members([
        JSONMember("client_id", Phone.App.technician.rawValue), JSONMember("username", name),
      ])
      (answer, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
        try phone.ask("POST", Endpoint.forgotPassword, wish)
      }
      // The message leaves beside the answers to come, and must not weigh on one of them.
      Stopwatch.pause(milliseconds: 3)
    case .known, .unknown, .deactivated, .locked, .lockedUnknown:
      (answer, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
        try phone.logIn(email: name, password: "wrong-guess")
      }
    }
    guard answer["error"]?.text == kind.answer else {
      throw BenchFault("\(kind.rawValue) was answered \(answer["error"]?.text ?? "otherwise")")
    }
    return seconds
  }

  /// Who is asked for, made ready before anything is measured: an account for each sample, for a
  /// failure that is counted already would be another case.
  private static func names(
    _ phone: Phone, _ administrator: Phone, next: () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> [Kind: [String]] {
    var names: [Kind: [String]] = [:]
    for _ in 0..<(samples + warmUps) {
      let known = try next().email
      names[.known, default: []].append(known)
      names[.unknown, default: []].append(nobody(like: known))
      let former = try next()
      try administrator.deactivate(former.account)
      names[.deactivated, default: []].append(former.email)
      let forgotten = try next().email
      names[.forgotten, default: []].append(forgotten)
      names[.forgottenUnknown, default: []].append(nobody(like: forgotten))
    }
    for _ in 0..<lockedAccounts {
      let known = try next().email
      for (kind, email) in [(Kind.locked, known), (.lockedUnknown, nobody(like: known))] {
        for _ in 0..<failuresToLock {
          _ = try phone.logIn(email: email, password: "wrong-guess")
        }
        names[kind, default: []].append(email)
      }
    }
    return names
  }

  /// Of the same length, so that only existence differs.
  private static func nobody(like email: String) -> String {
    "void" + email.dropFirst("load".utf8.count)
  }
}
