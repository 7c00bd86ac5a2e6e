import Glibc
import Threads

/// Requests of signed-in phones that come independently of the server's speed (an open loop), at a
/// share of its measured capacity.
///
/// A closed loop sends the next request only after an answer, so a slow moment of the server delays
/// the load too, and few requests see it. Here each request is timed from the moment when it was
/// due.
struct SteadyLoad {
  enum Request {
    case read(Phone.Reading)
    case refresh

    var name: String {
      switch self {
      case .read(let what): what.rawValue
      case .refresh: "Renewing a session"
      }
    }
  }

  static let connections = 64
  static let shareOfCapacity = 0.5

  let request: Request
  /// Requests per second.
  let rate: Double
  /// From the moment when each request was due.
  let times: Sample

  /// Sends requests at this rate, after every phone has signed in and sent one.
  static func measure(
    _ request: Request, rate: Double, seconds: Double, _ target: ServerProcess.Target,
    next: @escaping @Sendable () throws(BenchFault) -> LoadPerson
  ) throws(BenchFault) -> SteadyLoad {
    let due = OpenLoopLoad.moments(rate: rate, seconds: seconds)
    let (signedIn, taken) = (Monitor<Int>(0), Monitor<Int>(0))
    let start = Monitor<Double?>(nil)
    let outcome = try ParallelLoad.run(threads: connections, seconds: .infinity) {
      (_, _) throws(BenchFault) -> Sample in
      let phone = try Phone(target)
      do throws(BenchFault) {
        try phone.signIn(try next())
        _ = try phone.perform(request)
        Bench.count(1, in: signedIn)
      } catch {
        Bench.count(connections, in: signedIn)
        throw error
      }
      signedIn.wait { $0 >= connections ? () : nil }
      let began = start.withLock { start in
        let began = start ?? Stopwatch.seconds + 0.2
        start = began
        return began
      }
      var sample = Sample()
      while true {
        let number = taken.takeNext()
        guard number < due.count else { return sample }
        let moment = began + due[number]
        let wait = moment - Stopwatch.seconds
        if wait > 0 { usleep(UInt32(wait * 1e6)) }
        _ = try phone.perform(request)
        sample.add(Stopwatch.seconds - moment)
      }
    }
    var times = Sample()
    for part in outcome.parts { times.add(part) }
    return SteadyLoad(request: request, rate: rate, times: times)
  }

  static func print(_ loads: [SteadyLoad]) {
    var table = Table(
      "Half of the rate above, open loop: ms from the moment when a request was due", "",
      "per second", "P50 ms", "P95 ms", "P99 ms", "requests")
    for load in loads {
      table.add(
        load.request.name, Figure.count(load.rate),
        Figure.milliseconds(load.times.quantile(0.5)),
        Figure.milliseconds(load.times.quantile(0.95)),
        Figure.milliseconds(load.times.quantile(0.99)), "\(load.times.count)")
    }
    table.print()
  }

  static func bars(_ loads: [SteadyLoad]) -> [Bar] {
    let (p95, p99) = loads.reduce((0.0, 0.0)) { worst, load in
      (max(worst.0, load.times.quantile(0.95)), max(worst.1, load.times.quantile(0.99)))
    }
    let isMeasured = !loads.isEmpty && loads.allSatisfy { $0.times.count > 0 }
    return [
      Bar(
        "O-05 renewals and reads at half of the capacity, open loop: P95 under 5 ms",
        Figure.milliseconds(p95), isMet: isMeasured && p95 < Bar.steadySeconds),
      Bar(
        "O-05 renewals and reads at half of the capacity, open loop: P99 under 10 ms",
        Figure.milliseconds(p99), isMet: isMeasured && p99 < Bar.steadyTailSeconds),
    ]
  }
}

extension Phone {
  fileprivate func perform(_ request: SteadyLoad.Request) throws(BenchFault) -> Double {
    switch request {
    case .read(let what): try read(what)
    case .refresh: try refresh()
    }
  }
}
