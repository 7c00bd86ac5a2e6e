/// Decides whom to ask to carry one message, in which order, and when to stop (R-12, L-06).
///
///     asking ──took charge─────────────▶ handed over
///       ├──nobody can tell──▶ asking the same once more, if it recognises the message
///       ├──did not take it──▶ asking the next ──nobody is left──▶ resting, or failed
///       └──nobody ever will─▶ failed
///
/// Another carrier is asked only when the one before surely did not take the message, or left us
/// without an answer. So a message arrives twice only from a carrier that took it and did not say
/// so; of those that cannot recognise a repetition, at most `doubtLimit` are asked like that.
public struct HandOver: Equatable, Sendable {
  /// Answers that never came from carriers that cannot recognise a repetition.
  public static let doubtLimit: Int64 = 2
  public static let longestRestSeconds: Int64 = 15

  public struct Carrier: Equatable, Sendable {
    /// Its place in the order of all carriers.
    public let index: Int
    /// Whether it takes one message once, however often it is given.
    public let knowsRepetitions: Bool

    public init(index: Int, knowsRepetitions: Bool) {
      self.index = index
      self.knowsRepetitions = knowsRepetitions
    }
  }

  public enum Answer: Equatable, Sendable {
    case tookCharge
    /// Surely not taken; perhaps after this time.
    case retry(afterSeconds: Int64)
    /// Nobody can tell whether it was taken.
    case unclear
    /// This carrier never will; another may.
    case otherCarrier
    /// Nobody ever will.
    case never
  }

  public enum Step: Equatable, Sendable {
    case ask(Carrier)
    case settleHandedOver
    /// Nobody can take it just now.
    case rest(seconds: Int64)
    case settleFailed
  }

  /// Those still to be asked this time; the first is being asked.
  private var left: [Carrier]
  private var isAskedAgain = false
  private let roundSeconds: Int64
  /// After how long somebody may take it; nil while nobody may.
  private var restSeconds: Int64?
  /// Answers that never came, as above, in this round and the ones before.
  public private(set) var doubts: Int64
  /// Who may have taken the message without saying so, and would recognise it.
  public private(set) var unclear: Carrier?

  /// - Parameters:
  ///   - carriers: Whom to ask, in order.
  ///   - round: 1 for the first time this message is taken up; waits double with it.
  ///   - doubts: Answers that never came before this round.
  public init(carriers: [Carrier], round: Int64, doubts: Int64) {
    left = carriers
    self.doubts = doubts
    roundSeconds = min(1 << max(0, min(round - 1, 10)), Self.longestRestSeconds)
  }

  /// Whom to ask first.
  public func begin() -> Step {
    guard let first = left.first, doubts < Self.doubtLimit else { return .settleFailed }
    return .ask(first)
  }

  public mutating func handle(_ answer: Answer) -> Step {
    guard let asked = left.first else { return .settleFailed }
    switch answer {
    case .tookCharge: return .settleHandedOver
    case .never: return .settleFailed
    case .otherCarrier: if unclear == asked { unclear = nil }
    case .retry(let seconds):
      if unclear == asked { unclear = nil }
      restSeconds = min(restSeconds ?? seconds, seconds)
    case .unclear:
      restSeconds = min(restSeconds ?? 0, 0)
      if asked.knowsRepetitions {
        unclear = asked
        if !isAskedAgain {
          isAskedAgain = true
          return .ask(asked)
        }
      } else {
        doubts += 1
      }
    }
    left.removeFirst()
    isAskedAgain = false
    if doubts >= Self.doubtLimit { return .settleFailed }
    if let next = left.first { return .ask(next) }
    guard let restSeconds else { return .settleFailed }
    return .rest(seconds: max(restSeconds, roundSeconds))
  }
}
