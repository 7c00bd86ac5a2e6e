import SignInModel
import SignInRules
public import SignInWire

/// The numbers of what a code screen is told.
public enum DeliveryLimits {
  /// A message nobody took for this long is late.
  public static let sendingSeconds: Int64 = 10
  /// A message with no word of its arrival for this long is late.
  public static let arrivingSeconds: Int64 = 30
}

/// Tells what became of the open code's message, in the form of the first answer.
///
/// Nothing is sent, counted or reported by it. Where a concealed app must not tell whether anybody
/// has the number, the answer depends on the time alone.
///
/// - Returns: Always a refusal: `insufficient_authorization` with the challenge when it is open,
///   `otp_expired` when a code for another device replaced it.
public func tellDelivery(_ request: ResendRequest, in world: World) async -> Outcome<Never> {
  let now = world.clock.now()
  return await world.look { (transaction) throws(StoreFault) in
    let found = try findAttempt(
      request.authSession, of: request.caller, for: request.client, at: now, in: world,
      transaction
    )
    guard case .open(let attempt, let account, let policy) = found,
      let phone = try phone(of: attempt, account, transaction)
    else { return .refusal(ErrorAnswer(.invalidSession, "start again")) }
    let bucket = try transaction.failureBucket(
      of: attempt.account, device: attempt.proofKeyThumbprint, at: now
    )
    let challenge = try transaction.codeChallenge(at: bucket.codePlace(for: .signIn))
    // Another device's code may have replaced the one this device waits for.
    guard let challenge,
      challenge.belongs(toClient: attempt.client, proofKeyThumbprint: attempt.proofKeyThumbprint)
    else { return .refusal(.expired(request.authSession, challenge)) }
    let message = try transaction.message(challenge.id)
    let counter = try transaction.failures(in: bucket)
    var prompt = CodePrompt(
      challenge, to: phone, triesLeft: counter.triesLeft(under: policy.lockout)
    )
    prompt.channel = message?.channel.rawValue ?? prompt.channel
    prompt.channels = world.switchboard?.channels(to: phone).map(\.rawValue) ?? []
    prompt.delivery = policy.tellsDelivery ? message?.delivery(at: now) : .sent
    if prompt.delivery == .failed { prompt.resendAt = min(prompt.resendAt, now) }
    return .refusal(.codeAwaited(authSession: request.authSession, prompt: prompt))
  }
}

extension AppClient {
  /// Whether a person may learn what became of a message: in a concealed app only after a right
  /// password.
  ///
  /// An unknown number is sent nothing, so a failed message would tell that the account exists.
  ///
  /// It decides over everything that depends on the outcome: the status, and a resend before the
  /// cooldown has passed because the message failed.
  var tellsDelivery: Bool { signIn == .passwordAndCode || disclosure == .disclosed }
}

extension OutboxMessage {
  /// Whether it surely reached nobody: then another may be asked for at once.
  var isLost: Bool { state == .failed || receipt == .undelivered }

  /// What a person is told of it.
  func delivery(at now: Instant) -> CodePrompt.Delivery {
    if isLost { return .failed }
    if receipt == .delivered { return .delivered }
    switch state {
    case .waiting, .decoy:
      return now < createdAt.adding(seconds: DeliveryLimits.sendingSeconds) ? .sending : .delayed
    case .handedOver, .failed:
      let late = (handedOverAt ?? createdAt).adding(seconds: DeliveryLimits.arrivingSeconds)
      return receipt == .delayed && now >= late ? .delayed : .sent
    }
  }
}
