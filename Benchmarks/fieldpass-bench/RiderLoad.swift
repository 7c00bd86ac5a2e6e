import JSONText
import SignInModel
import SignInWire

/// Riders sign in over many parallel connections, in rounds: all request a code, all read it, all
/// enter it, all get tokens.
///
/// So each kind of request is measured alone, with all connections in use. Riders need no password
/// hashing, so a hundred thousand sign-ins show within minutes which memory stays in use.
struct RiderLoad: Sendable {
  static let connections = 64
  static let peopleEach = 30
  static let people = connections * peopleEach
  static let standardSignIns = 100_000
  /// Longer than the cooldown of a code.
  static let restSeconds: Int64 = 61
  static let calls = [Phone.Call.request, .code, .token]

  /// The results of one kind of request, with all connections in use.
  struct Stage: Sendable {
    var times = Sample()
    var seconds = 0.0
    var processorSeconds = 0.0

    /// Requests per second.
    var rate: Double { seconds > 0 ? Double(times.count) / seconds : 0 }
    var processorSecondsEach: Double {
      times.count > 0 ? processorSeconds / Double(times.count) : 0
    }
  }

  /// The server's memory after this number of sign-ins.
  struct Memory: Sendable {
    let signIns: Int
    let mebibytes: Double
  }

  private(set) var stages: [Phone.Call: Stage] = [:]
  private(set) var memory: [Memory] = []

  /// Measures `signIns` sign-ins, and the server's memory after a tenth, a half and all of them.
  static func measure(_ server: ServerProcess, signIns: Int) throws(BenchFault) -> RiderLoad {
    let (target, vitals) = (server.target, server.vitals)
    let gathering = ThreadBarrier(size: connections)
    let outcome = try ParallelLoad.run(threads: connections, seconds: .infinity) {
      (number, _) throws(BenchFault) -> RiderLoad in
      do throws(BenchFault) {
        return try Self.takePart(number, target, vitals, gathering, signIns: signIns)
      } catch {
        gathering.disperse()
        throw error
      }
    }
    var load = RiderLoad()
    for part in outcome.parts {
      load.memory += part.memory
      for (call, stage) in part.stages {
        load.stages[call, default: Stage()].times.add(stage.times)
        load.stages[call, default: Stage()].seconds += stage.seconds
        load.stages[call, default: Stage()].processorSeconds += stage.processorSeconds
      }
    }
    return load
  }

  /// Runs all rounds of one connection.
  ///
  /// The first connection also controls the rounds.
  private static func takePart(
    _ number: Int, _ target: ServerProcess.Target, _ vitals: ServerProcess.ProcessUsage,
    _ gathering: ThreadBarrier, signIns: Int
  ) throws(BenchFault) -> RiderLoad {
    // The load accounts are taken from the end, because the other phases take them from the start.
    let first = LoadPerson.limit - (number + 1) * peopleEach + 1
    let crew = RiderGroup(
      try Phone(target, .rider),
      (first..<(first + peopleEach)).map { LoadPerson(number: $0) }
    )
    var load = RiderLoad()
    let rounds = (signIns + people - 1) / people
    let marks = [signIns / 10, signIns / 2, signIns]
    // The first round fills caches and maps memory.
    for round in 0...rounds {
      if number == 0 { try advance(crew) }
      try gathering.wait()
      crew.prepare(clockOffset: Int64(round + 1) * restSeconds)
      for call in calls {
        try gathering.wait()
        let began = (Stopwatch.seconds, vitals.processorSeconds)
        let times = try crew.perform(call)
        try gathering.wait()
        if call == .request { try crew.readCodes() }
        guard round > 0 else { continue }
        load.stages[call, default: Stage()].times.add(times)
        guard number == 0 else { continue }
        load.stages[call]?.seconds += Stopwatch.seconds - began.0
        load.stages[call]?.processorSeconds += vitals.processorSeconds - began.1
      }
      guard number == 0 else { continue }
      for mark in marks where (round - 1) * people < mark && mark <= round * people {
        load.memory.append(Memory(signIns: mark, mebibytes: vitals.residentMebibytes))
      }
    }
    return load
  }

  private static func advance(_ crew: RiderGroup) throws(BenchFault) {
    let answer = try crew.phone.ask(
      "POST", Endpoint.developmentClock.path, ClockBody { $0.advanceSeconds = restSeconds }.json
    )
    guard answer["now"]?.number != nil else { throw BenchFault("the clock did not move") }
  }
}

/// The riders of one connection.
///
/// They use one device in turn.
private final class RiderGroup {
  let phone: Phone
  private let people: [LoadPerson]
  private var proofs: [Phone.Call: [String]] = [:]
  private var challenges: [JSON] = []
  private var codes: [String] = []
  private var authorizationCodes: [String] = []
  /// The start of this round on the server's clock.
  private var began: Int64 = 0

  init(_ phone: Phone, _ people: [LoadPerson]) {
    self.phone = phone
    self.people = people
  }

  /// Makes the proofs beforehand, because a phone has its own processor.
  func prepare(clockOffset: Int64) {
    phone.clockOffset = clockOffset
    began = phone.unixSeconds
    for call in RiderLoad.calls {
      let path = call == .token ? Endpoint.token.path : Endpoint.challenge.path
      proofs[call] = phone.proofs(path, count: people.count)
    }
    challenges = []
    codes = []
    authorizationCodes = []
  }

  /// Sends the request for each person, one after another.
  func perform(_ call: Phone.Call) throws(BenchFault) -> Sample {
    _ = phone.takeTimes()
    for (index, person) in people.enumerated() {
      let proof = proofs[call]?[index]
      switch call {
      case .request:
        challenges.append(try phone.askForCode(phone: person.phone, proof: proof))
      case .code:
        let proved = try phone.verify(challenges[index], codes[index], proof: proof)
        guard let answer = AuthorizationCodeAnswer(json: proved) else {
          throw phone.unexpected(proved)
        }
        authorizationCodes.append(answer.code.revealed)
      case .token:
        let tokens = try phone.redeem(authorizationCodes[index], proof: proof)
        guard tokens["access_token"] != nil else { throw phone.unexpected(tokens) }
      case .password, .jobs: preconditionFailure("riders have no such request")
      }
    }
    return phone.takeTimes()[call] ?? Sample()
  }

  func readCodes() throws(BenchFault) {
    for person in people { codes.append(try phone.readCode(of: person.phone, since: began)) }
  }
}
