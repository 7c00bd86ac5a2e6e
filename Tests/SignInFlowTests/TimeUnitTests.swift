import EngineTesting
import JSONText
import SignInWire
import Testing

@testable import SignInEngine
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

  static let life = ConsoleDriver.value(.codeLife, .int(300), .number(60...600))

  @Test("T-16 a time is shown in its unit, and saved in seconds")
  func saved() {
    var driver = ConsoleDriver.editing(Self.life)
    #expect(driver.editor?.text == "5" && driver.editor?.unit == .minutes)

    driver.save("4")

    let code = JSON.members([JSONMember("life_seconds", 240)])
    #expect(
      driver.asked.last?.apiRequest.body == .json(.members([JSONMember("code", code)])))
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
    var driver = ConsoleDriver.editing(Self.life)
    driver.handle(.page(.fieldEdited(.policyUnit, unit.rawValue)))
    driver.save(text)

    #expect(driver.editor?.change == seconds.map { .write(.int($0)) })
    #expect((driver.editor?.fault == .time(60...600)) == (seconds == nil))
    if seconds == nil {
      #expect(driver.announcements == [.console(.policyValueRefused(.time(60...600)))])
    }
  }

  @Test("T-16 another unit keeps the number, clears its mistake, and is the same value or another")
  func units() {
    var driver = ConsoleDriver.editing(Self.life)
    driver.handle(.page(.fieldEdited(.policyUnit, "hours")))
    driver.press(.saveValue)
    #expect(driver.editor?.fault == .time(60...600))

    driver.handle(.page(.fieldEdited(.policyUnit, "weeks")))
    #expect(driver.editor?.unit == .hours && driver.editor?.fault != nil)
    driver.handle(.page(.fieldEdited(.policyUnit, "seconds")))
    #expect(driver.editor?.text == "5" && driver.editor?.fault == nil)
    driver.save("300")
    #expect(driver.editor?.fault == .unchanged && driver.editor?.change == nil)
  }

  @Test("T-16 a value that is no time has no unit")
  func noTime() {
    var driver = ConsoleDriver.editing()
    driver.handle(.page(.fieldEdited(.policyUnit, "minutes")))

    #expect(driver.editor?.unit == nil && driver.editor?.text == "5")
  }

  @Test("T-16 after saving, the field shows what is stored in its own unit")
  func shownAgain() {
    var driver = ConsoleDriver.editing(Self.life)
    driver.handle(.page(.fieldEdited(.policyUnit, "seconds")))
    driver.save("120")
    driver.answer("/admin/clients/rider-app", 200, .object([]))
    let changed = ConsoleDriver.value(.codeLife, .int(120), .number(60...600), changed: true)
    driver.answer("/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(changed, tag: "t2"))

    #expect(driver.editor?.text == "2" && driver.editor?.unit == .minutes)
  }

  @Test("T-16 money is shown in the operator's currency, and saved in millionths")
  func money() {
    let budget = ConsoleDriver.value(
      .priceDaily, .int(1_000_000_000), .number(0...1_000_000_000_000))
    var driver = ConsoleDriver.editing(budget)
    #expect(driver.editor?.text == "1000.00" && driver.editor?.unit == nil)

    driver.save("1,5")
    #expect(driver.editor?.fault == .amount(0...1_000_000_000_000))
    driver.save("999.50")

    let messages = JSON.members([JSONMember("price_per_day", 999_500_000)])
    #expect(
      driver.asked.last?.apiRequest.body == .json(.members([JSONMember("messages", messages)])))
  }
}
