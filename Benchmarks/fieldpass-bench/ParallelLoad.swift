import Threads

/// Runs the same work on several threads for a time.
enum ParallelLoad {
  struct Outcome<Part: Sendable>: Sendable {
    let parts: [Part]
    let seconds: Double
  }

  /// Runs `body` once on each thread.
  ///
  /// A fault of one thread is the fault of the run.
  ///
  /// `body` gets the thread's number and a function that says whether there is time for another
  /// round.
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

  /// The number of times per second that `threads` threads can do `body`.
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

extension Monitor<Int> {
  /// The next number of a count that several threads share.
  func takeNext() -> Int {
    withLock { number in
      defer { number += 1 }
      return number
    }
  }
}
