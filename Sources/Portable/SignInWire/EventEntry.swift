public import JSONText
public import SignInModel

/// One event of the security log in the answer of `GET /admin/events`.
public struct EventEntry: Equatable, Sendable {
  /// The number of the event; `nil` for an administrator of organizations.
  public let sequence: Int64?
  /// What names the event in a list: its number, or its hash if it has no number.
  public let id: String
  public let at: Instant
  /// A stable code with dots, in the past tense.
  public let code: String
  public let account: AccountID?
  public let client: ClientID?
  public let session: SessionID?
  /// The network address of the request.
  public let peer: String?
  public let detail: String?
  /// How many equal refusals or renewals this event reports.
  public let count: Int64

  /// The administrator who decided, if the event is about a decision of one.
  ///
  /// The detail of such an event begins with the identifier.
  public var administrator: AccountID? {
    guard let (area, _) = code.cut(at: "."), let detail,
      area.hasSameBytes(as: "account") || area.hasSameBytes(as: "policy")
        || area.hasSameBytes(as: "list")
    else { return nil }
    let name = detail.cut(at: " ")?.before ?? detail
    return name.hasSameBytes(as: "shell") ? nil : AccountID(name)
  }

  /// Why the account was deactivated, if a reason was given.
  ///
  /// It follows the administrator's identifier in the detail.
  public var deactivationReason: String? {
    guard code.hasSameBytes(as: "account.deactivated") else { return nil }
    return detail?.cut(at: " ")?.after
  }

  /// The app or the organization whose policy was changed, and the changed values.
  ///
  /// They follow the administrator's identifier in the detail.
  public var policyChange: (isOfApp: Bool, subject: String, changes: [PolicyValueChange])? {
    let isOfApp = code.hasSameBytes(as: "policy.client_changed")
    guard isOfApp || code.hasSameBytes(as: "policy.organization_changed"),
      let (_, words) = detail?.cut(at: " "), let (subject, rest) = words.cut(at: " ")
    else { return nil }
    return (isOfApp, subject, PolicyValueChange.read(rest))
  }

  /// The code and the detail, without the values of a changed policy.
  public var codeAndDetail: String {
    guard let detail else { return code }
    var text = code + " " + detail
    if let (_, subject, changes) = policyChange, !changes.isEmpty,
      let (name, _) = detail.cut(at: " ")
    {
      text = code + " " + name + " " + subject
      for change in changes { text += " " + change.key }
    }
    return text
  }

  public init?(json: JSON) {
    let sequence = json[.sequence]?.number(in: 0...JSON.safeIntegers.upperBound)
    guard let id = sequence.map({ "\($0)" }) ?? json.text(.hash),
      let at = json.unixMilliseconds(.at),
      let code = json.text(.code)
    else { return nil }
    self.sequence = sequence
    self.id = id
    self.at = Instant(milliseconds: at)
    self.code = code
    account = json.text(.account).map { AccountID($0) }
    client = json.text(.client).map { ClientID($0) }
    session = json.text(.session).map { SessionID($0) }
    peer = json.text(.peer)
    detail = json.text(.detail)
    count = json[.count]?.number(in: 1...JSON.highestCount) ?? 1
  }
}
