/// Decides which messengers to try for one message, in which order, and when to stop (R-12, L-06).
///
///     trying ──accepted──────▶ handed over
///       ├──no answer─────▶ trying the same messenger again, if it detects repeated messages
///       ├──not accepted──▶ trying the next messenger ──none left──▶ pausing, or failed
///       └──impossible────▶ failed
///
/// The next messenger is tried only if the one before did not accept the message or did not answer.
/// So a person gets a message twice only if a messenger accepted it without an answer. At most
/// `unclearLimit` messengers that do not detect repeated messages may leave an unclear answer.
public struct HandOver: Equatable, Sendable {
  /// The most missing answers from messengers that do not detect repeated messages.
  public static let unclearLimit: Int64 = 2
  public static let longestRestSeconds: Int64 = 15

  public struct Candidate: Equatable, Sendable {
    /// The position in the order of all messengers.
    public let index: Int
    /// Whether the messenger sends a message only once, even if it gets the message several times.
    public let deduplicatesMessages: Bool

    public init(index: Int, deduplicatesMessages: Bool) {
      self.index = index
      self.deduplicatesMessages = deduplicatesMessages
    }
  }

  public enum Answer: Equatable, Sendable {
    case accepted
    /// The message was not accepted.
    ///
    /// Try this messenger again after this time.
    case retry(afterSeconds: Int64)
    /// It is unknown whether the message was accepted.
    case unclear
    /// This messenger can never send the message, but another one may.
    case otherMessenger
    /// No messenger can ever send the message.
    case never
  }

  public enum Step: Equatable, Sendable {
    case ask(Candidate)
    case settleHandedOver
    /// No messenger can accept the message at this time.
    case wait(seconds: Int64)
    case settleFailed
  }

  /// The messengers that are still to be tried in this round.
  ///
  /// The first one is being tried.
  private var left: [Candidate]
  private var isAskedAgain = false
  private let roundSeconds: Int64
  /// The time until a messenger may accept the message.
  ///
  /// It is `nil` if no messenger asked for a retry.
  private var restSeconds: Int64?
  /// Missing answers, as in `unclearLimit`, in this round and the rounds before.
  public private(set) var unclearCount: Int64
  /// The messenger that may have accepted the message without an answer, and that detects
  /// repetitions.
  public private(set) var unclear: Candidate?

  /// Starts one round.
  ///
  /// - Parameters:
  ///   - candidates: The messengers to try, in order.
  ///   - round: 1 for the first round of this message. The pause doubles with each round.
  ///   - unclearCount: The missing answers of earlier rounds.
  public init(candidates: [Candidate], round: Int64, unclearCount: Int64) {
    left = candidates
    self.unclearCount = unclearCount
    roundSeconds = min(1 << max(0, min(round - 1, 10)), Self.longestRestSeconds)
  }

  /// The first messenger to try.
  public func begin() -> Step {
    guard let first = left.first, unclearCount < Self.unclearLimit else {
      return .settleFailed
    }
    return .ask(first)
  }

  public mutating func handle(_ answer: Answer) -> Step {
    guard let asked = left.first else { return .settleFailed }
    switch answer {
    case .accepted: return .settleHandedOver
    case .never: return .settleFailed
    case .otherMessenger: if unclear == asked { unclear = nil }
    case .retry(let seconds):
      if unclear == asked { unclear = nil }
      restSeconds = min(restSeconds ?? seconds, seconds)
    case .unclear:
      restSeconds = min(restSeconds ?? 0, 0)
      if asked.deduplicatesMessages {
        unclear = asked
        if !isAskedAgain {
          isAskedAgain = true
          return .ask(asked)
        }
      } else {
        unclearCount += 1
      }
    }
    left.removeFirst()
    isAskedAgain = false
    if unclearCount >= Self.unclearLimit { return .settleFailed }
    if let next = left.first { return .ask(next) }
    guard let restSeconds else { return .settleFailed }
    return .wait(seconds: max(restSeconds, roundSeconds))
  }
}
