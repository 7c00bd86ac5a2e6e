public import JSONText
public import SignInModel

/// An invitation to set a password.
///
/// It is sent to the person, or shown once to the administrator.
public struct InvitationAnswer: Equatable, Sendable {
  /// `nil` if it was sent to the person, because only the person may see it.
  public let invitation: Secret?
  /// The link that the person opens.
  ///
  /// It is `nil` if the server knows no app for the person.
  public let link: Secret?
  public let expiresAt: Instant

  public init(invitation: Secret?, link: Secret?, expiresAt: Instant) {
    self.invitation = invitation
    self.link = link
    self.expiresAt = expiresAt
  }

  public var json: JSON {
    .members([
      JSONMember(.invitation, ifPresent: invitation?.revealed),
      JSONMember(.link, ifPresent: link?.revealed),
      JSONMember(.expiresAt, expiresAt.seconds),
    ])
  }

  public init?(json: JSON) {
    guard let expiresAt = json.unixSeconds(.expiresAt) else { return nil }
    self.init(
      invitation: json.text(.invitation).map { Secret($0) },
      link: json.text(.link).map { Secret($0) },
      expiresAt: Instant(seconds: expiresAt)
    )
  }
}
