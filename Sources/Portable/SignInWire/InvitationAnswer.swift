public import JSONText
public import SignInModel

/// An invitation to choose a password: shown once to the administrator who made it, or sent.
public struct InvitationAnswer: Equatable, Sendable {
  /// Nil when it was sent to the person: only they see it.
  public let invitation: Secret?
  /// Where the person opens it; nil where the server knows no app for them.
  public let link: Secret?
  public let expiresAt: Instant

  public init(invitation: Secret?, link: Secret?, expiresAt: Instant) {
    self.invitation = invitation
    self.link = link
    self.expiresAt = expiresAt
  }

  public var json: JSON {
    .members([
      JSONMember("invitation", ifPresent: invitation?.revealed),
      JSONMember("link", ifPresent: link?.revealed),
      JSONMember("expires_at", expiresAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard let expiresAt = json["expires_at"]?.unixSeconds else { return nil }
    self.init(
      invitation: json["invitation"]?.text.map { Secret($0) },
      link: json["link"]?.text.map { Secret($0) },
      expiresAt: Instant(seconds: expiresAt)
    )
  }
}
