import SignInModel
import SignInWire

/// One member of a record that other systems write: what it may hold is said here once, for the
/// HTTP interface, for imported files and for the OpenAPI document.
public struct DataField: Sendable {
  public enum Form: Sendable {
    /// One line of 1 to `TextLine.lengthLimit` characters without control characters.
    case line
    /// An identifier, an e-mail address, or a phone number in E.164 form.
    case account
    case organization
    /// Unix seconds; in a table also a time as RFC 3339 writes it.
    case moment
    case day
    case count(ClosedRange<Int64>)
    case word([String])
    /// Several lines, at most `DataLimits.notesBytes` bytes.
    case notes
  }

  public let name: String
  public let form: Form
  public let isRequired: Bool
  public let note: String

  static func required(_ name: String, _ form: Form, _ note: String) -> DataField {
    DataField(name: name, form: form, isRequired: true, note: note)
  }

  static func optional(_ name: String, _ form: Form, _ note: String) -> DataField {
    DataField(name: name, form: form, isRequired: false, note: note)
  }
}

extension DataKind {
  /// Every member of a record besides `id` and `version`.
  public var fields: [DataField] {
    switch self {
    case .jobs:
      [
        Self.account, .required("title", .line, "what is to be done"),
        .required("customer", .line, "for whom"), .required("place", .line, "where"),
        Self.startsAt, Self.endsAt, Self.status(Job.Status.allCases, first: Job.Status.scheduled),
      ]
    case .deliveries:
      [
        Self.account, .required("recipient", .line, "for whom"),
        .required("place", .line, "where"),
        .required("parcels", .count(DataLimits.parcels), "how many"), Self.startsAt, Self.endsAt,
        Self.status(Delivery.Status.allCases, first: Delivery.Status.assigned),
      ]
    case .activities:
      [
        Self.account,
        .required("organization", .organization, "one of the account's organizations"),
        .required("title", .line, "what it is"), .required("place", .line, "where"),
        .required("with", .line, "whom the mentor meets"), Self.startsAt, Self.endsAt,
        Self.status(Activity.Status.allCases, first: Activity.Status.planned),
        .optional(
          "notes", .notes, "the mentor's own words; without it they stay as they are"),
      ]
    case .products:
      [
        Self.account, .required("name", .line, "what it is called"),
        .required("model", .line, "of the manufacturer"),
        .required("serial_number", .line, "of this one"),
        .required("category", .line, "what kind of thing it is, such as Dishwasher"),
        .optional("warranty_provider", .line, "the company that gives the warranty"),
        .optional("purchased_on", .day, "such as 2026-11-21"),
        .optional("warranty_expires_on", .day, "the last day of the warranty"),
      ]
    }
  }

  private static let account = DataField.required(
    "account", .account,
    "the person it is for: an identifier, an e-mail address, or a phone number in E.164 form")
  private static let startsAt = DataField.required("starts_at", .moment, "when it begins")
  private static let endsAt = DataField.required("ends_at", .moment, "not before starts_at")

  private static func status<Status: RawRepresentable<String>>(
    _ all: [Status], first: Status
  ) -> DataField {
    .optional(
      "status", .word(all.map(\.rawValue)),
      "\(first.rawValue) when the record is made; without it, it stays as it is")
  }
}

/// The value of a member, as it was read.
enum DataValue: Sendable {
  case text(String)
  case account(AccountReference)
  case moment(Instant)
  case day(CalendarDay)
  case count(Int64)
}

/// A person as another system names them.
enum AccountReference: Hashable, Sendable {
  case id(AccountID)
  case email(EmailAddress)
  case phone(PhoneNumber)

  init(parsing text: String) throws(Malformed) {
    if text.utf8.contains(UInt8(ascii: "@")) {
      self = .email(try EmailAddress(parsing: text))
    } else if text.utf8.first == UInt8(ascii: "+") {
      self = .phone(try PhoneNumber(parsing: text))
    } else {
      self = .id(try AccountID(parsing: text))
    }
  }
}
