/// A page of a list for administrators.
public struct PageQuery: RequestForm {
  /// The cursor of the page before.
  public var cursor: String?
  public var limit: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.cursor, &cursor)
    fields.text(.limit, &limit)
  }
}

/// `GET /admin/accounts`, without the `PageQuery`.
public struct AccountsQuery: RequestForm {
  /// A part of a name, an e-mail address or a number.
  public var text: String?
  public var status: String?
  public var role: String?
  /// Only accounts with a lockout.
  public var isLocked: Bool?
  /// Identifiers, separated by commas.
  public var ids: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.query, &text)
    fields.text(.status, &status)
    fields.text(.role, &role)
    fields.flag(.locked, &isLocked)
    fields.text(.ids, &ids)
  }
}

/// `GET /admin/messages`, without the `PageQuery`.
public struct MessagesQuery: RequestForm {
  public var outcome: String?
  /// A whole number or a whole e-mail address.
  public var to: String?
  /// `code` or `notice`.
  public var kind: String?
  /// The identifier of the account that the messages were for.
  public var account: String?
  public var time = TimeQuery()

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.outcome, &outcome)
    fields.text(.to, &to)
    fields.text(.kind, &kind)
    fields.text(.account, &account)
    time.visit(&fields)
  }
}

/// `GET /admin/events`, without the `PageQuery`.
public struct EventsQuery: RequestForm {
  /// An identifier, an e-mail address or a phone number.
  public var account: String?
  /// An `EventKind`.
  public var kind: String?
  public var client: String?
  public var time = TimeQuery()

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.account, &account)
    fields.text(.kind, &kind)
    fields.text(.client, &client)
    time.visit(&fields)
  }
}

/// A period, as a part of the query of a list.
public struct TimeQuery: RequestForm {
  /// The first moment, in Unix seconds.
  public var from: String?
  /// The first moment after the period, in Unix seconds.
  public var until: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.from, &from)
    fields.text(.until, &until)
  }
}

/// `GET /admin/products` and `GET /admin/service-requests`, without the `PageQuery`.
public struct OwnedRecordsQuery: RequestForm {
  /// The start of a serial number or of a name; for requests, of the number.
  public var text: String?
  /// The identifier of the owner, or of the account that sent the requests.
  public var account: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.query, &text)
    fields.text(.account, &account)
  }
}

/// `GET /admin/clients/{id}/policy`.
public struct PolicySheetQuery: RequestForm {
  public var organization: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.organization, &organization)
  }
}

/// The organization of the record that a path names by its id.
public struct RecordQuery: RequestForm {
  /// It is empty for the records without an organization.
  public var organization: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.textOrEmpty(.organization, &organization)
  }
}

/// `GET /admin/changes`.
public struct ChangesQuery: RequestForm {
  /// The cursor of the answer before.
  public var after: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) { fields.text(.after, &after) }
}

/// `GET /api/products`.
public struct SyncQuery: RequestForm {
  /// The cursor of the answer before.
  public var cursor: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) { fields.text(.cursor, &cursor) }
}

/// `GET /api/session/events`.
public struct SessionEventsQuery: RequestForm {
  /// The version of the session that the app has.
  public var seen: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) { fields.text(.seen, &seen) }
}

/// `GET /dev/messages`.
public struct InboxQuery: RequestForm {
  /// A phone number or an e-mail address.
  public var to: String?
  public var kind: String?

  public init() {}

  public mutating func visit(_ fields: inout some FormFields) {
    fields.text(.to, &to)
    fields.text(.kind, &kind)
  }
}
