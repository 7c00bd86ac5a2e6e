import SignInHTTP
import SignInRules
import SystemPorts
import Threads

/// Compares the machine's clocks regularly and logs a warning if the wall clock was set.
final class ClockWorker: Sendable {
  static let pauseMilliseconds: Int64 = 1000

  private let task: Task<Void, Never>

  init(_ clock: MachineClock, log: LineQueue) {
    task = Task.detached {
      while !Task.isCancelled {
        await clock.pause(milliseconds: Self.pauseMilliseconds)
        guard let jump = clock.follow() else { continue }
        let seconds = clock.differenceMilliseconds / 1000 * SteadiedTime.slewDivisor
        log.write(
          LogLine.warning(
            "the machine's clock was set by \(jump) ms; the server follows within \(seconds) s, "
              + "or at once when it is restarted", at: clock.now()
          ))
      }
    }
  }

  func stop() async {
    task.cancel()
    await task.value
  }
}
