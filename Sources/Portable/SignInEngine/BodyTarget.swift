/// What the shell does with the body of a successful answer.
///
/// The core does not get the body, because it may be long and no decision needs it.
public struct BodyTarget: Equatable, Sendable {
  public enum Kind: String, Sendable {
    /// The shell saves the body as a file with this name.
    case file = "file_name"
    /// The shell shows the body as the photo with this SHA-256 digest, in base64url.
    ///
    /// It refuses a photo with another digest.
    case photo
    /// The shell also stores the photo, sealed beside the offline copy.
    case storedPhoto = "stored_photo"
  }

  public let kind: Kind
  public let name: String

  public init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}
