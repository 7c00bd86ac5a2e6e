import SignInModel
import SignInWire

/// Checks whether a decision can be recorded now (L-46).
///
/// Reading does not show that a full disk accepts writes, so a record is written and committed.
/// Callers share the result for a second. Even many callers cause only one small write per second.
public actor ReadinessCheck {
  private var last: ReadinessResult?
  private var active: Task<Bool, Never>?

  public init() {}

  public func isReady(in world: World) async -> Bool {
    if let last, last.isCurrent(at: world.clock.now()) { return last.isReady }
    if let active { return await active.value }
    let began = world.clock.now()
    let task = Task { await recordReadiness(in: world) }
    active = task
    let isReady = await task.value
    last = ReadinessResult(isReady: isReady, checkedAt: began)
    active = nil
    return isReady
  }
}

/// The result of a check, and the time for which it is valid.
struct ReadinessResult: Equatable, Sendable {
  let isReady: Bool
  let checkedAt: Instant

  func isCurrent(at now: Instant) -> Bool {
    let age = now.milliseconds - checkedAt.milliseconds
    return (0..<ReadinessLimits.pauseMilliseconds).contains(age)
  }
}

/// Whether the store has just accepted a record.
func recordReadiness(in world: World) async -> Bool {
  let now = world.clock.now()
  do throws(Refusal) {
    try await world.decide(about: []) { (transaction: any ReadinessRecords) throws in
      try transaction.saveReadiness(at: now)
    }
    return true
  } catch {
    return false
  }
}
