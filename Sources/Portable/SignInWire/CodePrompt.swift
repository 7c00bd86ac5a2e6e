public import JSONText
public import SignInModel

/// The `challenge` on the wire: everything that a code screen shows.
public struct CodePrompt: Equatable, Sendable {
  /// The delivery status of the message.
  public enum Delivery: String, CaseIterable, Sendable {
    /// No provider has accepted it yet.
    case sending
    /// A provider has accepted it.
    case sent
    /// The provider reported that it arrived.
    case delivered
    /// The delivery takes longer than usual.
    case delayed
    /// It could not be delivered.
    ///
    /// The person may request another one.
    case failed
  }

  /// Masked: `***-***-1234`.
  public let destination: String
  public let digits: Int64
  public let expiresAt: Instant
  public var resendAt: Instant
  public let attemptsLeft: Int64
  /// The name of the channel for a phone call that reads the code aloud.
  public static let voice = "voice"

  /// `sms` or `voice`; `email` if the code proves a new e-mail address.
  public var channel = "sms"
  /// The channels for another code.
  ///
  /// They are empty if the client did not request them.
  public var channels: [String] = []
  /// `nil` if the client did not request it.
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
      JSONMember(.type, "otp"),
      JSONMember(.channel, channel),
      JSONMember(.destination, destination),
      JSONMember(.digits, digits),
      JSONMember(.expiresAt, expiresAt.seconds),
      JSONMember(.resendAt, resendAt.seconds),
      JSONMember(.attemptsLeft, attemptsLeft),
      JSONMember(.delivery, ifPresent: delivery?.rawValue),
      channels.isEmpty
        ? nil : JSONMember(.channels, .array(channels.map { JSON.string($0) })),
    ])
  }

  /// Returns `nil` if a member is missing or has another type.
  public init?(json: JSON?) {
    guard let json, let destination = json.text(.destination),
      let digits = json.count(.digits), let expiresAt = json.unixSeconds(.expiresAt),
      let resendAt = json.unixSeconds(.resendAt), let attemptsLeft = json.count(.attemptsLeft)
    else { return nil }
    self.init(
      destination: destination, digits: digits, expiresAt: Instant(seconds: expiresAt),
      resendAt: Instant(seconds: resendAt), attemptsLeft: attemptsLeft
    )
    channel = json.text(.channel) ?? channel
    channels = (json.elements(.channels) ?? []).compactMap { $0.text }
    delivery = (json.text(.delivery)).flatMap { Delivery(rawValue: $0) }
  }
}
