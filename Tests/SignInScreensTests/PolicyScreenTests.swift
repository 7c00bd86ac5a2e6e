import JSONText
import SignInModel
import SignInWire
import Testing

@testable import SignInEngine
@testable import SignInFlow
@testable import SignInScreens

@Suite("The console's policies on screen")
struct PolicyScreenTests {
  private static func localizer(_ language: Language = .english) -> Localizer {
    var context = FlowContext()
    context.setApp(.console, page: "page")
    context.setLocale(LocalePreferences(chosen: language), WallClock())
    context.setTime(at: ScreenDriver.startTime)
    return Localizer(context)
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

  @Test("T-16 every policy value has its own name in words", arguments: Language.allCases)
  func names(_ language: Language) {
    let localizer = Self.localizer(language)

    let names = Set(PolicyKey.allCases.map { localizer.name(of: $0) })

    #expect(names.count == PolicyKey.allCases.count)
  }

  @Test("T-16 every policy value has an explanation in one line", arguments: Language.allCases)
  func explanations(_ language: Language) {
    let localizer = Self.localizer(language)

    for key in PolicyKey.allCases {
      let text = localizer.explanation(of: key)
      #expect((10...110).contains(text.count) && text != localizer.name(of: key), "\(key)")
      #expect(text.hasSuffix(language == .hindi ? "।" : "."), "\(key)")
    }
  }

  @Test("T-16 a row shows the value, its source and the allowed range")
  func row() {
    let localizer = Self.localizer()
    let life = value(.codeLife, .int(300), .number(60...600), source: .changed)
    let limits = value(.countries, .null, .callingCodes)

    let row = localizer.row(life, opened: nil)

    #expect(
      row.cells.map { $0.text }
        == ["Code expires after", "5 minutes", "", "1 minute to 10 minutes"]
        .map { Phrase($0) })
    #expect(row.cells[2].badges == [Badge(text: "Changed in the console", severity: .info)])
    #expect(row.note == "How long a code can be used.")
    #expect(!row.isCurrent && row.action?.item == "code.life_seconds")
    #expect(
      localizer.row(limits, opened: nil).cells[1].text
        == Phrase("The app's own country, or any registered number"))
  }

  @Test("T-16 beside an opened value, a row leaves out the allowed range")
  func rowBesideOpened() {
    let localizer = Self.localizer()
    let life = value(.codeLife, .int(300), .number(60...600), source: .changed)
    let limits = value(.countries, .null, .callingCodes)

    let opened = localizer.row(life, opened: .codeLife)
    let other = localizer.row(limits, opened: .codeLife)

    #expect(opened.cells.map(\.text) == ["Code expires after", "5 minutes", ""].map { Phrase($0) })
    #expect(opened.isCurrent && !other.isCurrent)
    #expect(other.cells.count == 3)
  }

  @Test(
    "T-16 values are shown in words",
    arguments: [
      (.minimumConversion, .int(10), "10 %"), (.session, .int(2_592_000), "30 days"),
      (.background, .int(0), "0 seconds"), (.priceDaily, .int(1_000_000_000), "1,000.00"),
      (.priceDaily, .int(2_500), "0.0025"),
      (.disclosure, .string("concealed"), "No"),
      (.unlock, .string("biometric"), "Fingerprint or face"),
      (.countries, .array([.string("+47"), .string("+46")]), "+47, +46"),
      (.signInText, .null, "Default text"), (.signInText, .string("{code}!"), "{code}!"),
    ] as [(PolicyKey, JSON, String)]
  )
  func words(_ key: PolicyKey, _ json: JSON, _ words: String) {
    #expect(Self.localizer().words(json, of: key) == words)
  }

  @Test("T-16 an organization's looser value is shown with the reason why it has no effect")
  func looser() {
    let editor = PolicyEditor(
      value(.lockoutFailures, .int(5), .number(3...20), source: .client, own: .int(9))
    )

    let parts = editor.parts(Self.localizer(), mayChange: true)

    for case .field(let field) in parts {
      #expect(field.value == "9" && field.kind == .number)
      #expect(field.help?.hasSuffix("so it has no effect here.") == true)
    }
    for case .details(_, let title, let badges, let details) in parts {
      #expect(title == "Failed attempts before lockout" && badges.map { $0.text } == ["App"])
      #expect(
        details.map { $0.label } == [
          "Current value", "The organization's value", "Allowed values",
          "Key in the configuration",
        ])
      #expect(details.last?.text == Phrase("lockout.failures"))
    }
  }

  private func fields(_ editor: PolicyEditor, _ language: Language = .english) -> [Field] {
    var found: [Field] = []
    for part in editor.parts(Self.localizer(language), mayChange: true) {
      switch part {
      case .field(let field): found.append(field)
      case .fields(_, let fields): found += fields
      default: break
      }
    }
    return found
  }

  @Test("T-16 a time has a number and its unit; mistakes name what is allowed")
  func times() {
    var context = FlowContext()
    var editor = PolicyEditor(value(.codeLife, .int(300), .number(60...600)))
    #expect(fields(editor).map(\.label) == ["New value", "Unit"])
    #expect(fields(editor).map(\.value) == ["5", "minutes"])
    #expect(fields(editor).first?.kind == .number)

    editor.type("11")
    _ = editor.save(&context)

    #expect(
      fields(editor).first?.error
        == "Enter a time from 1 minute to 10 minutes, as a whole number.")
  }

  @Test("T-16 every unit has a name in every language", arguments: Language.allCases)
  func units(_ language: Language) {
    let localizer = Self.localizer(language)

    #expect(Set(TimeUnit.allCases.map { localizer.name(of: $0) }).count == TimeUnit.allCases.count)
  }

  @Test("T-16 an amount of money has decimals; mistakes name what is allowed")
  func amounts() {
    var context = FlowContext()
    let budget = value(.priceDaily, .int(1_000_000_000), .number(0...1_000_000_000_000))
    var editor = PolicyEditor(budget)
    #expect(fields(editor).map(\.value) == ["1000.00"] && fields(editor).first?.kind == .text)
    #expect(fields(PolicyEditor(budget, in: .norwegian)).map(\.value) == ["1000,00"])

    editor.type("1,5")
    _ = editor.save(&context)

    #expect(
      fields(editor).first?.error
        == "Enter an amount from 0.00 to 1,000,000.00, with at most 6 decimals.")
  }

  @Test("T-16 a successful change is announced quietly, a failed one interrupts")
  func notices() {
    let localizer = Self.localizer()
    for notice: ConsoleNotice in [
      .policySaved, .policyRestored, .policyChangedElsewhere, .policyGone,
      .policyRefused(.lockoutFailures), .policyRefused(.countries), .policyRefused(.signInText),
    ] {
      let banner = localizer.banner(notice)
      #expect(banner.severity == (notice.isSuccess ? .success : .error) && !banner.text.isEmpty)
    }
    let texts = [PolicyKey.lockoutFailures, .countries, .signInText].map { localizer.refused($0) }
    #expect(Set(texts).count == 3)
    #expect(
      localizer.refused(.message)
        == "Enter up to 200 characters. Use {code} where the code appears.")
  }
}
