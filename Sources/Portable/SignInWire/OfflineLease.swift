public import JSONText
public import SignInModel

/// How long what was synced may be read without seeing the server: the claims of a signed token.
public struct OfflineLease: Equatable, Sendable {
  /// The `typ` of its header: no other token of ours can pass for one.
  public static let type = "offline-lease+jwt"

  /// What is kept for when there is no server, by the names that leases and storage know it by.
  public enum Shelf: String, Sendable {
    case products
    case jobs
    case dashboard
    case activities
  }

  public let issuer: String
  public let account: AccountID
  public let client: ClientID
  public let organization: OrganizationID?
  /// What it is about, such as `products`.
  public let shelf: String
  public let session: SessionID
  public let issuedAt: Instant
  public let expiresAt: Instant

  public init(
    issuer: String, account: AccountID, client: ClientID, organization: OrganizationID?,
    shelf: String, session: SessionID, issuedAt: Instant, expiresAt: Instant
  ) {
    self.issuer = issuer
    self.account = account
    self.client = client
    self.organization = organization
    self.shelf = shelf
    self.session = session
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// Zero for what must not be kept at all.
  public var lifeSeconds: Int64 { expiresAt.seconds - issuedAt.seconds }

  public var claims: JSON {
    .members([
      JSONMember("iss", issuer), JSONMember("sub", account.text), JSONMember("aud", client.text),
      JSONMember("org", ifPresent: organization?.text), JSONMember("shelf", shelf),
      JSONMember("sid", session.text), JSONMember("iat", issuedAt.seconds),
      JSONMember("exp", expiresAt.seconds),
    ])
  }

  /// Reads the claims of a compact token whose signature was checked where keys are; nil when it
  /// is no lease.
  public init?(reading token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
      header["typ"]?.text == Self.type, let issuer = claims["iss"]?.text,
      let account = claims["sub"]?.text, let client = claims["aud"]?.text,
      let shelf = claims["shelf"]?.text, let session = claims["sid"]?.text,
      let issuedAt = claims["iat"]?.unixSeconds, let expiresAt = claims["exp"]?.unixSeconds
    else { return nil }
    self.init(
      issuer: issuer, account: AccountID(account), client: ClientID(client),
      organization: claims["org"]?.text.map { OrganizationID($0) }, shelf: shelf,
      session: SessionID(session), issuedAt: Instant(seconds: issuedAt),
      expiresAt: Instant(seconds: expiresAt)
    )
  }

  private static func object(_ part: Substring) -> JSON? {
    do throws(Malformed) {
      let bytes = try Base64URL.decode(part)
      do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
    } catch {
      return nil
    }
  }
}
