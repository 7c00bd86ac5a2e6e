import SignInModel
import SignInWire

/// Learns the delivery status of the message with a code, while its screen is visible.
///
///     resting ──due──▶ asking ──answered──▶ resting, longer each time
///        │                └── hidden, code entered, screen left ──▶ resting
///        ▼
///     ended: delivered, failed, code expired, or the limit of requests reached
///
/// If the status is concealed, only the passed time shows that the message is late.
struct DeliveryWatch: Equatable, Sendable {
  /// Seconds before the first status request, and after each one.
  ///
  /// After the last value no request follows.
  static let restsSeconds: [Int64] = [2, 3, 5, 8, 13, 21, 34, 55, 55, 55]
  /// If there is no update for this long, the message may be late.
  static let overdueSeconds: Int64 = 30
  /// A later answer is useless, because the next request gets the same information.
  static let timeoutSeconds: Int64 = 10

  private enum State: Equatable, Sendable {
    case resting(until: Instant)
    case asking(RequestID)
    case ended
    /// The server reveals no delivery status for these messages.
    case concealed
  }

  /// When the app learned that the message was sent.
  let sentAt: Instant
  private let isCall: Bool
  private var state: State
  private var questions = 0
  private var isHidden = false
  /// What the server said last.
  private(set) var told: CodePrompt.Delivery?
  /// Whether the server can also call the phone and read the code out.
  private(set) var canCall = false

  init(of prompt: CodePrompt, at now: Instant) {
    sentAt = now
    isCall = prompt.channel == CodePrompt.voice
    state = .resting(until: now.adding(seconds: Self.restsSeconds[0]))
  }

  /// Creates the watch for a message with a concealed status.
  ///
  /// The server conceals it, because it would reveal which accounts exist.
  static func concealed(of prompt: CodePrompt, at now: Instant) -> DeliveryWatch {
    var watch = DeliveryWatch(of: prompt, at: now)
    watch.state = .concealed
    return watch
  }

  /// Creates the watch for the next message of the same screen.
  func next(_ prompt: CodePrompt, at now: Instant) -> DeliveryWatch {
    if isConcealed { return .concealed(of: prompt, at: now) }
    var watch = DeliveryWatch(of: prompt, at: now)
    watch.isHidden = isHidden
    watch.canCall = canCall
    return watch
  }

  func isFor(_ id: RequestID) -> Bool { state == .asking(id) }

  /// Whether the server reveals no delivery status for these messages.
  var isConcealed: Bool { state == .concealed }

  /// When the message is late if there is no update.
  var overdueAt: Instant { sentAt.adding(seconds: Self.overdueSeconds) }

  /// The status to show; `nil` if there is nothing to say.
  func update(at now: Instant) -> DeliveryUpdate? {
    let isOverdue = now >= overdueAt
    let status: DeliveryUpdate.State? =
      switch told {
      case nil: isOverdue ? .overdue : nil
      case .sending: .sending
      case .sent: isOverdue ? .overdue : .sent
      case .delivered: .delivered
      case .delayed: .delayed
      case .failed: .failed
      }
    return status.map { DeliveryUpdate(status: $0, isCall: isCall) }
  }

  // MARK: Status requests

  /// Sends the status request `call` if it is due.
  mutating func tick(_ call: Call, until expiry: Instant, _ context: inout FlowContext) -> [Effect]
  {
    guard case .resting(let until) = state, until <= context.now, !isHidden else { return [] }
    guard context.now < expiry, questions < Self.restsSeconds.count else {
      state = .ended
      return []
    }
    questions += 1
    let (id, effect) = context.start(call)
    state = .asking(id)
    return [effect]
  }

  /// Cancels the running status request, because the app is hidden or sends another request.
  mutating func pause(_ context: inout FlowContext) -> [Effect] {
    guard case .asking(let id) = state else { return [] }
    state = .resting(until: context.now)
    context.forget(id)
    return [.cancelCall(id)]
  }

  mutating func hide(_ context: inout FlowContext) -> [Effect] {
    guard state != .ended, !isConcealed else { return [] }
    isHidden = true
    return pause(&context)
  }

  mutating func show() { isHidden = false }

  // MARK: Answers

  /// Handles the answer, and returns the challenge in it.
  mutating func answered(_ answer: Answer, at now: Instant) -> CodePrompt? {
    rest(from: now)
    guard let error = answer.error else { return nil }
    guard let prompt = error.challenge, let delivery = prompt.delivery else {
      // The sign-in has ended or is paused. The next code that the person enters gets the reason.
      if (400..<500).contains(answer.status ?? 0) { state = .ended }
      return nil
    }
    canCall = prompt.channels.contains(CodePrompt.voice)
    told = delivery
    if delivery == .delivered || delivery == .failed { state = .ended }
    return prompt
  }

  private mutating func rest(from now: Instant) {
    guard questions < Self.restsSeconds.count else {
      state = .ended
      return
    }
    state = .resting(until: now.adding(seconds: Self.restsSeconds[questions]))
  }
}

/// The delivery status of the message with the code, as the screen shows it.
public struct DeliveryUpdate: Equatable, Sendable {
  public enum State: Equatable, Sendable {
    case sending
    case sent
    /// The message should have arrived, but no receipt says so.
    case overdue
    /// A receipt says that the delivery takes longer.
    case delayed
    case delivered
    case failed

    /// Whether the person is told of it when it begins.
    ///
    /// The screen has already said that the message was sent.
    package var isReported: Bool {
      switch self {
      case .sending, .sent, .overdue: false
      case .delayed, .delivered, .failed: true
      }
    }
  }

  public let status: State
  /// Whether the code is read out in a call instead of sent in a message.
  public let isCall: Bool
  /// Whether the person typed the number and can change it here.
  public var canChangeNumber = false
}
