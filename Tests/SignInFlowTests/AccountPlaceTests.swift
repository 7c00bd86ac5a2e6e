import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// The addresses of accounts and of their forms keep the filter of the list beside them.
@Suite struct AccountPlaceTests {
  private static func found(_ driver: inout ConsoleDriver) {
    driver.answer("/admin/accounts?ids=77", 200, ConsoleDriver.page([ConsoleDriver.entry("77")]))
  }

  @Test(
    "T-16 a reload opens the form of an account again, in either order of the answers",
    arguments: ["accounts/77?edit", "accounts/77?edit&query=ta&status=active"], [true, false])
  func formAfterReload(_ place: String, _ isPersonFirst: Bool) {
    var driver = ConsoleDriver(nil)
    driver.open(place)
    #expect(driver.home.place == place)

    if isPersonFirst { driver.learnPerson() }
    Self.found(&driver)
    #expect(driver.home.place == place)
    #expect(driver.home.account?.editor.isPresent == isPersonFirst)
    driver.learnPerson()

    #expect(driver.home.account?.editor?.name == "Name of 77")
    #expect(driver.home.place == place)
    // The server sends the account again, which must not open a closed form.
    driver.press(.back)
    driver.learnPerson()
    #expect(driver.home.account?.editor == nil && driver.home.account != nil)
    #expect(!driver.home.place.contains("edit"))
  }

  @Test("T-16 the address of a form that the administrator may not use shows the account")
  func withoutPermission() {
    var driver = ConsoleDriver(nil)
    driver.open("accounts/77?edit")
    Self.found(&driver)

    driver.learnPerson([PermissionEntry(level: "viewer", organization: nil)])

    #expect(driver.home.account?.editor == nil)
    #expect(driver.home.place == "accounts/77")
  }

  @Test(
    "T-16 a reload opens the form for a new account again if the administrator may create one",
    arguments: [
      ("administrator", "accounts?new&query=ta&locked=true"),
      ("viewer", "accounts?query=ta&locked=true"),
    ])
  func creationAfterReload(_ level: String, _ shown: String) {
    var driver = ConsoleDriver(nil)
    driver.open("accounts?new&query=ta&locked=true")
    #expect(driver.home.place == "accounts?new&query=ta&locked=true")

    driver.learnPerson([PermissionEntry(level: level, organization: nil)])

    #expect(driver.home.creation.isPresent == (level == "administrator"))
    #expect(driver.home.place == shown)
    #expect(driver.asked.contains { $0.apiRequest.path.hasSuffix("?query=ta&locked=true") })
  }

  @Test(
    "T-16 a form that was not opened yet is forgotten with its account",
    arguments: ["accounts/77?edit", "accounts?new"], ["", "accounts", "events", "policies"])
  func leftBeforeAnswers(_ form: String, _ next: String) {
    var driver = ConsoleDriver(nil)
    driver.open(form)
    driver.open(next)
    Self.found(&driver)
    driver.learnPerson()

    #expect(driver.home.place == next)
    #expect(driver.home.creation == nil && driver.home.account?.editor == nil)
  }

  @Test("T-16 a listed account opens with its form, and Back closes the form and then the account")
  func listedForm() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("1"), ConsoleDriver.entry("2"))
    driver.open("accounts/1?edit")
    #expect(driver.home.account?.editor?.name == "Name of 1")

    driver.open("accounts/1")
    #expect(driver.home.account?.editor == nil && driver.home.place == "accounts/1")
    driver.open("accounts/2?edit")
    #expect(driver.home.account?.editor?.name == "Name of 2")
    driver.open("accounts")
    #expect(driver.home.account == nil && driver.home.place == "accounts")
  }

  @Test("T-16 an account that is opened beside a filtered list keeps the filter in its address")
  func filterBesideAccount() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("1"))
    driver.handle(.page(.fieldEdited(.status, "active")))
    driver.answer("/admin/accounts?status", 200, ConsoleDriver.page([ConsoleDriver.entry("1")]))
    driver.press(.openAccount, "1")
    #expect(driver.home.place == "accounts/1?status=active")
    driver.press(.editAccount)
    #expect(driver.home.place == "accounts/1?edit&status=active")
    driver.press(.back)

    // The search that was typed beside the account is newer than the address of the list.
    driver.handle(.page(.fieldEdited(.search, "ta")))
    #expect(driver.home.place == "accounts/1?query=ta&status=active")
    driver.open("accounts?status=active")
    #expect(driver.home.place == "accounts?query=ta&status=active")
    driver.open("accounts?status=pending")
    #expect(driver.home.place == "accounts?status=pending")
  }

  @Test("T-16 a reload at an account reads the list with the filter of its address, once")
  func listAfterReload() {
    var driver = ConsoleDriver(nil)
    driver.open("accounts/77?query=ta&locked=true")
    driver.learnPerson()
    driver.handle(.ticked)

    #expect(driver.home.search == "ta" && driver.home.status == ConsoleHome.lockedStatus)
    let lists = driver.asked.filter { $0.apiRequest.path == "/admin/accounts?query=ta&locked=true" }
    #expect(lists.count == 1)
    driver.answer(
      "/admin/accounts?query", 200,
      ConsoleDriver.page([ConsoleDriver.entry("1"), ConsoleDriver.entry("77")]))
    Self.found(&driver)
    #expect(driver.home.account?.entry.id.text == "77")
    driver.press(.back)
    #expect(driver.home.place == "accounts?query=ta&locked=true")
    #expect(driver.home.accounts.entries?.count == 2)
  }

  @Test("T-16 the list beside an account that was opened from the events is read")
  func listBesideAccountOfEvent() {
    var driver = ConsoleDriver()
    driver.press(.consoleTab, "events")
    let event = JSON.members([
      JSONMember("sequence", 1), JSONMember("at", 1_700_000_000_000),
      JSONMember("code", "sign_in.completed"), JSONMember("account", "77"),
    ])
    driver.answer("/admin/events", 200, .members([JSONMember("events", .array([event]))]))
    Self.found(&driver)

    driver.press(.openAccount, "77")

    #expect(driver.home.account?.entry.id.text == "77")
    #expect(driver.asked.filter { $0.apiRequest.path == "/admin/accounts" }.count == 1)
  }
}
