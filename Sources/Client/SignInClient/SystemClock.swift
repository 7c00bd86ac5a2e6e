import Foundation
package import SignInModel

/// The clocks of this device.
package struct SystemClock: DeviceClock {
  /// The longest pause.
  ///
  /// A caller that wants to wait longer calls again.
  static let longestPauseSeconds: Int64 = 24 * 60 * 60

  package init() {}

  package func now() -> Instant {
    Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
  }

  package func steadyMilliseconds() -> Int64 {
    Int64(ProcessInfo.processInfo.systemUptime * 1000)
  }

  package func pause(seconds: Int64) async {
    let seconds = seconds.clamped(to: 0...Self.longestPauseSeconds)
    do { try await Task.sleep(nanoseconds: UInt64(seconds) * 1_000_000_000) } catch {
      // A cancelled task continues early, as the protocol requires.
      return
    }
  }
}
