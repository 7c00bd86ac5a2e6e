import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("Events of the security log on screen")
struct EventScreenTests {
  private static func localizer(_ language: Language) -> Localizer {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: language), WallClock())
    context.setTime(at: ScreenDriver.startTime)
    return Localizer(context)
  }

  private static func row(
    _ code: String, _ detail: String? = nil, count: Int64? = nil, language: Language = .english
  ) -> TableRow? {
    let json = JSON.members([
      JSONMember("sequence", 7), JSONMember("at", 1_700_000_000_123), JSONMember("code", code),
      JSONMember("account", "tara"), JSONMember("detail", ifPresent: detail),
      JSONMember("count", ifPresent: count),
    ])
    let named = ["tara", "ada"].map {
      AccountEntry(
        id: AccountID($0), name: "Name of " + $0, email: nil, phone: "+4790000001", role: "rider",
        status: "active", organizations: [], hasPassword: false, failuresInRow: 0,
        lockedUntil: nil, lockedDevices: 0, createdAt: ScreenDriver.startTime)
    }
    let entries = [EventEntry(json: json)].compactMap { $0 }
    let names = KnownNames(apps: [], accounts: named)
    guard case .table(let table) = localizer(language).table(entries, names, opened: nil) else {
      return nil
    }
    return table.rows.first
  }

  @Test("T-16 an event is a sentence, with its account as a link and its code in the details")
  func row() {
    let row = Self.row("account.changed", "ada name")
    let texts = row?.cells.map(\.text)

    #expect(texts?[0] == Phrase("Account changed by Name of ada"))
    #expect(texts?[2] == Phrase("Name of tara"))
    #expect(row?.cells[2].action == RowAction(button: "open_account", item: "tara"))
    #expect(texts?[5] == Phrase("account.changed ada name"))
    #expect(row?.cells[2].json["action"]?["item"]?.text == "tara")
    #expect(row?.cells[0].json["action"] == nil)
    #expect(row?.action == RowAction(button: "open_record", item: "7"))
  }

  private static func record(_ code: String, _ detail: String) -> [String] {
    let json = JSON.members([
      JSONMember("sequence", 7), JSONMember("at", 1_700_000_000_123), JSONMember("code", code),
      JSONMember("detail", detail),
    ])
    guard let event = EventEntry(json: json) else { return [] }
    var lines: [String] = []
    for case .details(_, _, _, let details) in localizer(.english).parts(
      of: event, KnownNames(apps: [], accounts: []))
    {
      lines += details.map { $0.label + ": " + $0.text.plain }
    }
    return lines
  }

  @Test("T-16 the record of a changed policy names the app and the settings")
  func changedPolicy() {
    let lines = Self.record(
      "policy.client_changed",
      #"ada rider-app {"lockout.failures":[5,8],"code.life_seconds":[300,90],"#
        + #""messages.price_per_day":[1000000000,2500000],"#
        + #""messages.minimum_conversion_percent":[10,0],"unlock":["none","biometric"],"#
        + #""countries":[null,["+47","+46"]],"texts.sign_in":["{code} is it",null],"#
        + #""future":[1,"x"],"later":[]}"#)
    #expect(
      Array(lines.dropFirst()) == [
        "Policy of: rider-app", "Failed attempts before lockout: 5 → 8",
        "Code expires after: 5 minutes → 90 seconds", "Daily message budget: 1,000.00 → 2.50",
        "Minimum share of codes entered in a monitored block: 10 % → 0 %",
        "App lock: Off → Fingerprint or face",
        "Countries that can receive messages: The app's own country, or any registered number"
          + " → +47, +46",
        "Sign-in message: {code} is it → Default text", #"future: 1 → "x""#, "Setting: later",
        "Details: policy.client_changed ada rider-app lockout.failures code.life_seconds "
          + "messages.price_per_day messages.minimum_conversion_percent unlock countries "
          + "texts.sign_in future later",
      ])
  }

  @Test("T-16 an organization's value that is not set is the same as the apps'")
  func changedPolicyOfOrganization() {
    let lines = Self.record(
      "policy.organization_changed", #"ada north {"code.digits":[null,7],"unlock":["none",null]}"#)
    #expect(lines.contains("Policy of: north"))
    #expect(lines.contains("Code length: Same as the apps → 7"))
    #expect(lines.contains("App lock: Off → Same as the apps"))
  }

  @Test("T-16 the record of a changed policy without readable values has no settings")
  func unreadableChangeOfPolicy() {
    for detail in [
      "ada", "ada rider-app", "ada rider-app code.digits", #"ada rider-app {"code.digits":"#,
      "ada rider-app {}",
    ] {
      let lines = Self.record("policy.client_changed", detail)
      #expect(!lines.contains { $0.hasPrefix("Setting") || $0.hasPrefix("Policy") }, "\(detail)")
      #expect(lines.last == "Details: policy.client_changed " + detail)
    }
  }

  @Test(
    "T-15 T-16 the list of messages names the kind of each, in the words of the filter",
    arguments: Language.allCases)
  func kindOfMessage(_ language: Language) throws {
    let localizer = Self.localizer(language)
    let entries = ["code", "notice", "future"].map { kind in
      var entry = MessageEntry(
        id: kind, to: "***-***-1234", state: "waiting", tries: 0,
        createdAt: ScreenDriver.startTime, expiresAt: ScreenDriver.startTime)
      entry.kind = kind
      return entry
    }
    guard case .table(let table) = localizer.table(entries, opened: nil),
      case .fields(_, let fields) = LogFilter().messageFields(localizer),
      let filter = fields.first(where: { $0.id == "kind" }),
      case .choice(let choices) = filter.kind
    else {
      Issue.record("no table or no filter")
      return
    }
    let kinds = table.rows.map { $0.cells[1].text.plain }
    #expect(table.columns[1] == filter.label)
    #expect(kinds == choices.dropFirst().map(\.name) + ["future"])
    #expect(choices.map(\.value) == ["", "code", "notice"])
    if language == .english { #expect(kinds == ["Code", "Notice", "future"]) }
  }

  @Test("T-16 the record of a deactivation gives the reason")
  func reason() {
    let record = Self.record("account.deactivated", "ada Left the company")
    #expect(record.contains("Reason: Left the company"))
    #expect(!Self.record("account.deactivated", "ada").contains { $0.hasPrefix("Reason") })
    #expect(!Self.record("account.changed", "ada name").contains { $0.hasPrefix("Reason") })
  }

  @Test("T-16 an unknown administrator and an unknown event are shown by their codes")
  func unknown() {
    #expect(Self.row("account.changed", "eva name")?.cells[0].text == Phrase("Account changed"))
    #expect(Self.row("account.changed", "shell")?.cells[0].text == Phrase("Account changed"))
    #expect(Self.row("future.event")?.cells[0].text == Phrase("future.event"))
  }

  @Test("T-16 the reason of an ended session is part of the sentence, and equal refusals a number")
  func reasons() {
    #expect(Self.row("session.ended", "signed_out")?.cells[0].text == Phrase("Signed out"))
    #expect(Self.row("session.ended", "future")?.cells[0].text == Phrase("Session ended"))
    #expect(Self.row("sign_in.code_refused", count: 3)?.cells[0].text == Phrase("Wrong code × 3"))
  }

  @Test(
    "T-15 T-16 every event has its own sentence in every language", arguments: Language.allCases)
  func sentences(_ language: Language) {
    var texts: Set<String> = []
    for sentence in EventSentence.allCases {
      let text = sentence.text(in: language)
      #expect(texts.insert(text).inserted, "\(sentence.rawValue)")
      #expect(!text.isEmpty && !text.contains("!") && !text.contains("  ") && text.last != ".")
      #expect(language == .english || text != sentence.text(in: .english), "\(sentence)")
      #expect(language != .hindi || !text.contains(/[A-Za-z]/), "\(sentence)")
    }
  }

  @Test("T-16 the text of a field that exists once per item contains the item")
  func crossing() throws {
    func read(_ field: String) throws -> Event? {
      let text = #"{"event":"field_edited","field":"\#(field)","text":"viewer"}"#
      return Event(json: try JSONReader.read([UInt8](text.utf8)), of: .console)
    }
    #expect(try read("permissions:north") == .page(.fieldEdited(.permissions, "viewer:north")))
    #expect(try read("permissions:") == .page(.fieldEdited(.permissions, "viewer:")))
    #expect(try read("name") == .page(.fieldEdited(.name, "viewer")))
    #expect(try read("no-field:north") == nil && read(":name") == nil)
  }
}
