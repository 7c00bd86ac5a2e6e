import JSONText
import SignInWire
import Testing

@testable import SignInFlow

@Suite("Times in the console")
struct TimeUnitTests {
  @Test(
    "T-16 a time is expressed in the largest unit that loses nothing",
    arguments: [
      (0, .seconds), (1, .seconds), (59, .seconds), (60, .minutes), (61, .seconds),
      (3599, .seconds), (3600, .hours), (5400, .minutes), (86_400, .days), (90_000, .hours),
      (2_592_000, .days),
    ] as [(Int64, TimeUnit)]
  )
  func largest(_ seconds: Int64, _ unit: TimeUnit) {
    #expect(TimeUnit(expressing: seconds) == unit)
    #expect(seconds / unit.seconds * unit.seconds == seconds)
  }

  static let life = ConsoleDesk.value(.codeLife, .int(300), .number(60...600))

  @Test("T-16 a time is shown in its unit, and saved in seconds")
  func saved() {
    var desk = ConsoleDesk.editing(Self.life)
    #expect(desk.editor?.text == "5" && desk.editor?.unit == .minutes)

    desk.save("4")

    let code = JSON.members([JSONMember("life_seconds", 240)])
    #expect(
      desk.asked.last?.apiRequest.body == .json(.members([JSONMember("code", code)])))
  }

  @Test(
    "T-16 every number of seconds can be entered, at both ends of what is allowed too",
    arguments: [
      ("59", .seconds, nil), ("60", .seconds, 60), ("61", .seconds, 61), ("599", .seconds, 599),
      ("600", .seconds, 600), ("601", .seconds, nil), ("1", .minutes, 60), ("10", .minutes, 600),
      ("11", .minutes, nil), ("0", .minutes, nil), ("", .minutes, nil), ("1.5", .minutes, nil),
      ("5 min", .minutes, nil), ("1", .hours, nil), ("9223372036854775807", .days, nil),
    ] as [(String, TimeUnit, Int64?)]
  )
  func edges(_ text: String, _ unit: TimeUnit, _ seconds: Int64?) {
    var desk = ConsoleDesk.editing(Self.life)
    desk.happen(.fieldEdited(.policyUnit, unit.rawValue))
    desk.save(text)

    #expect(desk.editor?.change == seconds.map { .write(.int($0)) })
    #expect((desk.editor?.fault == .time(60...600)) == (seconds == nil))
    if seconds == nil { #expect(desk.announcements == [.policyValueRefused(.time(60...600))]) }
  }

  @Test("T-16 another unit keeps the number, clears its mistake, and is the same value or another")
  func units() {
    var desk = ConsoleDesk.editing(Self.life)
    desk.happen(.fieldEdited(.policyUnit, "hours"))
    desk.press(.saveValue)
    #expect(desk.editor?.fault == .time(60...600))

    desk.happen(.fieldEdited(.policyUnit, "weeks"))
    #expect(desk.editor?.unit == .hours && desk.editor?.fault != nil)
    desk.happen(.fieldEdited(.policyUnit, "seconds"))
    #expect(desk.editor?.text == "5" && desk.editor?.fault == nil)
    desk.save("300")
    #expect(desk.editor?.fault == .unchanged && desk.editor?.change == nil)
  }

  @Test("T-16 a value that is no time has no unit")
  func noTime() {
    var desk = ConsoleDesk.editing()
    desk.happen(.fieldEdited(.policyUnit, "minutes"))

    #expect(desk.editor?.unit == nil && desk.editor?.text == "5")
  }

  @Test("T-16 after saving, the field shows what is stored in its own unit")
  func shownAgain() {
    var desk = ConsoleDesk.editing(Self.life)
    desk.happen(.fieldEdited(.policyUnit, "seconds"))
    desk.save("120")
    desk.answer("/admin/clients/rider-app", 200, .object([]))
    let changed = ConsoleDesk.value(.codeLife, .int(120), .number(60...600), changed: true)
    desk.answer("/admin/clients/rider-app/policy", 200, ConsoleDesk.sheet(changed, tag: "t2"))

    #expect(desk.editor?.text == "2" && desk.editor?.unit == .minutes)
  }

  @Test("T-16 money is shown in the operator's currency, and saved in millionths")
  func money() {
    let budget = ConsoleDesk.value(
      .priceDaily, .int(1_000_000_000), .number(0...1_000_000_000_000))
    var desk = ConsoleDesk.editing(budget)
    #expect(desk.editor?.text == "1000.00" && desk.editor?.unit == nil)

    desk.save("1,5")
    #expect(desk.editor?.fault == .amount(0...1_000_000_000_000))
    desk.save("999.50")

    let messages = JSON.members([JSONMember("price_per_day", 999_500_000)])
    #expect(
      desk.asked.last?.apiRequest.body == .json(.members([JSONMember("messages", messages)])))
  }
}
