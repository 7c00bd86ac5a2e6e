public import JSONText
public import SignInModel

/// What a person must still prove, as the wire's `challenge`: everything a code screen shows.
public struct CodePrompt: Equatable, Sendable {
  /// What became of the message so far.
  public enum Delivery: String, Equatable, Sendable {
    /// No provider has taken it yet.
    case sending
    /// A provider carries it.
    case sent
    /// The provider says that it arrived.
    case delivered
    /// It takes longer than usual.
    case delayed
    /// It could not be delivered: another may be asked for.
    case failed
  }

  /// Masked: `***-***-1234`.
  public let destination: String
  public let digits: Int64
  public let expiresAt: Instant
  public var resendAt: Instant
  public let attemptsLeft: Int64
  /// As a channel: a call that reads the code out.
  public static let voice = "voice"

  /// `sms` or `voice`.
  public var channel = "sms"
  /// The channels another code can be asked for on; empty where nobody asked.
  public var channels: [String] = []
  /// Nil where nobody asked.
  public var delivery: Delivery?

  public init(
    destination: String, digits: Int64, expiresAt: Instant, resendAt: Instant, attemptsLeft: Int64
  ) {
    self.destination = destination
    self.digits = digits
    self.expiresAt = expiresAt
    self.resendAt = resendAt
    self.attemptsLeft = attemptsLeft
  }

  public var json: JSON {
    .members([
      JSONMember("type", "otp"),
      JSONMember("channel", channel),
      JSONMember("destination", destination),
      JSONMember("digits", digits),
      JSONMember("expires_at", expiresAt.seconds),
      JSONMember("resend_at", resendAt.seconds),
      JSONMember("attempts_left", attemptsLeft),
      JSONMember("delivery", ifPresent: delivery?.rawValue),
      channels.isEmpty
        ? nil : JSONMember("channels", .array(channels.map { JSON.string($0) })),
    ])
  }

  /// Nil when a member is missing or of another type.
  public init?(json: JSON?) {
    guard let json, let destination = json["destination"]?.text,
      let digits = json["digits"]?.count, let expiresAt = json["expires_at"]?.unixSeconds,
      let resendAt = json["resend_at"]?.unixSeconds, let attemptsLeft = json["attempts_left"]?.count
    else { return nil }
    self.init(
      destination: destination, digits: digits, expiresAt: Instant(seconds: expiresAt),
      resendAt: Instant(seconds: resendAt), attemptsLeft: attemptsLeft
    )
    channel = json["channel"]?.text ?? channel
    channels = (json["channels"]?.elements ?? []).compactMap { $0.text }
    delivery = (json["delivery"]?.text).flatMap { Delivery(rawValue: $0) }
  }
}
