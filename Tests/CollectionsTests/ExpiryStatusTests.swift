import Collections
import SignInModel
import Testing

@Suite("Expiry")
struct ExpiryStatusTests {
  private static func day(_ text: String) throws -> CalendarDay { try CalendarDay(parsing: text) }

  @Test(
    "On the last day it is still valid, and it expires soon within the days of its field",
    arguments: [
      ("2026-11-20", ExpiryStatus.expired), ("2026-11-21", .expiring), ("2026-12-20", .expiring),
      ("2026-12-21", .expiring), ("2026-12-22", .valid), ("9999-12-31", .valid),
    ])
  func status(_ last: String, _ expected: ExpiryStatus) throws {
    let field = FieldDefinition("until", .expiry)

    #expect(
      field.status(of: .day(try Self.day(last)), on: try Self.day("2026-11-21")) == expected)
  }

  @Test("Without a date it is valid, and without warning it is valid until the last day")
  func edges() throws {
    let today = try Self.day("2026-11-21")
    var field = FieldDefinition("until", .expiry)
    #expect(field.status(of: nil, on: today) == .valid)

    field.warnDays = 0
    #expect(field.status(of: .day(today), on: today) == .expiring)
    #expect(field.status(of: .day(today.adding(days: 1)), on: today) == .valid)
    #expect(ExpiryStatus.allCases.map(\.tone) == [.good, .warning, .bad])
  }

  @Test("The days whose status changed are those whose status differs", arguments: [0, 1, 5, 90])
  func otherStatus(_ gap: Int64) throws {
    var field = FieldDefinition("until", .expiry)
    field.warnDays = 7
    let earlier = try Self.day("2026-11-21")
    let today = earlier.adding(days: gap)

    let changed = field.lastDaysWithOtherStatus(since: earlier, on: today)

    for offset in Int64(-20)...120 {
      let last = earlier.adding(days: offset)
      let isOther =
        field.status(of: .day(last), on: earlier) != field.status(of: .day(last), on: today)
      #expect(changed.contains { $0.contains(last) } == isOther, "\(offset)")
    }
  }
}
