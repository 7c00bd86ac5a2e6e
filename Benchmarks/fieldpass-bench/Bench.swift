import Glibc
import JSONText
import SignInWire
import Threads

/// Measures the machine and the server on it in one run.
struct Bench {
  static let connectionCounts = [1, 16, 64]
  /// The share of busy hashing threads while technicians arrive as on a busy day.
  ///
  /// The matching load is found by trying, because a hash takes longer beside the other work of the
  /// processors than alone.
  static let busyShare = 0.8
  static let busyTolerance = 0.04
  /// An excessive load, as a multiple of the machine's hashing rate.
  static let excessiveShare = 2.0

  let program: String
  let size: BenchSize
  let folder: String
  let server: ServerProcess
  /// The number of the next load account that no phase has used.
  let people = Monitor<Int>(1)

  var phaseSeconds: Double { size.phaseSeconds }

  init(server program: String, folder: String, size: BenchSize) {
    self.program = program
    self.folder = folder
    self.size = size
    server = ServerProcess(program: program, folder: folder)
  }

  /// Measures everything, and prints each table when its figures are there.
  ///
  /// A measurement that fails does not stop those after it. The run then fails at its end.
  func run() throws(BenchFault) {
    defer { server.stop() }
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    // The better of two measurements is the limit, because other programs may have run during one
    // of them.
    let limits = try measureMachine().best(with: try measureMachine())
    limits.print("before the load")
    let start = try measureStart()
    start.print(webSize)
    var bars: [Bar] = []
    var failed = 0
    for part in Part.allCases {
      do throws(BenchFault) { bars += try measure(part, limits) } catch {
        failed += 1
        complain(error.what, hint: error.hint)
      }
    }
    try measureMachine().print("after the load")
    Bar.print(bars)
    if failed > 0 {
      throw BenchFault(
        "\(failed) measurements failed", hint: "their messages are above, at their places")
    }
  }

  /// The measurements in their order.
  private enum Part: CaseIterable {
    case technicians, streams, arrivals, enumeration, riders, hostile, messages, providers,
      administrators, copies, coldStart
  }

  /// Measures one part, prints its tables and returns its bars.
  private func measure(_ part: Part, _ limits: MachineLimits) throws(BenchFault) -> [Bar] {
    switch part {
    case .technicians: return try measureTechniciansAlone(limits)
    case .streams:
      // The server stops at the end of this measurement.
      try keepStreams().print()
      return []
    case .arrivals:
      try server.startAgain()
      let arrivals = try measureArrivals(limits)
      arrivals.print(limits)
      return arrivals.bars
    case .enumeration:
      try server.startAgain()
      let enumeration = try compareTiming()
      enumeration.print()
      return enumeration.bars
    case .riders:
      try server.startAgain()
      let riders = try measureRiders()
      riders.print(beside: limits)
      riders.printMemory()
      return riders.bars(beside: limits) + [riders.memoryBar]
    case .hostile:
      try server.startAgain()
      let hostile = try measureHostile()
      hostile.print()
      return hostile.bars
    case .messages:
      server.stop()
      let messages = try measureMessages()
      messages.print(beside: limits)
      return messages.bars
    case .providers:
      let providers = try measureProviders()
      providers.print(beside: limits)
      return providers.bars
    case .administrators:
      let administrators = try measureAdministrators()
      administrators.print()
      return administrators.bars
    case .copies:
      let copies = try OfflineCopyTimes.measureAll()
      OfflineCopyTimes.print(copies)
      return copies.map(\.bar)
    case .coldStart:
      let coldStart = try ColdStart.measure(in: folder)
      coldStart.print()
      return [coldStart.bar]
    }
  }

  private func measureTechniciansAlone(_ limits: MachineLimits) throws(BenchFault) -> [Bar] {
    let bare = try measureBareRequests()
    bare.print()
    let technicians = try measureTechnicians()
    technicians.print(beside: limits, bareRequestSeconds: bare.seconds)
    return technicians.bars + SteadyLoad.bars(measureSteadyLoads(technicians))
  }

