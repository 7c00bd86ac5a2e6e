public import SignInModel

/// One thing that a person changed in an app, which other systems read.
///
/// It refers to the record and holds no words of people, so that nothing of them stays when the
/// record is removed.
public struct DataChange: Equatable, Sendable {
  /// Changes are kept for so long, in seconds: 90 days.
  public static let keptSeconds: Int64 = 90 * 24 * 60 * 60

  /// What the change is of.
  public enum Kind: String, CaseIterable, Sendable {
    case job
    case delivery
    case activity
    case product
    case serviceRequest = "service_request"
  }

  public enum Act: String, CaseIterable, Sendable {
    /// A job or a delivery has another status.
    case statusChanged = "status_changed"
    /// A mentor made an activity.
    case registered
    /// A mentor wrote notes.
    case notesChanged = "notes_changed"
    /// An owner asked for service.
    case requested
    /// An owner gave a product to another address.
    case transferred
  }

  /// Its place: the first is 1, and no number is given twice; zero before it is appended.
  public var sequence: Int64
  public let at: Instant
  public let kind: Kind
  public let id: String
  public let act: Act
  /// Who changed it.
  public let account: AccountID
  /// The status after the change, of a record that has one.
  public let status: String?
  /// The version of the record after the change; nil for one that has none.
  public let version: Int64?

  public init(
    sequence: Int64 = 0, at: Instant, kind: Kind, id: String, act: Act, account: AccountID,
    status: String? = nil, version: Int64? = nil
  ) {
    self.sequence = sequence
    self.at = at
    self.kind = kind
    self.id = id
    self.act = act
    self.account = account
    self.status = status
    self.version = version
  }
}
