import SignInModel
public import SignInRules
import SignInWire

/// Whether a server can work now.
public enum Readiness: Equatable, Sendable {
  case ready
  /// A decision could not be recorded.
  case cannotRecord
  /// The proof of a request could not be recorded, so requests with a proof are refused.
  case cannotRecordProof
  /// The clock of the database differs too much from that of the server.
  case clockDiffers
}

/// Checks whether a decision can be recorded now (L-46), and compares the clock of the server with
/// that of its database.
///
/// Reading does not show that a full disk accepts writes, so a record is written and committed.
/// Callers share the result for a second. Even many callers cause only one small write per second.
public actor ReadinessCheck {
  private var last: ReadinessResult?
  private var active: Task<Readiness, Never>?

  public init() {}

  public func readiness(in world: World) async -> Readiness {
    if let last, last.isCurrent(at: world.clock.now()) { return last.readiness }
    if let active { return await active.value }
    let began = world.clock.now()
    let task = Task { await recordReadiness(in: world) }
    active = task
    let readiness = await task.value
    last = ReadinessResult(readiness: readiness, checkedAt: began)
    active = nil
    return readiness
  }
}

/// The result of a check, and the time for which it is valid.
struct ReadinessResult: Equatable, Sendable {
  let readiness: Readiness
  let checkedAt: Instant

  func isCurrent(at now: Instant) -> Bool {
    let age = now.milliseconds - checkedAt.milliseconds
    return (0..<ReadinessLimits.pauseMilliseconds).contains(age)
  }
}

/// Records that the check was made, and compares the clocks.
func recordReadiness(in world: World) async -> Readiness {
  let clock = world.clock
  let now = clock.now()
  let comparison: ClockComparison?
  do throws(Refusal) {
    comparison = try await world.decide(about: []) { (transaction: any ReadinessRecords) throws in
      try transaction.saveReadiness(at: now)
      return try transaction.comparedClocks(with: clock)
    }
  } catch {
    return .cannotRecord
  }
  guard await world.proofs.isReady() else { return .cannotRecordProof }
  guard let comparison, !comparison.isWithinLimit else { return .ready }
  world.reportFault(comparison.text)
  return .clockDiffers
}

extension ReadinessRecords {
  /// Compares the clock of this server with that of the database.
  ///
  /// - Returns: `nil` if the database has no clock of its own.
  public func comparedClocks(with clock: any Clock) throws(StoreFault) -> ClockComparison? {
    let before = clock.unmovedNow()
    guard let database = try databaseTime() else { return nil }
    return ClockComparison(before: before, database: database, after: clock.unmovedNow())
  }
}
