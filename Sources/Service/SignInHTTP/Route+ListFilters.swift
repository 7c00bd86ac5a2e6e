import JSONText
import SignInModel
import SignInService
import SignInWire

/// The filters of lists for administrators.
///
/// The routes of the tables have them, too.
extension Route {
  static let accountFilters = [
    Parameter(
      .query, schema: .text(upTo: AccountQuery.textByteLimit),
      note: "A part of a name, an e-mail address or a phone number"
    ),
    Parameter(
      .status, schema: .word(AccountStatus.allCases.map { $0.rawValue }),
      note: "Only accounts with this status"
    ),
    Parameter(
      .role, schema: .word(AccountRole.allCases.map { $0.rawValue }),
      note: "Only accounts with this role"
    ),
    Parameter(
      .locked, schema: .flag,
      note: "If true, only accounts that are locked on all devices or on one"
    ),
    Parameter(
      .ids, schema: .text(upTo: AccountEntry.idLimit * (ProductID.lengthLimit + 1)),
      note: "Only accounts with these identifiers, separated by commas, at most"
        + " \(AccountEntry.idLimit); the other parameters then have no effect"
    ),
  ]

  static let messageFilters =
    [
      Parameter(
        .outcome, schema: .word(OutboxMessage.Outcome.allCases.map { $0.rawValue }),
        note: "Only messages with this outcome; a failed one was not handed over, or the"
          + " provider reported that it was not delivered"),
      Parameter(
        .to, schema: .text(upTo: EmailAddress.lengthLimit),
        note: "Only messages to this whole number or e-mail address"),
      Parameter(
        .kind, schema: .word(OutboxMessage.Kind.allCases.map { $0.rawValue }),
        note: "Only codes, or only notices"),
      Parameter(.account, schema: .identifier, note: "Only messages for this account"),
    ] + period

  static let eventFilters =
    [
      Parameter(
        .account, schema: .text(upTo: EmailAddress.lengthLimit),
        note: "Only events about this account: an identifier, an e-mail address or a phone number"),
      Parameter(
        .kind, schema: .word(EventKind.allCases.map { $0.rawValue }),
        note: "Only events of this kind; `failures` are those that the overview counts as"
          + " failed"),
      Parameter(.client, schema: .identifier, note: "Only events of this app"),
    ] + period

  static let productFilters = [
    Parameter(
      .query, schema: .text(upTo: ProductQuery.textLimit),
      note: "Words in the name, the model, the serial number, the category or the provider, in any"
        + " order; case and accents have no effect, and neither have spaces and hyphens in a number"
    ),
    Parameter(.account, schema: .identifier, note: "Only products that this account owns"),
  ]

  static let serviceRequestFilters = [
    Parameter(
      .query, schema: .text(upTo: ServiceRequestQuery.textLimit),
      note: "The start of the number of a request; the case of a to z, spaces and hyphens have no"
        + " effect"),
    Parameter(.account, schema: .identifier, note: "Only requests of this account"),
  ]

  private static let period = [
    Parameter(.from, schema: .moment, note: "Only from this moment on, in Unix seconds"),
    Parameter(.until, schema: .moment, note: "Only before this moment, in Unix seconds"),
  ]
}

// MARK: - Filters

extension Route {
  static func messageQuery(_ input: MessagesQuery) throws(Refusal) -> MessageQuery {
    var query = MessageQuery()
    query.outcome = try word(input.outcome, "unknown outcome") {
      OutboxMessage.Outcome(rawValue: $0)
    }
    query.kind = try word(input.kind, "unknown kind") { OutboxMessage.Kind(rawValue: $0) }
    query.to = try word(input.to, "to must be a number or an e-mail address") { recipient($0) }
    query.account = input.account.map { AccountID($0) }
    query.period = try period(input.time)
    return query
  }

  /// The filter, and the account that the request names.
  static func eventQuery(
    _ input: EventsQuery
  ) throws(Refusal) -> (query: EventQuery, reference: AccountReference?) {
    var query = EventQuery()
    let reference = try word(
      input.account, "account must be an identifier, an e-mail address or a phone number"
    ) { (text) -> AccountReference? in
      do throws(Malformed) { return try AccountReference(parsing: text) } catch { return nil }
    }
    let kind = try word(input.kind, "unknown kind") { EventKind(rawValue: $0) }
    query.codes = kind?.codes
    query.client = input.client.map { ClientID($0) }
    query.period = try period(input.time)
    return (query, reference)
  }

  static func productQuery(_ input: OwnedRecordsQuery) throws(Refusal) -> ProductQuery {
    ProductQuery(
      try text(input.text, upTo: ProductQuery.textLimit), account: try account(input.account))
  }

  static func serviceRequestQuery(
    _ input: OwnedRecordsQuery
  ) throws(Refusal) -> ServiceRequestQuery {
    ServiceRequestQuery(
      try text(input.text, upTo: ServiceRequestQuery.textLimit),
      account: try account(input.account))
  }

  /// `limit` is in code points.
  private static func text(_ typed: String?, upTo limit: Int) throws(Refusal) -> String {
    let text = typed ?? ""
    guard text.unicodeScalars.count <= limit else {
      throw Refusal.invalidRequest("query is too long")
    }
    return text
  }

  private static func account(_ text: String?) throws(Refusal) -> AccountID? {
    try word(text, "account must be an identifier") {
      do throws(Malformed) { return try AccountID(parsing: $0) } catch { return nil }
    }
  }

  private static func period(_ input: TimeQuery) throws(Refusal) -> Period {
    func moment(_ text: String?) throws(Refusal) -> Instant? {
      try word(text, "from and until must be Unix seconds") {
        WholeNumber.read($0, in: 0...JSON.latestUnixSeconds).map { Instant(seconds: $0) }
      }
    }
    return Period(from: try moment(input.from), until: try moment(input.until))
  }

  private static func recipient(_ text: String) -> Recipient? {
    do throws(Malformed) { return try Recipient(parsing: text) } catch { return nil }
  }

  /// Reads a parameter, and refuses a value that `read` does not accept.
  private static func word<Value>(
    _ text: String?, _ refusal: String, _ read: (String) -> Value?
  ) throws(Refusal) -> Value? {
    guard let text else { return nil }
    guard let value = read(text) else { throw Refusal.invalidRequest(refusal) }
    return value
  }
}

extension AccountsQuery {
  /// The requested identifiers; nil if the request has filters instead.
  var accountIDs: [AccountID]? {
    ids?.utf8.split(separator: UInt8(ascii: ",")).map {
      AccountID(String(decoding: $0, as: UTF8.self))
    }
  }
}
