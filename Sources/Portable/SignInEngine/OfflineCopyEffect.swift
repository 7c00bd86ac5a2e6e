import JSONText
public import SignInModel
import SignInWire

/// The owner of an offline copy.
///
/// The copy of one owner must not open for another one (L-33).
public struct OfflineCopyOwner: Equatable, Sendable {
  public let account: AccountID
  public let client: ClientID
  public let organization: OrganizationID?

  public init(account: AccountID, client: ClientID, organization: OrganizationID?) {
    self.account = account
    self.client = client
    self.organization = organization
  }

  /// Reads the account from the access token, because this also works without a network.
  ///
  /// The token was issued to the account that is signed in, so no other account can be in it.
  init?(_ record: SessionRecord, clientID: String) {
    guard let claims = CompactToken(record.accessToken.revealed)?.claims,
      let account = claims.text("sub")
    else { return nil }
    self.init(
      account: AccountID(account), client: ClientID(clientID),
      organization: record.terms.organization
    )
  }
}

/// The name and the owner of an offline copy.
///
/// Storage seals each record with this value, the record's key and the server's address as
/// associated data. A record that was sealed for another owner, or under another name, does not
/// open.
public struct OfflineCopyName: Equatable, Sendable {
  public let name: String
  public let owner: OfflineCopyOwner

  public init(name: String, owner: OfflineCopyOwner) {
    self.name = name
    self.owner = owner
  }

  /// The associated data, without the server's address and the record's key.
  public var binding: String {
    owner.account.text + "|" + owner.client.text + "|" + (owner.organization?.text ?? "") + "|"
      + name
  }
}

/// One sealed record of an offline copy: its head, or a part.
public struct SealedRecord: Equatable, Sendable {
  public let key: String
  public let bytes: [UInt8]

  public init(key: String, bytes: [UInt8]) {
    self.key = key
    self.bytes = bytes
  }
}

/// What the shell must do with an offline copy.
public enum OfflineCopyEffect: Equatable, Sendable {
  /// Answered by `OfflineCopyEvent.read`.
  case read(OfflineCopyName)
  /// Writes `pieces`, and deletes every record that is neither in `pieces` nor in `kept`, in one
  /// step.
  ///
  /// If a record of `kept` is missing, nothing changes. Answered by `OfflineCopyEvent.written`.
  case write(OfflineCopyName, pieces: [SealedRecord], kept: [String])
  /// Deletes the copies with this name, for every owner, and all stored photos.
  case erase(name: String)
  /// Deletes the stored photos except those with these digests.
  case keepPhotos([String])
}

public enum OfflineCopyEvent: Equatable, Sendable {
  case read(OfflineCopyReading)
  case written(OfflineCopyWriting)
}

/// What storage has read.
///
/// `temporarilyUnreadable` is never treated as `absent`, and a copy that does not open is never
/// shown.
public enum OfflineCopyReading: Equatable, Sendable {
  case value([SealedRecord])
  case absent
  /// There is a copy, but another owner sealed it, or it was changed.
  case damaged
  case temporarilyUnreadable
}

public enum OfflineCopyWriting: Equatable, Sendable {
  case done
  /// The device has no space for it.
  case full
  /// Another tab has replaced the copy that this write builds on.
  case conflict
  /// In another tab, the person has signed out or the app was locked.
  case closed
  case refused
}