  /// Sends the requests of a working day at a share of the rate that was measured, and prints the
  /// table.
  ///
  /// A load that fails is reported and has no times.
  private func measureSteadyLoads(_ technicians: TechnicianLoad) -> [SteadyLoad] {
    let (target, people) = (server.target, people)
    let loads: [SteadyLoad] = technicians.busiestRates.map { request, rate in
      let share = rate * SteadyLoad.shareOfCapacity
      note("\(request.name), \(Figure.count(share)) per second …")
      do throws(BenchFault) {
        return try SteadyLoad.measure(request, rate: share, seconds: phaseSeconds, target) {
          () throws(BenchFault) in try Self.nextPerson(people)
        }
      } catch {
        complain(error.what, hint: error.hint)
        return SteadyLoad(request: request, rate: share, times: Sample())
      }
    }
    SteadyLoad.print(loads)
    return loads
  }

  /// Measures technicians only: sign-in, reading and refreshing.
  ///
  /// A short run of it compares two servers, one after the other and again.
  func runTechnicians() throws(BenchFault) {
    defer { server.stop() }
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    let before = try measureMachine()
    try server.start()
    try server.makePeople()
    let technicians = try measureTechnicians()
    technicians.print(beside: before)
    Bar.print(technicians.bars + SteadyLoad.bars(measureSteadyLoads(technicians)))
  }

  private func measureTechnicians() throws(BenchFault) -> TechnicianLoad {
    var load = TechnicianLoad()
    for connections in Self.connectionCounts { load.signIns.append(try signIn(connections)) }
    for what in Phone.Reading.allCases {
      for connections in Self.connectionCounts { load.reading.append(try read(what, connections)) }
    }
    for connections in Self.connectionCounts { load.refreshing.append(try refresh(connections)) }
    return load
  }

  /// Measures riders only, together with the machine.
  func runRiders() throws(BenchFault) {
    defer { server.stop() }
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    let before = try measureMachine()
    try server.start()
    try server.makePeople()
    let riders = try measureRiders()
    server.stop()
    let limits = before.best(with: try measureMachine())
    riders.print(beside: limits)
    riders.printMemory()
    Bar.print(riders.bars(beside: limits))
  }

  /// Measures only what happens in an app: the start of a Swift app, and the opening of a copy.
  func runClient() throws(BenchFault) {
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    let copies = try OfflineCopyTimes.measureAll()
    OfflineCopyTimes.print(copies)
    let coldStart = try ColdStart.measure(in: folder)
    coldStart.print()
    Bar.print(copies.map(\.bar) + [coldStart.bar])
  }

  /// Measures hostile requests only.
  func runHostile() throws(BenchFault) {
    defer { server.stop() }
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    try server.start()
    let hostile = try measureHostile()
    hostile.print()
    Bar.print(hostile.bars)
  }

  private func measureHostile() throws(BenchFault) -> HostileLoad {
    note("Sending hostile requests …")
    return try HostileLoad.measure(server)
  }

  private func measureRiders() throws(BenchFault) -> RiderLoad {
    note("Signing riders in, \(size.riderSignIns) times …")
    return try RiderLoad.measure(server, signIns: size.riderSignIns)
  }

  /// Measures text messages only, together with the machine.
  func runMessages() throws(BenchFault) {
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    let before = try measureMachine()
    let messages = try measureMessages()
    messages.print(beside: before.best(with: try measureMachine()))
    Bar.print(messages.bars)
  }

  private func measureMessages() throws(BenchFault) -> MessageFigures {
    note("Sending text messages …")
    let outbox = try OutboxLoad.measure(folder: folder)
    // The two cases alternate, so that other work of the machine affects both equally.
    var (answering, hanging) = (ProviderLoad(), ProviderLoad())
    for round in 0..<size.messageRounds {
      for hangs in [false, true] {
        note("Requesting codes while the first provider \(hangs ? "hangs" : "answers") …")
        let place = "\(folder)/messages-\(round)-\(hangs)"
        let load = try ProviderLoad.measure(
          program: program, folder: place, hangs: hangs, seconds: size.providerSeconds)
        if hangs { hanging.add(load) } else { answering.add(load) }
      }
    }
    return MessageFigures(outbox: outbox, answering: answering, hanging: hanging)
  }

