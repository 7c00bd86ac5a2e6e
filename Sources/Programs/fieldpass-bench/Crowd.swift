import Threads

/// The same work on several threads at once, for a time.
enum Crowd {
  struct Outcome<Part: Sendable>: Sendable {
    let parts: [Part]
    let seconds: Double
  }

  /// Runs `body` once on each thread; the fault of one is the fault of all.
  ///
  /// It is given the thread's number, and asks before each round whether there is time for another.
  static func run<Part: Sendable>(
    threads: Int, seconds: Double,
    _ body: @escaping @Sendable (Int, () -> Bool) throws(BenchFault) -> Part
  ) throws(BenchFault) -> Outcome<Part> {
    let parts = Monitor<[Part]>([])
    let faults = Monitor<[BenchFault]>([])
    let began = Stopwatch.seconds
    let workers = (0..<threads).map { number in
      WorkerThread {
        do throws(BenchFault) {
          let part = try body(number) { Stopwatch.seconds - began < seconds }
          parts.withLock { $0.append(part) }
        } catch {
          let fault = error
          faults.withLock { $0.append(fault) }
        }
      }
    }
    for worker in workers { worker.join() }
    let took = Stopwatch.seconds - began
    if let fault = faults.withLock({ $0.first }) { throw fault }
    return Outcome(parts: parts.withLock { $0 }, seconds: took)
  }

  /// How often `body` can be done in a second by `threads` threads.
  static func rate(
    threads: Int, seconds: Double, _ body: @escaping @Sendable (Int) -> Void
  ) throws(BenchFault) -> Double {
    let outcome: Outcome<Int> = try run(threads: threads, seconds: seconds) { number, hasTime in
      var rounds = 0
      while hasTime() {
        body(number)
        rounds += 1
      }
      return rounds
    }
    return Double(outcome.parts.reduce(0, +)) / outcome.seconds
  }
}
