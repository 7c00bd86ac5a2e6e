import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInService

@Suite("Members of records from other systems")
struct DataFieldTests {
  @Test(
    "A time is Unix seconds, or RFC 3339 with its offset",
    arguments: [
      ("0", 0), ("1800000000", 1_800_000_000), ("253402300799", 253_402_300_799),
      ("1970-01-01T00:00:00Z", 0), ("2027-01-15T08:00:00Z", 1_800_000_000),
      ("2027-01-15t09:30:00.123+01:30", 1_800_000_000), ("2027-01-15 08:00Z", 1_800_000_000),
      ("2027-01-14T23:00:00-09:00", 1_800_000_000),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]
  )
  func times(_ text: String, _ seconds: Int64) {
    #expect(ExternalText.moment(text) == Instant(seconds: seconds))
  }

  @Test(
    "Any other text is not a time",
    arguments: [
      "", "-1", "253402300800", "99999999999999999999", "2027-01-15", "2027-01-15T08:00:00",
      "2027-02-29T08:00:00Z", "2027-01-15T24:00:00Z", "2027-01-15T08:60:00Z",
      "2027-01-15T08:00:60Z", "2027-01-15T08:00:00.Z", "2027-01-15T08:00:00+24:00",
      "2027-01-15T08:00:00Zx", "2027-01-15T08:00:00+0100", "1969-12-31T23:59:59Z",
      "9999-12-31T23:59:59-01:00", "2027-01-15X08:00:00Z",
    ]
  )
  func noTimes(_ text: String) {
    #expect(ExternalText.moment(text) == nil)
  }

  @Test(
    "L-54 the number to call is a phone number in any spelling, and is stored in one form",
    arguments: [
      ("+4790000001", "+4790000001"), ("+47 900 00 001", "+4790000001"),
      ("0047 900 00 001", "+4790000001"), ("+44 (0)7700 900123", "+447700900123"),
      ("+९१ ९८१२३ ४५६७८", "+919812345678"),
      ("90000001", nil), ("+1", nil), ("call Berg", nil), ("+47 90000001 / 90000002", nil),
      ("tel:+4790000001", nil),
    ] as [(String, String?)])
  func numberToCall(_ text: String, _ stored: String?) throws {
    let times = [JSONMember("starts_at", 1), JSONMember("ends_at", 1)]
    let person = [JSONMember("account", "person"), JSONMember("place", "P")]
    let cases: [(DataKind, [JSONMember])] = [
      (.jobs, [JSONMember("title", "T"), JSONMember("customer", "C")]),
      (.deliveries, [JSONMember("recipient", "R"), JSONMember("parcels", 1)]),
    ]
    for (kind, own) in cases {
      let json = JSON.object(person + own + times + [JSONMember("phone", text)])
      guard let stored else {
        #expect(mistakes(json, kind) == ["phone"])
        continue
      }
      let draft = try DataDraft(reading: json, kind, try RecordName("x"))
      #expect(draft.text(.phone) == stored)
    }
  }

  @Test("Parcel counts at the ends of their range are accepted, and beyond them refused")
  func parcels() {
    let range = DataLimits.parcels
    for count in [
      range.lowerBound - 1, range.lowerBound, range.lowerBound + 1, range.upperBound - 1,
      range.upperBound, range.upperBound + 1,
    ] {
      let json = JSON.members([
        JSONMember("account", "rider"), JSONMember("recipient", "R"), JSONMember("place", "P"),
        JSONMember("parcels", count), JSONMember("starts_at", 1), JSONMember("ends_at", 1),
      ])
      #expect(mistakes(json, .deliveries) == (range.contains(count) ? [] : ["parcels"]))
    }
  }

  @Test("An unknown member is named in at most 64 characters, without control characters")
  func unknownMember() {
    for length in [63, 64, 65] {
      let name = String(repeating: "x", count: length)
      let found = mistakes(.members([JSONMember(name, true)]), .jobs)
      #expect(found.contains(String(name.prefix(MemberMistake.shownNameLimit))))
    }
    #expect(MemberMistake.shown("a\u{7}\nb\u{202E}") == "a??b?")
  }

  @Test("An account is named by an identifier, an e-mail address or a phone number")
  func accounts() throws {
    #expect(try AccountReference(parsing: "a-1") == .id(AccountID("a-1")))
    #expect(
      try AccountReference(parsing: "Tara@Example.com")
        == .email(EmailAddress(parsing: "tara@example.com")))
    #expect(
      try AccountReference(parsing: "+47 900 00 001")
        == .phone(PhoneNumber(parsing: "+4790000001")))
    #expect(
      try AccountReference(parsing: "\u{A0}0047 900\u{2011}00 001")
        == .phone(PhoneNumber(parsing: "+4790000001")))
    #expect(
      try AccountReference(parsing: "‹tara＠EXAMPLE.com›")
        == .email(EmailAddress(parsing: "tara@example.com")))
    for text in ["", "a b", "@", "+1", "å"] {
      #expect(throws: Malformed.self) { try AccountReference(parsing: text) }
    }
  }

  private func mistakes(_ json: JSON, _ kind: DataKind) -> [String] {
    do throws(Refusal) {
      _ = try DataDraft(reading: json, kind, try RecordName("x"))
      return []
    } catch {
      return error.mistakes.map(\.member)
    }
  }
}
