import SignInModel
public import SignInWire

/// One member of a record that other systems write.
///
/// Its limits are defined only here, for the HTTP interface, for imported files and for the OpenAPI
/// document.
public struct DataField: Sendable {
  public enum Form: Sendable {
    /// One line of 1 to `TextLine.lengthLimit` characters without control characters.
    case line
    /// An identifier, an e-mail address, or a phone number in E.164 form.
    case account
    /// A phone number with its calling code, which is stored in E.164 form.
    case phone
    case organization
    /// Unix seconds.
    ///
    /// In a table also a time in the format of RFC 3339.
    case moment
    case day
    case count(ClosedRange<Int64>)
    case word([String])
    /// Several lines, at most `DataLimits.notesBytes` bytes.
    case notes
  }

  public let member: WireField
  public let form: Form
  public let isRequired: Bool
  public let note: String

  public var name: String { member.rawValue }

  /// An id is unique in its organization, so this member is a part of the record's name.
  static let organization = DataField.optional(
    .organization, .organization,
    "One of the account's organizations, in which the id is unique; if absent, the sender's only"
      + " one, or none")

  static func required(_ member: WireField, _ form: Form, _ note: String) -> DataField {
    DataField(member: member, form: form, isRequired: true, note: note)
  }

  static func optional(_ member: WireField, _ form: Form, _ note: String) -> DataField {
    DataField(member: member, form: form, isRequired: false, note: note)
  }
}

extension DataKind {
  /// Every member of a record except `id` and `version`.
  public var fields: [DataField] {
    switch self {
    case .jobs:
      [
        Self.account, .required(.title, .line, "The work to do"),
        .required(.customer, .line, "The customer"),
        .required(.place, .line, "The address or place"),
        Self.startsAt, Self.endsAt, Self.status(Job.Status.allCases, first: Job.Status.scheduled),
        Self.phone, Self.instructions, Self.organization, Self.statusNote,
      ]
    case .deliveries:
      [
        Self.account, .required(.recipient, .line, "The recipient"),
        .required(.place, .line, "The address or place"),
        .required(.parcels, .count(DataLimits.parcels), "The number of parcels"), Self.startsAt,
        Self.endsAt,
        Self.status(Delivery.Status.allCases, first: Delivery.Status.assigned), Self.phone,
        Self.instructions, Self.organization, Self.statusNote,
      ]
    case .activities:
      [
        Self.account,
        .required(.organization, .organization, "One of the account's organizations"),
        .required(.title, .line, "The title"), .required(.place, .line, "The address or place"),
        .required(.with, .line, "The person that the mentor meets"), Self.startsAt, Self.endsAt,
        Self.status(Activity.Status.allCases, first: Activity.Status.planned),
        .optional(
          .notes, .notes, "The notes of the mentor; if absent, they do not change"),
      ]
    case .products:
      [
        Self.account, .required(.name, .line, "The name"),
        .required(.model, .line, "The manufacturer's name of the model"),
        .required(.serialNumber, .line, "The serial number"),
        .required(.category, .line, "The kind of product, such as Dishwasher"),
        .optional(.warrantyProvider, .line, "The company that gives the warranty"),
        .optional(.purchasedOn, .day, "A date such as 2026-11-21"),
        .optional(.warrantyExpiresOn, .day, "The last day of the warranty"),
        Self.organization,
      ]
    }
  }

  private static let account = DataField.required(
    .account, .account,
    "The person: an identifier, an e-mail address, or a phone number in E.164 form")
  private static let startsAt = DataField.required(.startsAt, .moment, "The start")
  private static let endsAt = DataField.required(
    .endsAt, .moment, "The end, not before starts_at")

  private static let phone = DataField.optional(
    .phone, .phone, "The number to call there, in E.164 form")
  private static let instructions = DataField.optional(
    .instructions, .notes, "What the person must know before the visit")

  private static let statusNote = DataField.optional(
    .statusNote, .notes,
    "What the person wrote about the status; if absent, it does not change while the status and the"
      + " account stay")

  private static let organization = DataField.organization

  private static func status<Status: RawRepresentable<String>>(
    _ all: [Status], first: Status
  ) -> DataField {
    .optional(
      .status, .word(all.map(\.rawValue)),
      "If absent, the status does not change; a new record is \(first.rawValue)")
  }
}

/// The checked value of a member.
enum DataValue: Sendable {
  case text(String)
  case account(AccountReference)
  case moment(Instant)
  case day(CalendarDay)
  case count(Int64)
}
