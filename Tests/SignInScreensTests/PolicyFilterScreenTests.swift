import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The filter of a policy's values on screen")
struct PolicyFilterScreenTests {
  private static func value(
    _ key: PolicyKey, isChanged: Bool = false, own: JSON = .null
  ) -> PolicyValue {
    PolicyValue(
      key: key, value: .int(5), source: isChanged ? .changed : .standard, configured: .int(5),
      own: own, isChanged: isChanged, form: .number(3...20))
  }

  /// The console at the page of an app or of an organization, with these values.
  private static func driver(
    _ values: [PolicyValue], of organization: String? = nil
  ) -> (page: PolicyPage, context: FlowContext) {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: .english), WallClock())
    context.setTime(at: ScreenDriver.startTime)
    let id = organization.map { OrganizationID($0) }
    var page = PolicyPage(ClientID("rider-app"), id)
    page.load(&context)
    let sheet = PolicySheet(
      client: ClientID("rider-app"), clientName: "Riders",
      organization: id.map { OrganizationEntry(id: $0, name: "North") }, tag: "t", values: values)
    for request in context.takeQueuedRequests() {
      _ = page.answered(
        request.id, .received(status: 200, body: sheet.json, serverSeconds: nil), &context)
    }
    return (page, context)
  }

  private static func list(_ page: PolicyPage, _ context: FlowContext) -> [Part] {
    for case .split(_, let list, _, _)
      in page.parts(Localizer(context), apps: [], mayChange: true)
    { return list }
    return []
  }

  private static func rows(_ parts: [Part]) -> [String] {
    var rows: [String] = []
    for case .table(let table) in parts { rows += table.rows.map(\.id) }
    return rows
  }

  private static func texts(_ parts: [Part]) -> [String] {
    var texts: [String] = []
    for part in parts {
      switch part {
      case .note(_, let text, _): texts.append(text)
      case .empty(_, _, let title, let text): texts += [title, text]
      case .button(let button): texts.append(button.label)
      case .checks(let checks):
        texts += checks.checks.map { $0.label + ($0.isOn ? " ✓" : "") } + [checks.help ?? ""]
      default: break
      }
    }
    return texts
  }

  @Test("T-16 the values of a policy are searched by name, explanation and key")
  func search() {
    var (page, context) = Self.driver([
      Self.value(.lockoutFailures), Self.value(.codeDigits), Self.value(.longestLock),
    ])
    var list = Self.list(page, context)
    #expect(
      Self.rows(list) == ["code.digits", "lockout.failures", "lockout.longest_lock_seconds"])
    #expect(
      Self.texts(list) == ["Only what differs", "The values that were changed in the console."])

    for (text, found) in [
      ("failed", ["lockout.failures"]), ("WRONG answers", ["lockout.failures"]),
      ("lockout.l", ["lockout.longest_lock_seconds"]),
      ("lock", ["lockout.failures", "lockout.longest_lock_seconds"]),
    ] {
      page.search(text, &context)
      list = Self.list(page, context)
      #expect(Self.rows(list) == found)
      #expect(Self.texts(list).last == "\(found.count) of 3 settings")
    }
    let spoken = ConsoleHome.announce(
      .valuesListed(page.filter, page.sheet.value?.values ?? []), Localizer(context))
    #expect(
      spoken == LocalizedAnnouncement(text: "2 of 3 settings", politeness: .polite))
  }

  @Test("T-16 a search without a result says so, and its button clears it")
  func nothing() {
    var (page, context) = Self.driver([Self.value(.lockoutFailures)])
    page.search("zzz", &context)
    for title in ["No setting with “zzz” was found", "No changed setting with “zzz” was found"] {
      #expect(
        Self.texts(Self.list(page, context)).suffix(3) == [
          title, "Use other words, or clear the search.", "Clear search",
        ])
      page.toggleDiffering(&context)
    }
    page.toggleDiffering(&context)

    page.clearFilter(&context)
    #expect(
      Self.texts(Self.list(page, context)) == [
        "Only what differs ✓", "The values that were changed in the console.",
        "Nothing differs", "No value has been changed here.", "Show all settings",
      ])
    page.clearFilter(&context)
    #expect(Self.rows(Self.list(page, context)) == ["lockout.failures"])
  }

  @Test("T-16 the switch of an organization shows the values that are set for it")
  func differing() {
    var (page, context) = Self.driver(
      [Self.value(.lockoutFailures, own: .int(9)), Self.value(.codeDigits)], of: "north")
    page.toggleDiffering(&context)
    let list = Self.list(page, context)

    #expect(Self.rows(list) == ["lockout.failures"])
    #expect(
      Self.texts(list) == [
        "Only what differs ✓", "The values that are set for this organization.",
        "1 of 2 settings",
      ])
  }
}
