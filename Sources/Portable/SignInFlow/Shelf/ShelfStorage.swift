import JSONText
public import SignInModel
import SignInWire

/// Whose things are on a shelf: nobody else's copy may be opened in their place.
public struct ShelfOwner: Equatable, Sendable {
  public let account: AccountID
  public let client: ClientID
  public let organization: OrganizationID?

  public init(account: AccountID, client: ClientID, organization: OrganizationID?) {
    self.account = account
    self.client = client
    self.organization = organization
  }

  /// Reads the account from the access token: the only one who can be signed in here, and know it
  /// with no network, is the one it was given to.
  init?(_ record: SessionRecord, clientID: String) {
    let parts = record.accessToken.revealed.split(
      separator: ".", omittingEmptySubsequences: false
    )
    guard parts.count == 3, let claims = Self.claims(parts[1]),
      let account = claims["sub"]?.text
    else { return nil }
    self.init(
      account: AccountID(account), client: ClientID(clientID),
      organization: record.terms.organization
    )
  }

  private static func claims(_ part: Substring) -> JSON? {
    do throws(Malformed) {
      let bytes = try Base64URL.decode(part)
      do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
    } catch {
      return nil
    }
  }
}

/// Which copy a storage effect is about.
///
/// Storage seals every piece with all of this, the piece's key and the server's address as
/// associated data: what was sealed as another's, or under another name, does not open.
public struct ShelfPlace: Equatable, Sendable {
  public let name: String
  public let owner: ShelfOwner

  public init(name: String, owner: ShelfOwner) {
    self.name = name
    self.owner = owner
  }

  /// The associated data, without the server's address and the piece's key.
  public var binding: String {
    owner.account.text + "|" + owner.client.text + "|" + (owner.organization?.text ?? "") + "|"
      + name
  }
}

/// One sealed record of a shelf: its head, or a part.
public struct ShelfPiece: Equatable, Sendable {
  public let key: String
  public let bytes: [UInt8]

  public init(key: String, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }
}

/// What the shell must do with what is kept.
public enum ShelfEffect: Equatable, Sendable {
  /// Answered by `ShelfEvent.read`.
  case read(ShelfPlace)
  /// Writes `pieces` and forgets every piece that is neither among them nor in `kept`, all in one
  /// step; nothing is changed when one of `kept` is not there. Answered by `ShelfEvent.written`.
  case write(ShelfPlace, pieces: [ShelfPiece], kept: [String])
  /// Forgets everything, of whomever it was.
  case erase(name: String)
}

public enum ShelfEvent: Equatable, Sendable {
  case read(ShelfReading)
  case written(ShelfWriting)
}

/// "Cannot tell" is never "absent", and what does not open is never shown.
public enum ShelfReading: Equatable, Sendable {
  case value([ShelfPiece])
  case absent
  /// There is something that this account did not seal here, or that was changed since.
  case damaged
  case cannotTell
}

public enum ShelfWriting: Equatable, Sendable {
  case done
  /// The device has no room for it.
  case full
  /// What it builds on was replaced, by another window.
  case conflict
  /// Nobody is signed in any more, or what is kept was locked, in another window.
  case closed
  case refused
}

/// What is known about a copy as a whole; written with every change of it.
struct ShelfHead: Equatable, Sendable {
  static let key = "head"
  /// A later version that changes the meaning of a member raises this and still reads older ones.
  static let version: Int64 = 1

  let cursor: String
  let asOf: Instant
  let lease: String
  /// The latest time this device has known: setting its clock back makes no lease longer.
  var seenAt: Instant
  let parts: [String]

  init(cursor: String, asOf: Instant, lease: String, seenAt: Instant, parts: [String]) {
    self.cursor = cursor
    self.asOf = asOf
    self.lease = lease
    self.seenAt = seenAt
    self.parts = parts
  }

  init?(bytes: [UInt8]) {
    guard let json = Self.parse(bytes), let version = json["version"]?.count,
      version >= 1, version <= Self.version, let cursor = json["cursor"]?.text,
      let asOf = json["as_of"]?.unixSeconds, let lease = json["lease"]?.text,
      let seenAt = json["seen_at"]?.unixSeconds, let elements = json["parts"]?.elements
    else { return nil }
    var parts: [String] = []
    for element in elements {
      guard let key = element.text else { return nil }
      parts.append(key)
    }
    self.init(
      cursor: cursor, asOf: Instant(seconds: asOf), lease: lease,
      seenAt: Instant(seconds: seenAt), parts: parts
    )
  }

  var piece: ShelfPiece {
    let json = JSON.members([
      JSONMember("version", Self.version), JSONMember("cursor", cursor),
      JSONMember("as_of", asOf.seconds), JSONMember("lease", lease),
      JSONMember("seen_at", seenAt.seconds),
      JSONMember("parts", .array(parts.map { JSON.string($0) })),
    ])
    return ShelfPiece(key: Self.key, bytes: json.utf8)
  }

  private static func parse(_ bytes: [UInt8]) -> JSON? {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return nil }
  }
}
