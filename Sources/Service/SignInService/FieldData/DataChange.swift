public import SignInModel

/// One change that a person made in an app, for other systems to read.
///
/// It refers to the record and contains no text that people wrote. So no personal text is left
/// after the record is removed.
public struct DataChange: Equatable, Sendable {
  /// How long changes are stored, in seconds: 90 days.
  public static let retentionSeconds: Int64 = 90 * 24 * 60 * 60

  /// The kind of the changed record.
  public enum Kind: String, CaseIterable, Sendable {
    case job
    case delivery
    case activity
    case product
    case serviceRequest = "service_request"
  }

  public enum Act: String, CaseIterable, Sendable {
    /// The status of a job or of a delivery changed.
    case statusChanged = "status_changed"
    /// A mentor created an activity.
    case registered
    /// A mentor changed the notes of an activity.
    case notesChanged = "notes_changed"
    /// An owner requested service.
    case requested
    /// An owner transferred a product to another e-mail address.
    case transferred
  }

  /// The position in the change log.
  ///
  /// The first position is 1, and no number is used twice. It is zero before the change is
  /// appended.
  public var sequence: Int64
  public let at: Instant
  public let kind: Kind
  /// The id of the record, and its organization if it has one.
  public let key: RecordKey
  public let act: Act
  /// The account that made the change.
  public let account: AccountID
  /// The status after the change; nil if the record has no status.
  public let status: String?
  /// The version of the record after the change; nil if the record has no version.
  public let version: Int64?

  public init(
    sequence: Int64 = 0, at: Instant, kind: Kind, key: RecordKey, act: Act, account: AccountID,
    status: String? = nil, version: Int64? = nil
  ) {
    self.sequence = sequence
    self.at = at
    self.kind = kind
    self.key = key
    self.act = act
    self.account = account
    self.status = status
    self.version = version
  }

  /// The id of the record in its organization.
  public var id: String { key.id }
  /// The organization of the record; `nil` if it has none.
  public var organization: OrganizationID? { key.organization }
}
