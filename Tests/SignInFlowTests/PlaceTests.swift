import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

/// Each place of an app has an address, which can be opened again.
@Suite struct PlaceTests {
  @Test("S-09 an address that was opened before sign-in is shown after it")
  func beforeSignIn() {
    var driver = MentorDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .mentor, place: "activities/a2"))
    #expect(driver.flow.context.place == "activities/a2")

    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 3600)))))
    driver.answerActivities()

    #expect(driver.activities?.entry?.id == "a2")
    #expect(driver.signedIn?.place == "activities/a2")
    #expect(driver.flow.context.place.isEmpty)
  }

  @Test("S-09 an address counts more than the place where the person left, and drafts stay")
  func addressAndDraft() throws {
    var before = MentorDriver.atActivity()
    before.handle(.page(.fieldEdited(.notes, "Talked about his sister")))
    let stored = try #require(before.kept)

    var driver = MentorDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .mentor))
    driver.handle(.home(.placeOpened("activities/a2")))
    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 3600)))))
    // If the place were stored now, the drafts that are not read yet would be lost.
    #expect(driver.kept == nil)
    let opening = driver.output
    driver.handle(.home(.screenStateRead(Secret(stored.text))))
    driver.output = opening
    driver.answerActivities()

    #expect(driver.activities?.entry?.id == "a2")
    driver.handle(.home(.placeOpened("activities/a1")))
    let entry = try #require(driver.activities?.entry)
    #expect(driver.activities?.notes(of: entry) == "Talked about his sister")
  }

  @Test("S-09 Back is not undone if the place where the person left is read after it")
  func backBeforeReading() throws {
    let stored = try #require(MentorDriver.atActivity().kept)
    var driver = MentorDriver()
    driver.handle(.started(utcOffsetSeconds: 3600, app: .mentor, place: "activities/a1"))
    driver.handle(.storage(.read(.value(FlowDriver.stored(1, expiresIn: 3600)))))
    #expect(driver.signedIn?.place == "activities/a1")

    driver.handle(.home(.placeOpened("")))
    driver.handle(.home(.screenStateRead(Secret(stored.text))))

    #expect(driver.signedIn?.place == "")
  }

  @Test(
    "S-09 a place that is open is opened again only if it is another one",
    arguments: ["", "?earlier=true", "devices", "devices/password", "activities/a1"])
  func again(_ place: String) {
    var driver = MentorDriver.atActivities()
    driver.handle(.home(.placeOpened(place)))
    #expect(driver.signedIn?.place == place)

    let focus = driver.flow.context.focus
    driver.handle(.home(.placeOpened(place)))
    #expect(driver.flow.context.focus == focus)
    driver.handle(.home(.placeOpened("")))
    #expect(driver.signedIn?.place == "")
  }

  @Test(
    "S-09 an unknown address has a page of its own, which leads to the first page",
    arguments: ["nothing", "activities", "activities/", "activities/%zz", "jobs/1"])
  func unknown(_ place: String) {
    var driver = MentorDriver.atActivity()
    driver.handle(.home(.placeOpened(place)))
    #expect(driver.signedIn?.unknownPlace == place)
    #expect(driver.signedIn?.place == place)

    driver.press(.back)

    #expect(driver.signedIn?.unknownPlace == nil)
    #expect(driver.signedIn?.place == "")
  }

  @Test("S-09 a query that an app does not know opens its first page")
  func foreignQuery() {
    var driver = MentorDriver.atActivity()
    driver.handle(.home(.placeOpened("?utm_source=mail")))
    #expect(driver.signedIn?.place == "")
  }

  @Test("T-16 the list with the finished jobs has an address, and Back from a job leads to it")
  func finishedJobs() {
    var driver = FlowDriver.atJobs()
    driver.press(.toggleFold)
    #expect(driver.signedIn?.place == "?finished=true")
    driver.handle(.home(.itemPressed(.openItem, item: "j1")))
    #expect(driver.signedIn?.place == "jobs/j1?finished=true")
    driver.press(.back)
    #expect(driver.signedIn?.place == "?finished=true")

    driver.handle(.home(.placeOpened("")))
    #expect(driver.signedIn?.home.showsFinished == false)
    driver.handle(.home(.placeOpened("?finished=true")))
    #expect(driver.signedIn?.home.showsFinished == true)
    driver.handle(.home(.placeOpened("?earlier=true")))
    #expect(driver.signedIn?.place == "")
  }

  @Test("T-16 Back from a job does not undo that the finished jobs were shown beside it")
  func fold() {
    var driver = FlowDriver.atJobs()
    driver.handle(.home(.itemPressed(.openItem, item: "j1")))
    driver.press(.toggleFold)
    #expect(driver.signedIn?.place == "jobs/j1?finished=true")

    driver.handle(.home(.placeOpened("")))

    #expect(driver.signedIn?.place == "?finished=true")
    driver.handle(.home(.placeOpened("jobs/j1")))
    #expect(driver.signedIn?.place == "jobs/j1")
  }

  @Test("S-09 Back from an activity does not undo that earlier ones were shown beside it")
  func foldOfActivities() {
    var driver = MentorDriver.atActivity()
    driver.press(.toggleFold)
    #expect(driver.signedIn?.place == "activities/a1?earlier=true")

    driver.handle(.home(.placeOpened("")))

    #expect(driver.signedIn?.place == "?earlier=true")
  }

  @Test("S-03 the next sign-in opens the place where the session ended; a sign-out forgets it")
  func endOfSession() {
    var ended = MentorDriver.atActivity()
    ended.pass(seconds: 3601)
    #expect(ended.signedIn == nil || ended.signedIn?.place == "activities/a1")

    var left = MentorDriver.atActivity()
    left.press(.signOut)
    #expect(left.signedIn == nil)
    #expect(left.flow.context.place.isEmpty)
  }

  // MARK: Products

  @Test(
    "O-02 each page of a product and each search has an address",
    arguments: [
      "", "?query=ov%20en", "?status=expired", "?query=a&status=expiring", "products/1",
      "products/1?request", "products/1?transfer", "products/1?query=ov%20en&status=expired",
      "products/1?request&query=a", "products/1?transfer&status=expiring",
    ])
  func products(_ place: String) {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven"), SyncedListTests.product("2", "Kettle")])

    owner.handle(.home(.placeOpened(place)))

    #expect(owner.driver.signedIn?.place == place)
    #expect(owner.driver.signedIn?.unknownPlace == nil)
  }

  @Test("O-02 the address of a card restores the search, and Back shows the list with it")
  func searchBesideCard() {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven"), SyncedListTests.product("2", "Kettle")])

    owner.handle(.home(.placeOpened("products/1?query=oven")))
    #expect(owner.home.query == "oven" && owner.kept.list.window(at: 0).items.count == 1)
    owner.handle(.page(.fieldEdited(.search, Secret("kett"))))
    #expect(owner.driver.signedIn?.place == "products/1?query=kett")
    owner.handle(.home(.placeOpened("?query=oven")))

    // The search that was typed beside the card is newer than the address of the list.
    #expect(owner.driver.signedIn?.place == "?query=kett")
    owner.handle(.home(.placeOpened("?status=expired")))
    #expect(owner.home.query == "" && owner.home.status == .expired)
  }

  @Test("O-07 the address of a confirmation asks for the new owner again")
  func confirmation() {
    var owner = Owner()
    owner.open()
    owner.sync([SyncedListTests.product("1", "Oven")])

    owner.handle(.home(.placeOpened("products/1?confirm")))

    #expect(owner.driver.signedIn?.place == "products/1?transfer")
    owner.handle(.page(.fieldEdited(.receiver, Secret("new@example.com"))))
    owner.handle(.page(.buttonPressed(.continueTransfer)))
    #expect(owner.driver.signedIn?.place == "products/1?confirm")
    owner.handle(.home(.placeOpened("products/1?transfer")))
    guard case .transfer("1", let form) = owner.home.view else {
      Issue.record("another view: \(owner.home.view)")
      return
    }
    #expect(form.text == "new@example.com")
  }

  // MARK: Console

  @Test("T-16 the filters of the list of accounts are in its address")
  func filters() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("1"))
    let place = "accounts?query=tara&status=active"
    #expect(driver.home.open(place: place, &driver.context) != nil)
    driver.handle(.ticked)

    #expect(driver.home.search == "tara" && driver.home.status == "active")
    #expect(driver.home.place == place)
    #expect(driver.asked.last?.apiRequest.path.contains("query=tara&status=active") == true)
  }

  @Test("T-16 an address of an account that is not listed reads the account")
  func unlistedAccount() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("1"))
    _ = driver.home.open(place: "accounts/77", &driver.context)
    driver.handle(.ticked)
    #expect(driver.home.wanted?.id == "77")
    #expect(driver.home.place == "accounts/77")

    driver.answer("/admin/accounts?ids=77", 200, ConsoleDriver.page([ConsoleDriver.entry("77")]))

    #expect(driver.home.account?.entry.id.text == "77")
    #expect(driver.home.place == "accounts/77")
    #expect(driver.home.open(place: "", &driver.context) != nil)
    #expect(driver.home.account == nil)
  }

  @Test(
    "T-16 an app that is opened at an account reads the list beside it once",
    arguments: ["accounts/77", "accounts?new"])
  func listBesideAccount(_ place: String) {
    var driver = ConsoleDriver()
    for _ in 1...2 {
      #expect(driver.home.open(place: place, &driver.context) != nil)
      driver.handle(.ticked)
    }
    let lists = driver.asked.filter { $0.apiRequest.path == "/admin/accounts" }
    #expect(lists.count == 1)
    let page = ConsoleDriver.page([ConsoleDriver.entry("1")])
    for list in lists {
      driver.handle(.answered(list.id, .received(status: 200, body: page, serverSeconds: nil)))
    }
    driver.answer("/admin/accounts?ids=77", 200, ConsoleDriver.page([ConsoleDriver.entry("77")]))
    #expect(driver.home.accounts.entries?.map(\.id.text) == ["1"])
    #expect(driver.home.place == place)
  }

  @Test("T-16 an address of an account that does not exist says so")
  func missingAccount() {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("1"))
    _ = driver.home.open(place: "accounts/77", &driver.context)
    driver.handle(.ticked)

    driver.answer("/admin/accounts?ids=77", 200, ConsoleDriver.page([]))

    #expect(driver.home.wanted == WantedAccount(id: "77", request: nil))
    driver.press(.back)
    #expect(driver.home.wanted == nil)
    #expect(driver.home.place == "accounts")
  }

  @Test(
    "T-16 the console has these places and no others",
    arguments: [
      ("", true), ("accounts", true), ("events", true), ("messages", true),
      ("messages?outcome=failed", true), ("accounts?locked=true", true), ("policies", true),
      ("accounts?new", true), ("accounts?new&query=ta&locked=true", true),
      ("accounts/77?edit", true), ("accounts/77?query=ta&status=active", true),
      ("accounts/77?edit&locked=true", true), ("products", true), ("products/p1", true),
      ("requests", true),
      ("requests/r1", true), ("products/", false),
      ("policies/client-technician-app", true), ("nothing", false),
      ("events/1", true), ("messages/m1?outcome=failed", true), ("overview/1", false),
    ])
  func consolePlaces(_ place: String, _ isPlace: Bool) {
    var driver = ConsoleDriver.listed(ConsoleDriver.entry("1"))
    let effects = driver.home.open(place: place, &driver.context)
    #expect((effects != nil) == isPlace)
    if isPlace, !place.hasPrefix("policies/") { #expect(driver.home.place == place) }
  }
}
