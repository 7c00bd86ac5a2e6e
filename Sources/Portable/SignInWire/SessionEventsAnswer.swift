public import JSONText

/// The state of a session: the answer of `GET /api/session/events`.
public struct SessionEventsAnswer: Equatable, Sendable {
  /// Equal content has the same version on every node and after every restart.
  public let version: String
  public let terms: TokenAnswer.SessionTerms
  public let account: AccountUpdate

  public init(version: String, terms: TokenAnswer.SessionTerms, account: AccountUpdate) {
    self.version = version
    self.terms = terms
    self.account = account
  }

  public var json: JSON {
    let head = [JSONMember(.version, version), JSONMember(.session, terms.json)]
    return .object(head + account.members)
  }

  /// Returns `nil` if the version or the terms are missing or have another type.
  public init?(json: JSON) {
    guard let version = json.text(.version),
      let terms = TokenAnswer.SessionTerms(json: json[.session])
    else { return nil }
    self.init(version: version, terms: terms, account: AccountUpdate(json: json))
  }
}
