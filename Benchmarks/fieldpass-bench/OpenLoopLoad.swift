import Glibc
import JSONText
import Threads

/// Technicians who arrive independently of the server's speed: an open loop.
///
/// The arrival times are drawn beforehand (a Poisson process). Each login is timed from its arrival
/// time, so that the figures include the waiting time that a slow server causes.
struct OpenLoopLoad: Sendable {
  /// More threads than people can wait at once, so that this program delays no arrival.
  static let threads = 192
  /// The pause in which a busy server's queue empties before the next load.
  static let pauseMilliseconds = 2500

  /// The arrivals per second.
  let rate: Double
  let seconds: Double

  /// The results of all arrivals.
  struct Outcome: Sendable {
    /// The times of the three requests of a successful login, from the arrival time.
    var logins = Sample()
    /// The times of the refusals.
    var refusals = Sample()
    /// The number of correct refusals: 503 with `Retry-After`.
    var cleanRefusals = 0
    /// The number of other answers and of missing answers, by reason.
    var failures: [String: Int] = [:]
    var failureCount: Int { failures.values.reduce(0, +) }
    var count: Int { logins.count + refusals.count + failureCount }
    var processorSeconds = 0.0
    /// The share of time, from 0 to 1, that the server's hashing threads have worked.
    var hashingShare = 0.0
    var seconds = 0.0
    /// The arrivals per second.
    var rate: Double { Double(count) / seconds }
  }

  /// The moments of a Poisson process from 0 to `seconds`, the same in each run.
  static func moments(rate: Double, seconds: Double) -> [Double] {
    var moments: [Double] = []
    var chance = UniformChance(seed: 7)
    var moment = 0.0
    while moment < seconds {
      moment += -log(chance.next()) / rate
      moments.append(moment)
    }
    return moments
  }

  func run(
    _ server: ServerProcess, next: @escaping @Sendable () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> Outcome {
    let (target, vitals) = (server.target, server.vitals)
    let due = Self.moments(rate: rate, seconds: seconds)
    let taken = Monitor<Int>(0)
    let before = vitals.processorSeconds
    let hashing = try server.hashing()
    let began = Stopwatch.seconds + 0.2
    let parts = try ParallelLoad.run(threads: Self.threads, seconds: .infinity) {
      (_, _) throws(BenchFault) -> Outcome in
      var outcome = Outcome()
      while true {
        let number = taken.takeNext()
        guard number < due.count else { return outcome }
        let (person, phone) = (try next(), try Phone(target))
        let wait = began + due[number] - Stopwatch.seconds
        if wait > 0 { usleep(UInt32(wait * 1e6)) }
        Self.signIn(person, on: phone, dueAt: began + due[number], &outcome)
      }
    }
    var all = Outcome()
    for part in parts.parts {
      all.logins.add(part.logins)
      all.refusals.add(part.refusals)
      all.cleanRefusals += part.cleanRefusals
      all.failures.merge(part.failures) { $0 + $1 }
    }
    all.processorSeconds = vitals.processorSeconds - before
    all.seconds = parts.seconds
    let threadSeconds = parts.seconds * Double(hashing.threads)
    all.hashingShare = (try server.hashing().busySeconds - hashing.busySeconds) / threadSeconds
    Stopwatch.pause(milliseconds: Self.pauseMilliseconds)
    return all
  }

  private static func signIn(
    _ person: LoadPerson, on phone: Phone, dueAt due: Double, _ outcome: inout Outcome
  ) {
    do throws(BenchFault) {
      let (reply, answer) = try phone.tryLogIn(
        email: person.email, password: LoadPerson.password
      )
      let waited = Stopwatch.seconds - due
      if reply.status == 503 {
        outcome.refusals.add(waited)
        if reply.retryAfter ?? 0 > 0 { outcome.cleanRefusals += 1 }
        return
      }
      guard answer["auth_session"] != nil else {
        return outcome.failures[answer["error"]?.text ?? "no challenge", default: 0] += 1
      }
      // The time of the message is not part of the server's answer.
      let code = try phone.readCode(of: person.phone)
      _ = phone.takeTimes()
      try phone.finish(answer, with: code)
      let rest = phone.takeTimes().values.reduce(0) { $0 + $1.total }
      outcome.logins.add(waited + rest)
    } catch {
      outcome.failures[error.what, default: 0] += 1
    }
  }
}

/// Random numbers above 0 and up to 1.
///
/// They are the same in each run (SplitMix64).
struct UniformChance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func word() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func next() -> Double { (Double(word() >> 11) + 1) / 9_007_199_254_740_992 }
}