  /// Measures sign-ins at an identity provider only, together with the machine.
  func runProviders() throws(BenchFault) {
    note("Load average before this run: \(Figure.fixed(Self.loadAverage, decimals: 1))")
    let before = try measureMachine()
    let providers = try measureProviders()
    providers.print(beside: before.best(with: try measureMachine()))
    Bar.print(providers.bars)
  }

  private func measureProviders() throws(BenchFault) -> IdentityProviderLoad {
    note("Signing people in at an identity provider …")
    return try IdentityProviderLoad.measure(
      program: program, folder: folder + "/providers", seconds: phaseSeconds,
      rounds: size.identityProviderRounds)
  }

  private func measureMachine() throws(BenchFault) -> MachineLimits {
    note("Measuring the machine …")
    return try MachineLimits.measure(folder: folder, seconds: phaseSeconds / 2)
  }

  /// The average number of programs that wanted a processor in the last minute.
  static var loadAverage: Double {
    let text = TextFile.lines("/proc/loadavg").first ?? ""
    return text.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }

  // MARK: Start

  private func measureStart() throws(BenchFault) -> StartFigures {
    note("Starting the server …")
    try server.start()
    let newSeconds = server.readySeconds
    try server.makePeople()
    var again = Sample()
    for _ in 0..<size.restarts {
      server.stop()
      try server.start()
      again.add(server.readySeconds)
    }
    Stopwatch.pause(milliseconds: 1500)
    let before = server.processorSeconds
    Stopwatch.pause(milliseconds: 2000)
    return StartFigures(
      newDatabaseSeconds: newSeconds,
      knownDatabaseSeconds: again.median,
      idleMebibytes: server.residentMebibytes,
      idleProcessorShare: (server.processorSeconds - before) / 2
    )
  }

  static func nextPerson(_ people: Monitor<Int>) throws(BenchFault) -> LoadPerson {
    let number = people.takeNext()
    guard number <= LoadPerson.limit - RiderLoad.people else {
      throw BenchFault("every load account was used", hint: "measure for fewer seconds")
    }
    return LoadPerson(number: number)
  }

  // MARK: Load

  private func measureBareRequests() throws(BenchFault) -> BareRequests {
    note("Measuring bare requests …")
    let connections = Self.connectionCounts.max() ?? 1
    let port = server.port
    let get: @Sendable (Int, () -> Bool) throws(BenchFault) -> Sample = {
      (_, hasTime) throws(BenchFault) in
      let connection = try HTTPConnection(port: port)
      var sample = Sample()
      while hasTime() {
        let (_, seconds) = try Stopwatch.seconds { () throws(BenchFault) in
          try connection.send("GET", Endpoint.alive.path)
        }
        sample.add(seconds)
      }
      return sample
    }
    let alone = try ParallelLoad.run(threads: 1, seconds: phaseSeconds / 4, get)
    let together = try ParallelLoad.run(threads: connections, seconds: phaseSeconds / 2, get)
    let count = together.parts.reduce(0) { $0 + $1.count }
    return BareRequests(
      connections: connections, rate: Double(count) / together.seconds,
      seconds: alone.parts.first?.median ?? 0
    )
  }

  private func signIn(_ connections: Int) throws(BenchFault) -> SignInLoad {
    note("Signing in over \(connections) connections …")
    let people = people
    let target = server.target
    let before = server.processorSeconds
    let outcome = try ParallelLoad.run(threads: connections, seconds: phaseSeconds) {
      (_, hasTime) throws(BenchFault) -> [Phone.Call: Sample] in
      let phone = try Phone(target)
      while hasTime() {
        try phone.signIn(try Self.nextPerson(people))
        try phone.readJobs()
      }
      return phone.times
    }
    var times: [Phone.Call: Sample] = [:]
    for part in outcome.parts {
      for (call, sample) in part { times[call, default: Sample()].add(sample) }
    }
    let count = Double(max(1, times[.token]?.count ?? 0))
    return SignInLoad(
      connections: connections, rate: count / outcome.seconds, times: times,
      processorSecondsEach: (server.processorSeconds - before) / count,
      residentMebibytes: server.residentMebibytes
    )
  }

