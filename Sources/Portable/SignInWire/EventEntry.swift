public import JSONText
public import SignInModel

/// One line of the security log, as `GET /admin/events` lists it.
public struct EventEntry: Equatable, Sendable {
  public let sequence: Int64
  public let at: Instant
  /// A stable dotted word in the past tense.
  public let code: String
  public let account: AccountID?
  public let client: ClientID?
  /// The network address it came from.
  public let peer: String?
  public let detail: String?

  public init?(json: JSON) {
    guard let sequence = json["sequence"]?.number, let at = json["at"]?.number,
      let code = json["code"]?.text
    else { return nil }
    self.sequence = sequence
    self.at = Instant(milliseconds: at)
    self.code = code
    account = json["account"]?.text.map { AccountID($0) }
    client = json["client"]?.text.map { ClientID($0) }
    peer = json["peer"]?.text
    detail = json["detail"]?.text
  }
}
