import Foundation
public import SignInModel

/// The device's own clock.
public struct SystemClock: DeviceClock {
  public init() {}

  public func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

  public func steadyMilliseconds() -> Int64 {
    Int64(ProcessInfo.processInfo.systemUptime * 1000)
  }

  public func pause(seconds: Int64) async {
    do { try await Task.sleep(nanoseconds: UInt64(max(0, seconds)) * 1_000_000_000) } catch {
      // A cancelled task wakes early, as the port promises.
      return
    }
  }
}