  /// Measures reading data after sign-in, which is most of the server's daily work.
  private func read(_ what: Phone.Reading, _ connections: Int) throws(BenchFault) -> ReadingLoad {
    note("\(what.rawValue), over \(connections) connections …")
    let (target, people, length) = (server.target, people, phaseSeconds / 2)
    let signedIn = Monitor<Int>(0)
    let busyBefore = Monitor<Double>(0)
    let outcome = try ParallelLoad.run(threads: connections, seconds: length) {
      (_, _) throws(BenchFault) -> (sample: Sample, seconds: Double) in
      let phone = try Phone(target)
      do throws(BenchFault) {
        try phone.signIn(try Self.nextPerson(people))
        _ = try phone.read(what)
        busyBefore.withLock { $0 = max($0, target.processorSeconds) }
        Self.count(1, in: signedIn)
      } catch {
        Self.count(connections, in: signedIn)
        throw error
      }
      // No reading starts before all sign-ins are done.
      signedIn.wait { $0 >= connections ? () : nil }
      let began = Stopwatch.seconds
      var sample = Sample()
      while Stopwatch.seconds - began < length { sample.add(try phone.read(what)) }
      return (sample, Stopwatch.seconds - began)
    }
    let busy = target.processorSeconds - busyBefore.withLock { $0 }
    var sample = Sample()
    for part in outcome.parts { sample.add(part.sample) }
    let seconds = outcome.parts.map { $0.seconds }.max() ?? 1
    return ReadingLoad(
      what: what, connections: connections, rate: Double(sample.count) / seconds, times: sample,
      processorSecondsEach: busy / Double(max(1, sample.count))
    )
  }

  static func count(_ arrived: Int, in monitor: Monitor<Int>) {
    monitor.withLock { $0 += arrived }
    monitor.wakeAll()
  }

  // MARK: Arrivals

  private func measureArrivals(
    _ limits: MachineLimits
  ) throws(BenchFault) -> Arrivals {
    let people = people
    func come(_ rate: Double) throws(BenchFault) -> OpenLoopLoad.Outcome {
      note("Sending \(Figure.count(rate)) technicians per second …")
      return try OpenLoopLoad(rate: rate, seconds: phaseSeconds).run(server) {
        () throws(BenchFault) in try Self.nextPerson(people)
      }
    }
    // The search stays between a load that is too small and one that is too large.
    var (little, much) = (0.0, Self.excessiveShare * limits.passwordVerifications)
    var rate = Self.busyShare * limits.passwordVerifications
    var busy = try come(rate)
    for _ in 1..<size.busyTries
    where abs(busy.hashingShare - Self.busyShare) > Self.busyTolerance {
      if busy.hashingShare < Self.busyShare { little = rate } else { much = rate }
      rate = min(max(rate * Self.busyShare / max(0.1, busy.hashingShare), little), much)
      if rate == little || rate == much { rate = (little + much) / 2 }
      busy = try come(rate)
    }
    return Arrivals(
      busy: busy, excessive: try come(Self.excessiveShare * limits.passwordVerifications))
  }

  // MARK: Known and unknown accounts

  private func compareTiming() throws(BenchFault) -> Enumeration {
    note("Comparing existing accounts with unknown ones …")
    return try Enumeration.measure(server.target, samples: size.enumerationSamples) {
      () throws(BenchFault) in
      try Self.nextPerson(people)
    }
  }

  // MARK: Web app

  /// `nil` if the web app was not built.
  private var webSize: WebSize? {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let path = parts.joined(separator: "/") + "/web/technician-app/" + WebSize.fileName
    guard let plain = TextFile.size(path), let packed = TextFile.size(path + ".br") else {
      return nil
    }
    return WebSize(plainBytes: plain, brotliBytes: packed)
  }
}
