import Threads

/// Measures renewals of sessions and requests that wait for account updates.
extension Bench {
  /// The maximum number of waiting requests of one session.
  static let streamsPerSession = 8
  /// Password hashing limits the sign-ins, so that more threads would not help.
  static let streamThreads = 32

  func refresh(_ connections: Int) throws(BenchFault) -> RefreshLoad {
    note("Renewing sessions over \(connections) connections …")
    let (target, people, length) = (server.target, people, phaseSeconds / 2)
    let signedIn = Monitor<Int>(0)
    let before = Monitor<Double>(0)
    let outcome = try ParallelLoad.run(threads: connections, seconds: length) {
      (_, _) throws(BenchFault) -> (sample: Sample, seconds: Double) in
      let phone = try Phone(target)
      do throws(BenchFault) {
        try phone.signIn(try Self.nextPerson(people))
        Self.count(1, in: signedIn)
      } catch {
        Self.count(connections, in: signedIn)
        throw error
      }
      // No renewal starts before all sign-ins are done, and their work is not counted.
      signedIn.wait { $0 >= connections ? () : nil }
      before.withLock { if $0 == 0 { $0 = target.processorSeconds } }
      var sample = Sample()
      let began = Stopwatch.seconds
      while Stopwatch.seconds - began < length { sample.add(try phone.refresh()) }
      return (sample, Stopwatch.seconds - began)
    }
    let used = server.processorSeconds - before.withLock { $0 }
    var sample = Sample()
    for part in outcome.parts { sample.add(part.sample) }
    let seconds = outcome.parts.map { $0.seconds }.max() ?? 1
    return RefreshLoad(
      connections: connections, rate: Double(sample.count) / seconds, times: sample,
      processorSecondsEach: used / Double(max(1, sample.count))
    )
  }

  /// Stops the server at the end, because the time to answer all waiting requests is measured too.
  func keepStreams() throws(BenchFault) -> StreamFigures {
    let count = size.streamSessions * Self.streamsPerSession
    note("Signing \(size.streamSessions) phones in for \(count) waiting requests …")
    EventStreams.prepare()
    let (target, people) = (server.target, people)
    let waiting = Monitor<Int>(size.streamSessions)
    let outcome = try ParallelLoad.run(threads: Self.streamThreads, seconds: phaseSeconds) {
      (_, _) throws(BenchFault) -> [WaitingCalls] in
      var calls: [WaitingCalls] = []
      while Self.takeOne(of: waiting) {
        let phone = try Phone(target)
        try phone.signIn(try Self.nextPerson(people))
        calls.append(try phone.waitingCalls())
      }
      return calls
    }
    note("Opening the waiting requests …")
    Stopwatch.pause(milliseconds: 1500)
    let before = server.residentMebibytes
    let streams = EventStreams()
    let (_, opening) = try Stopwatch.seconds { () throws(BenchFault) in
      for calls in outcome.parts.joined() {
        for _ in 0..<Self.streamsPerSession { try streams.open(calls.request, port: target.port) }
      }
    }
    Stopwatch.pause(milliseconds: 2000)
    let resident = server.residentMebibytes
    let used = server.processorSeconds
    Stopwatch.pause(milliseconds: size.streamIdleSeconds * 1000)
    let idle = (server.processorSeconds - used) / Double(size.streamIdleSeconds)
    let early = streams.answered
    let (_, stopping) = Stopwatch.seconds { server.stop() }
    return StreamFigures(
      count: streams.count, answeredEarly: early, openingSeconds: opening,
      kilobytesEach: (resident - before) * 1_048_576 / 1000 / Double(max(1, streams.count)),
      idleProcessorShare: idle, stoppingSeconds: stopping, answeredAtStop: streams.awaitAnswers()
    )
  }

  private static func takeOne(of waiting: Monitor<Int>) -> Bool {
    waiting.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}
