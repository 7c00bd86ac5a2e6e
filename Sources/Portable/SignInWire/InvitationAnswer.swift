public import JSONText
public import SignInModel

/// An invitation to choose a password: shown once to the administrator who made it.
public struct InvitationAnswer: Equatable, Sendable {
  public let invitation: Secret
  /// Where the person opens it; nil where the server knows no app for them.
  public let link: Secret?
  public let expiresAt: Instant

  public init(invitation: Secret, link: Secret?, expiresAt: Instant) {
    self.invitation = invitation
    self.link = link
    self.expiresAt = expiresAt
  }

  public var json: JSON {
    .members([
      JSONMember("invitation", invitation.revealed),
      JSONMember("link", ifPresent: link?.revealed),
      JSONMember("expires_at", expiresAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard let invitation = json["invitation"]?.text, let expiresAt = json["expires_at"]?.unixSeconds
    else { return nil }
    self.init(
      invitation: Secret(invitation), link: json["link"]?.text.map { Secret($0) },
      expiresAt: Instant(seconds: expiresAt)
    )
  }
}
