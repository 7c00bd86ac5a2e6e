import EngineTesting
import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow

@Suite("Typed text that is not saved")
struct UnsavedTextTests {
  /// The actions that close an open form.
  private static let exits: [(ButtonName, String?)] = [
    (.back, nil), (.newAccount, nil), (.consoleTab, "events"), (.openAccount, "tara"),
  ]

  @Test("T-16 every exit from a changed form asks first, and keeps the text", arguments: 0..<4)
  func asking(_ index: Int) {
    let (button, item) = Self.exits[index]
    for var driver in [
      ConsoleDriver.editing(ConsoleDriver.entry("tara")), ConsoleDriver.creating(),
    ] {
      driver.fill((.name, "Tara Berg"))
      let (account, creation) = (driver.home.account, driver.home.creation)
      let before = driver.asked.count
      driver.press(button, item)

      #expect(driver.home.isLeaving && driver.context.focus?.part == .question)
      #expect(driver.home.account == account && driver.home.creation == creation)
      driver.press(.cancel)
      #expect(!driver.home.isLeaving && driver.context.focus?.part == .account)
      #expect(driver.home.account == account && driver.home.creation == creation)
      #expect(driver.home.tab == .accounts && driver.asked.count == before)
    }
  }

  @Test("T-16 a confirmed exit discards the text and goes where the person wanted to go")
  func confirmed() {
    var driver = ConsoleDriver.editing(ConsoleDriver.entry("tara"))
    driver.fill((.name, "Tara Berg"))
    driver.press(.back)
    driver.press(.confirm)
    #expect(!driver.home.isLeaving && driver.form == nil && driver.home.account != nil)

    driver.press(.editAccount)
    driver.fill((.name, "Tara Berg"))
    driver.press(.consoleTab, "events")
    driver.press(.confirm)
    #expect(driver.home.tab == .events && driver.home.account == nil)

    var creating = ConsoleDriver.creating()
    creating.fill((.name, "Nina"))
    creating.press(.openAccount, "tara")
    creating.press(.confirm)
    #expect(creating.home.creation == nil && creating.home.account?.entry.id.text == "tara")
  }

  @Test("T-16 a form without changes closes without a question")
  func unchanged() {
    for var driver in [
      ConsoleDriver.editing(ConsoleDriver.entry("tara")), ConsoleDriver.creating(),
    ] {
      driver.press(.back)
      #expect(!driver.home.isLeaving && driver.form == nil && driver.home.creation == nil)
    }
  }

  @Test("T-16 a chosen role and organization are asked about, too")
  func chosen() {
    var driver = ConsoleDriver.creating()
    driver.fill((.role, "rider"))
    driver.press(.back)
    #expect(driver.home.isLeaving)

    driver = ConsoleDriver.creating()
    driver.press(.toggleOrganization, "north")
    driver.press(.back)
    #expect(driver.home.isLeaving)
  }

  @Test("T-16 only the two answers close the question, and typing behind it changes nothing")
  func modal() {
    var driver = ConsoleDriver.editing(ConsoleDriver.entry("tara"))
    driver.fill((.name, "Tara Berg"))
    driver.press(.back)
    for button in ButtonName.allCases where button != .confirm && button != .cancel {
      driver.press(button)
      driver.press(button, "tara")
    }
    driver.fill((.name, "Other"), (.search, "x"))
    driver.handle(.page(.bannerDismissed))
    driver.pass(milliseconds: 1000)

    #expect(driver.home.isLeaving && driver.form?.name == "Tara Berg" && driver.home.search == "")
  }

  @Test("T-16 While a change is being saved, Back has no effect")
  func saving() {
    var driver = ConsoleDriver.editing(ConsoleDriver.entry("tara"))
    driver.fill((.name, "Tara Berg"))
    driver.press(.saveAccount)
    driver.press(.back)
    driver.press(.consoleTab, "events")

    #expect(!driver.home.isLeaving && driver.form != nil && driver.home.tab == .accounts)
  }

  @Test("T-16 Leaving a page with an unsaved policy value asks for confirmation")
  func policy() {
    for (button, item) in [
      (.back, nil), (.back, "value"), (.openValue, ConsoleDriver.failures.key.rawValue),
      (.consoleTab, "accounts"),
    ] as [(ButtonName, String?)] {
      var driver = ConsoleDriver.editing()
      driver.press(button, item)
      #expect(!driver.home.isLeaving)

      driver = ConsoleDriver.editing()
      driver.fill((.policyValue, "7"))
      driver.press(button, item)
      #expect(driver.home.isLeaving && driver.editor?.text == "7")
      driver.press(.cancel)
      #expect(!driver.home.isLeaving && driver.editor?.text == "7")
      #expect(driver.context.focus?.part == .editor)
      driver.press(button, item)
      driver.press(.confirm)
      #expect(driver.home.tab == .accounts || driver.editor?.text != "7")
    }
  }

  @Test("T-16 another app of an organization's policy is shown after the question")
  func policyApp() {
    var driver = ConsoleDriver.policies()
    driver.press(.openPolicy, "organization-north")
    driver.answer(
      "/admin/clients/rider-app/policy", 200,
      ConsoleDriver.sheet(ConsoleDriver.failures, of: "north"))
    driver.press(.openValue, ConsoleDriver.failures.key.rawValue)
    driver.fill((.policyValue, "4"), (.policyApp, "technician-app"))
    #expect(driver.home.isLeaving && driver.home.policies.page?.client.text == "rider-app")

    driver.press(.confirm)
    #expect(driver.home.policies.page?.client.text == "technician-app" && driver.editor == nil)
  }

  @Test("T-16 a saved policy value is not asked about")
  func savedPolicy() {
    var driver = ConsoleDriver.editing()
    driver.save("4")
    driver.press(.back)
    #expect(!driver.home.isLeaving && driver.editor != nil)
    driver.answer("/admin/clients/rider-app", 200)
    let saved = ConsoleDriver.value(.lockoutFailures, .int(4), .number(3...20), changed: true)
    driver.answer("/admin/clients/rider-app/policy", 200, ConsoleDriver.sheet(saved))
    driver.press(.back)

    #expect(!driver.home.isLeaving && driver.editor == nil)
  }
}
