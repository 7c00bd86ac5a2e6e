import SignInModel
import SignInRules
public import SignInWire

private typealias StatusRecords =
  CodeRecords & FoundAttempt.Records & KnownDeviceRecords & LockoutRecords & OutboxRecords

/// The limits for the delivery status on a code screen.
public enum DeliveryLimits {
  /// After this time without a hand-over, a message is shown as late.
  public static let sendingSeconds: Int64 = 10
  /// After this time, a message that the network reports as delayed is shown as late.
  public static let arrivingSeconds: Int64 = 30
}

/// Shows the delivery status of the open code's message, in the form of the first answer.
///
/// It sends, counts and records nothing. In a concealed app that must not reveal whether a number
/// has an account, the answer depends on the time only.
///
/// - Returns: The open challenge.
/// - Throws: `otp_expired` if a code for another device replaced it.
public func showDeliveryStatus(
  _ request: ResendRequest, in world: World
) async throws(Refusal) -> SentChallenge {
  let now = world.clock.now()
  return try await world.read { (transaction: any StatusRecords) throws in
    let found = try world.findAttempt(
      request.authSession, of: request.caller, for: request.client, at: now, transaction)
    guard case .open(let attempt, let account, let app) = found,
      let phone = try phone(of: attempt, account, transaction)
    else { throw Refusal.invalidSession }
    let bucket = try transaction.failureBucket(
      of: attempt.account, device: attempt.proofKeyThumbprint, at: now
    )
    let challenge = try transaction.codeChallenge(at: bucket.codePlace(for: .signIn))
    // A code for another device may have replaced the code of this one.
    guard let challenge,
      challenge.belongs(toClient: attempt.client, proofKeyThumbprint: attempt.proofKeyThumbprint)
    else {
      throw Refusal.otpExpired(
        authSession: request.authSession, resendAt: challenge?.resendAt,
        superseded: challenge == nil ? nil : .byAnotherDevice)
    }
    let message = try transaction.message(challenge.id)
    let counter = try transaction.failures(in: bucket)
    var prompt = CodePrompt(
      challenge, to: phone, attemptsLeft: counter.attemptsLeft(under: app.policy.lockout)
    )
    prompt.channel = message?.channel.rawValue ?? prompt.channel
    prompt.channels = world.router?.channels(to: phone).map(\.rawValue) ?? []
    prompt.delivery = app.revealsDeliveryStatus ? message?.delivery(at: now) : .sent
    if prompt.delivery == .failed { prompt.resendAt = min(prompt.resendAt, now) }
    return SentChallenge(authSession: request.authSession, prompt: prompt)
  }
}

extension AppRegistration {
  /// Whether a person may see the delivery status: in a concealed app only after a right password.
  ///
  /// No message goes to an unknown number, so a failed message would reveal that the account
  /// exists.
  ///
  /// This applies to everything that depends on the status: the status itself, and a resend during
  /// the cooldown after a failed message.
  var revealsDeliveryStatus: Bool { signIn == .passwordAndCode || policy.disclosure == .disclosed }
}

extension OutboxMessage {
  /// Whether the message certainly did not arrive.
  ///
  /// Then another code can be requested at once.
  var isLost: Bool { state == .failed || receipt == .undelivered }

  /// The status that the person sees.
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
