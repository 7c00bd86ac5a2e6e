import SignInModel
import SignInWire

/// Learns what becomes of a code's message, while its screen can be seen.
///
///     resting ──due──▶ asking ──answered──▶ resting, longer each time
///        │                └── hidden, code entered, screen left ──▶ resting
///        ▼
///     over: it arrived, it never will, the code is too old, or it was asked for often enough
///
/// Where nobody may be told, or nobody knows, time alone says that the message is late.
struct DeliveryWatch: Equatable, Sendable {
  /// Before the first question, and after each; with the last of them the questions end.
  static let restsSeconds: [Int64] = [2, 3, 5, 8, 13, 21, 34, 55, 55, 55]
  /// A message of which nothing was heard for this long may be late.
  static let overdueSeconds: Int64 = 30
  /// An answer that comes later than this helps nobody: the next question is as good.
  static let timeoutSeconds: Int64 = 10

  private enum State: Equatable, Sendable {
    case resting(until: Instant)
    case asking(RequestID)
    case over
  }

  private let sentAt: Instant
  private let isCall: Bool
  /// The server tells nothing of these messages.
  private var isBlind = false
  private var state: State
  private var questions = 0
  private var isHidden = false
  private var told: CodePrompt.Delivery?
  /// The server can also read a code out on the telephone.
  private(set) var canCall = false

  init(of prompt: CodePrompt, at now: Instant) {
    sentAt = now
    isCall = prompt.channel == CodePrompt.voice
    state = .resting(until: now.adding(seconds: Self.restsSeconds[0]))
  }

  /// For a message of which the server tells nothing, because that would tell who has an account.
  static func blind(of prompt: CodePrompt, at now: Instant) -> DeliveryWatch {
    var watch = DeliveryWatch(of: prompt, at: now)
    watch.isBlind = true
    watch.state = .over
    return watch
  }

  /// For the next message of the same screen.
  func next(_ prompt: CodePrompt, at now: Instant) -> DeliveryWatch {
    if isBlind { return .blind(of: prompt, at: now) }
    var watch = DeliveryWatch(of: prompt, at: now)
    watch.isHidden = isHidden
    watch.canCall = canCall
    return watch
  }

  func isFor(_ id: RequestID) -> Bool { state == .asking(id) }

  /// Nil while there is nothing to say.
  func news(at now: Instant) -> DeliveryNews? {
    let isOverdue = now >= sentAt.adding(seconds: Self.overdueSeconds)
    let standing: DeliveryNews.Standing? =
      switch told {
      case nil: isOverdue ? .overdue : nil
      case .sending: .sending
      case .sent: isOverdue ? .overdue : .sent
      case .delivered: .delivered
      case .delayed: .delayed
      case .failed: .failed
      }
    return standing.map { DeliveryNews(standing: $0, isCall: isCall) }
  }

  // MARK: Asking

  /// Asks when it is time to, by the call.
  mutating func tick(_ call: Call, until expiry: Instant, _ context: inout FlowContext) -> [Effect]
  {
    var effects: [Effect] = []
    if context.hasJustPassed(sentAt.adding(seconds: Self.overdueSeconds)),
      let news = news(at: context.now), news.standing == .overdue
    {
      effects.append(.announce(.delivery(news)))
    }
    guard case .resting(let until) = state, until <= context.now, !isHidden else { return effects }
    guard context.now < expiry, questions < Self.restsSeconds.count else {
      state = .over
      return effects
    }
    questions += 1
    let (id, effect) = context.start(call)
    state = .asking(id)
    return effects + [effect]
  }

  /// Nobody looks any more, or something else is asked: the question is taken back.
  mutating func pause(_ context: inout FlowContext) -> [Effect] {
    guard case .asking(let id) = state else { return [] }
    state = .resting(until: context.now)
    context.forget(id)
    return [.cancelCall(id)]
  }

  mutating func hide(_ context: inout FlowContext) -> [Effect] {
    guard state != .over else { return [] }
    isHidden = true
    return pause(&context)
  }

  mutating func show() { isHidden = false }

  // MARK: Answers

  /// What was told of the challenge, and what is worth hearing.
  mutating func answered(
    _ answer: Answer, _ context: inout FlowContext
  ) -> (prompt: CodePrompt?, effects: [Effect]) {
    rest(from: context.now)
    guard let error = answer.error else { return (nil, []) }
    guard let prompt = error.challenge, let delivery = prompt.delivery else {
      // The sign-in is over, or rests: the next code that is entered will hear why.
      if (400..<500).contains(answer.status ?? 0) { state = .over }
      return (nil, [])
    }
    canCall = prompt.channels.contains(CodePrompt.voice)
    let before = told
    told = delivery
    if delivery == .delivered || delivery == .failed { state = .over }
    guard before != delivery, let news = news(at: context.now), news.standing.isWorthHearing else {
      return (prompt, [])
    }
    return (prompt, [.announce(.delivery(news))])
  }

  private mutating func rest(from now: Instant) {
    guard questions < Self.restsSeconds.count else {
      state = .over
      return
    }
    state = .resting(until: now.adding(seconds: Self.restsSeconds[questions]))
  }
}

/// What a person is told of a code's message.
public struct DeliveryNews: Equatable, Sendable {
  public enum Standing: Equatable, Sendable {
    case sending
    case sent
    /// Nobody says that it arrived, and it should have.
    case overdue
    /// Somebody says that it takes longer.
    case delayed
    case delivered
    case failed

    /// Whether those who do not look must hear of it: who was told that it was sent need not be
    /// told so again.
    var isWorthHearing: Bool {
      switch self {
      case .sending, .sent, .overdue: false
      case .delayed, .delivered, .failed: true
      }
    }
  }

  public let standing: Standing
  /// It is a call in place of a message.
  public let isCall: Bool
  /// The person typed the number and can change it here.
  public var canChangeNumber = false
}
