import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("The filter of a policy's values")
struct PolicyFilterTests {
  private static let texts = ["Failed attempts before lockout", "Så mange låser kontoen."]

  private static func filter(_ text: String, onlyDiffering: Bool = false) -> PolicyFilter {
    var filter = PolicyFilter()
    filter.text = text
    filter.isOnlyDiffering = onlyDiffering
    return filter
  }

  @Test(
    "T-16 each searched word is in the name, the explanation or the key, without regard to case",
    arguments: [
      ("", true), (" ", true), ("FAILED", true), ("lockout failed", true), ("låser", true),
      ("LÅSER", true), ("laser", true), ("lockout.failures", true), ("Failures KONTOEN", true),
      ("failed digits", false), ("lockoutt", false), ("5", false),
    ])
  func search(_ text: String, _ isFound: Bool) {
    #expect(Self.filter(text).allows(ConsoleDriver.failures, Self.texts) == isFound)
  }

  @Test("T-16 a value differs if it was changed, or if an organization has its own")
  func differing() {
    let changed = ConsoleDriver.value(.codeDigits, .int(7), .number(4...8), changed: true)
    let own = ConsoleDriver.value(.codeDigits, .int(6), .number(4...8), own: .int(5))

    #expect(PolicyFilter.differs(changed) && PolicyFilter.differs(own))
    #expect(!PolicyFilter.differs(ConsoleDriver.failures))
    let only = Self.filter("", onlyDiffering: true)
    #expect(only.allows(changed, []) && only.allows(own, []))
    #expect(!only.allows(ConsoleDriver.failures, Self.texts))
    #expect(!Self.filter("failures", onlyDiffering: true).allows(changed, Self.texts.suffix(1)))
  }

  @Test("T-16 the search is cleared before the switch")
  func clear() {
    var filter = Self.filter("x", onlyDiffering: true)
    filter.clear()
    #expect(filter == Self.filter("", onlyDiffering: true) && !filter.isEmpty)
    filter.clear()
    #expect(filter.isEmpty)
  }

  private static func page() -> ConsoleDriver {
    var driver = ConsoleDriver.policies()
    driver.press(.openPolicy, "client-rider-app")
    driver.answer(
      "/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(ConsoleDriver.failures))
    return driver
  }

  @Test("T-16 the number of found values is said after a pause in typing, once")
  func announcement() {
    var driver = Self.page()
    driver.handle(.page(.fieldEdited(.search, "lock")))
    let filter = Self.filter("lock")
    #expect(driver.home.policies.page?.filter == filter)
    driver.pass(milliseconds: ConsoleHome.searchPauseMilliseconds - 1)
    #expect(driver.announcements.isEmpty)
    driver.pass(milliseconds: 1)
    #expect(
      driver.announcements == [.console(.valuesListed(filter, [ConsoleDriver.failures]))])
    driver.pass(milliseconds: 1000)
    #expect(driver.announcements.isEmpty)
  }

  @Test("T-16 the search of a policy is cleared with its button, and the field gets the focus")
  func clearButton() {
    var driver = Self.page()
    driver.press(.clearSearch)
    #expect(driver.context.focus?.part == .policy)
    driver.handle(.page(.fieldEdited(.search, "zzz")))
    driver.press(.clearSearch)

    #expect(driver.home.policies.page?.filter.isEmpty == true)
    #expect(driver.context.focus?.part == .search && driver.home.search == "")
  }

  // MARK: Addresses

  @Test(
    "T-16 the search, the switch and the open value are in the address, and it brings them back",
    arguments: [
      "policies/client-rider-app", "policies/client-rider-app?query=lock",
      "policies/client-rider-app?changed=true",
      "policies/client-rider-app?lockout.failures",
      "policies/client-rider-app?lockout.failures&query=a%26b&changed=true",
      "policies/organization-north", "policies/organization-north?client=technician-app",
      "policies/organization-north?lockout.failures&client=technician-app&query=lock",
    ])
  func address(_ place: String) {
    var driver = ConsoleDriver.policies()
    driver.press(.consoleTab, "overview")
    #expect(driver.home.open(place: place, &driver.context) != nil)
    #expect(driver.home.place == place)
    driver.handle(.ticked)
    driver.answer(
      place.contains("technician")
        ? "/admin/clients/technician-app/policy?organization=north"
        : place.contains("north")
          ? "/admin/clients/rider-app/policy?organization=north"
          : "/admin/clients/rider-app/policy", 200,
      ConsoleDriver.sheet(
        ConsoleDriver.failures, of: place.contains("north") ? "north" : nil))

    #expect(driver.home.place == place)
    #expect((driver.editor != nil) == place.contains("lockout.failures"))
  }

  @Test("T-16 an app that is opened at the address of a value keeps the address while it reads")
  func reload() {
    let place = "policies/client-rider-app?lockout.failures&query=lock"
    var driver = ConsoleDriver()
    #expect(driver.home.open(place: place, &driver.context) != nil)
    driver.handle(.ticked)
    #expect(driver.home.place == place && driver.home.policies.page == nil)
  }

  @Test("T-16 Back leaves the open value, and another address opens another one")
  func back() {
    var driver = ConsoleDriver.policies()
    driver.press(.openPolicy, "client-rider-app")
    let digits = ConsoleDriver.value(.codeDigits, .int(6), .number(4...8))
    driver.answer(
      "/admin/clients/rider-app/policy", 200,
      ConsoleDriver.sheet(ConsoleDriver.failures, digits))
    driver.press(.openValue, "lockout.failures")
    driver.handle(.page(.fieldEdited(.search, "o")))
    #expect(driver.home.place == "policies/client-rider-app?lockout.failures&query=o")

    _ = driver.home.open(place: "policies/client-rider-app?query=o", &driver.context)
    #expect(driver.editor == nil && driver.context.focus?.part == .policy)
    _ = driver.home.open(place: "policies/client-rider-app?code.digits", &driver.context)
    #expect(driver.editor?.value.key == .codeDigits)
    #expect(driver.home.policies.page?.filter.isEmpty == true)
    // No such value is in the sheet.
    _ = driver.home.open(place: "policies/client-rider-app?unlock", &driver.context)
    #expect(driver.editor == nil && driver.home.place == "policies/client-rider-app")
  }

  @Test("T-16 Back asks before typed text is lost, and waits for the answer to a question")
  func keptText() {
    var driver = ConsoleDriver.editing()
    driver.fill((.policyValue, "9"))
    _ = driver.home.open(place: "policies/client-rider-app", &driver.context)
    #expect(driver.home.isLeaving && driver.editor?.text == "9")
    driver.press(.cancel)

    driver.press(.saveValue)
    #expect(driver.editor?.asking != nil)
    for place in [
      "policies/client-rider-app", "policies/client-technician-app", "policies", "accounts", "",
    ] {
      _ = driver.home.open(place: place, &driver.context)
      #expect(driver.home.tab == .policies && driver.editor?.asking != nil)
    }
  }

  @Test("T-16 the filter stays when the page of an organization shows another app")
  func otherApp() {
    var driver = ConsoleDriver.policies()
    driver.press(.openPolicy, "organization-north")
    driver.fill((.search, "lock"), (.policyApp, "technician-app"))

    #expect(
      driver.home.place == "policies/organization-north?client=technician-app&query=lock")
  }
}
