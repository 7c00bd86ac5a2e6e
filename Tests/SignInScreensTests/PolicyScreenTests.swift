import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInFlow
@testable import SignInScreens

@Suite("The console's policies on screen")
struct PolicyScreenTests {
  private static func speaker(_ language: Language = .english) -> Speaker {
    var context = FlowContext()
    context.stand(.console, page: "page")
    context.meet(Reader(chosen: language), WallClock())
    context.arrive(at: Stage.noon)
    return Speaker(context)
  }

  private func value(
    _ key: PolicyKey, _ value: JSON, _ form: PolicyValue.Form,
    source: PolicyValue.Source = .standard, own: JSON = .null
  ) -> PolicyValue {
    PolicyValue(
      key: key, value: value, source: source, configured: .int(5), own: own,
      isChanged: source == .changed, form: form
    )
  }

  @Test("T-16 every value of a policy has a name of its own in words", arguments: Language.allCases)
  func names(_ language: Language) {
    let speaker = Self.speaker(language)

    let names = Set(PolicyKey.allCases.map { speaker.name(of: $0) })

    #expect(names.count == PolicyKey.allCases.count)
  }

  @Test("T-16 a row says what holds, whose word it is and what is allowed")
  func row() {
    let speaker = Self.speaker()
    let life = value(.codeLife, .int(300), .number(60...600), source: .changed)
    let limits = value(.countries, .null, .callingCodes)

    let row = speaker.row(life, isOpened: true)

    #expect(
      row.cells.map { $0.text }
        == ["A code lives", "5 minutes", "", "1 minute to 10 minutes"]
        .map { Phrase($0) })
    #expect(row.cells[2].badges == [Badge(text: "Changed here", severity: .info)])
    #expect(row.isCurrent && row.action?.item == "code.life_seconds")
    #expect(
      speaker.row(limits, isOpened: false).cells[1].text
        == Phrase("The app's own country, or any registered number"))
  }

  @Test(
    "T-16 values are said in words",
    arguments: [
      (.brakePercent, .int(10), "10 %"), (.session, .int(2_592_000), "30 days"),
      (.background, .int(0), "0 seconds"),
      (.disclosure, .string("concealed"), "Are not told apart"),
      (.unlock, .string("biometric"), "With fingerprint or face"),
      (.countries, .array([.string("+47"), .string("+46")]), "+47, +46"),
      (.signInText, .null, "The standard text"), (.signInText, .string("{code}!"), "{code}!"),
    ] as [(PolicyKey, JSON, String)]
  )
  func words(_ key: PolicyKey, _ json: JSON, _ words: String) {
    #expect(Self.speaker().words(json, of: key) == words)
  }

  @Test("T-16 a looser word of an organization is shown with why it has no effect")
  func looser() {
    let editor = PolicyEditor(
      value(.lockoutFailures, .int(5), .number(3...20), source: .client, own: .int(9))
    )

    let parts = editor.parts(Self.speaker(), mayChange: true)

    for case .field(let field) in parts {
      #expect(field.value == "9" && field.kind == .number)
      #expect(field.help?.hasSuffix("so it has no effect here.") == true)
    }
    for case .details(_, let title, let badges, let details) in parts {
      #expect(title == "Wrong answers before a lock" && badges.map { $0.text } == ["The app"])
      #expect(details.map { $0.label } == ["In force", "The organization's own", "Allowed"])
    }
  }

  @Test("T-16 seconds that are typed are said in the largest unit; mistakes name what is allowed")
  func typing() {
    var context = FlowContext()
    var editor = PolicyEditor(value(.codeLife, .int(300), .number(60...600)))
    func field() -> Field? {
      for case .field(let field) in editor.parts(Self.speaker(), mayChange: true) { return field }
      return nil
    }

    editor.type("120")
    #expect(field()?.help == "That is 2 minutes." && field()?.label == "New value in seconds")
    editor.type("601")
    _ = editor.save(&context)

    #expect(field()?.error == "Enter a whole number from 60 to 600." && field()?.help == nil)
  }

  @Test("T-16 what came of a change has words that succeed quietly and fail loudly")
  func notices() {
    let speaker = Self.speaker()
    for notice: ConsoleNotice in [
      .policySaved, .policyRestored, .policyChangedMeanwhile, .policyGone,
      .policyRefused(.lockoutFailures), .policyRefused(.countries), .policyRefused(.signInText),
    ] {
      let banner = speaker.banner(notice)
      #expect(banner.severity == (notice.isSuccess ? .success : .error) && !banner.text.isEmpty)
    }
    let texts = [PolicyKey.lockoutFailures, .countries, .signInText].map { speaker.refused($0) }
    #expect(Set(texts).count == 3)
    #expect(
      speaker.refused(.message)
        == "Enter up to 200 characters, with {code} where the code stands.")
  }
}
