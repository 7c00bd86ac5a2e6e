import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

@Suite("The text of a message")
struct MessageTextTests {
  private static let hash = "FA+9qCX9VSu"

  private func text(
    _ language: MessageLanguage = .english, _ purpose: CodeChallenge.Purpose = .signIn,
    template: String? = nil, hash: String? = nil, issuer: String = "https://login.acme.no:8443/x"
  ) -> MessageText {
    MessageText(
      code: "012345", template: template ?? MessageText.template(language, for: purpose),
      lifeSeconds: 300, androidAppHash: hash, issuer: issuer
    )
  }

  @Test("The last line binds the code to the origin exactly as browsers demand")
  func originBound() {
    let lines = text().text.split(separator: "\n", omittingEmptySubsequences: false)

    #expect(
      lines == [
        "012345 is your Fieldpass code. It expires in 5 minutes.", "", "@login.acme.no #012345",
      ])
    #expect(!text(issuer: "http://127.0.0.1:8080").text.contains("@"))
  }

  @Test("Android's hash stands before it, and the whole fits into what Android reads")
  func android() {
    let lines = text(hash: Self.hash).text.split(separator: "\n")

    #expect(lines.suffix(2) == ["FA+9qCX9VSu", "@login.acme.no #012345"])
    for language in MessageLanguage.allCases {
      for purpose in CodeChallenge.Purpose.allCases {
        let text = text(language, purpose, hash: Self.hash)
        let hasHash = text.text.contains(Self.hash)
        #expect(!hasHash || text.segments.count == 1, "\(language) \(purpose)")
        #expect(text.segments.count <= MessageText.segmentLimit, "\(language) \(purpose)")
        #expect(text.text.contains("012345"))
      }
    }
  }

  @Test("Every text of ours in Latin letters is one part")
  func onePart() {
    for purpose in CodeChallenge.Purpose.allCases {
      #expect(text(.english, purpose).segments.count == 1)
      #expect(text(.norwegian, purpose).segments.alphabet == .gsm7)
      #expect(text(.norwegian, purpose).segments.count == 1)
    }
    #expect(text(.hindi).segments.alphabet == .ucs2)
  }

  @Test(
    "A template names the code once and fits",
    arguments: [
      ("{code} for Acme", true), ("Acme", false), ("{code} {code}", false),
      ("{code} " + String(repeating: "a", count: 100) + ".", true),
      ("{code} " + String(repeating: "å", count: 400), false),
      ("{code} " + String(repeating: "न", count: 200), false),
    ] as [(String, Bool)])
  func templates(template: String, isRight: Bool) {
    let problem = MessageText.problem(
      template, androidAppHash: nil, issuer: "https://login.acme.no"
    )

    #expect((problem == nil) == isRight, "\(problem ?? "")")
  }

  @Test("Where the whole is too long, its second sentence is left out")
  func shortened() {
    let template = "{code} is it. " + String(repeating: "नमस्ते ", count: 30) + "."

    let short = text(template: template)

    #expect(short.text == "012345 is it.\n\n@login.acme.no #012345")
  }

  @Test(
    "The dearest language we write is taken",
    arguments: [
      ("", "en"), ("hi-IN,hi;q=0.9,en;q=0.8", "hi"), ("no", "nb"), ("nn-NO, en", "nb"),
      ("de, fr;q=0.9, nb;q=0.1", "nb"), ("en;q=0.5, hi;q=0.51", "hi"), ("hi;q=0, en", "en"),
      ("*", "en"), (";;;,,q=", "en"), ("hi;q=1.0,nb", "hi"),
    ] as [(String, String)])
  func languages(field: String, expected: String) {
    let wishes = MessageLanguage.wishes(acceptLanguage: field)

    #expect(MessageLanguage(wishes: wishes).rawValue == expected)
  }

  @Test("A person is written in their language, in their organization's words")
  func organizationsWords() async throws {
    var client = TestWorld.technicians
    client.texts = ["nb": "{code} er koden til appen."]
    var north = Configuration.Organization(id: OrganizationID("north"), name: "North")
    north.texts = ["nb": "{code} er koden til Nord."]
    let test = try await TestWorld(client: client, organizations: [north])
    try await test.insert("nora", phone: "+4790000002", organizations: ["north"])

    _ = await test.begin(username: "nora@example.com", languages: ["nb-NO"])
    _ = await test.code()
    _ = await test.begin(languages: ["nb"])
    _ = await test.code()

    #expect(test.messenger.messages[0].text.revealed.dropFirst(6).hasPrefix(" er koden til Nord."))
    #expect(test.messenger.messages[1].text.revealed.dropFirst(6).hasPrefix(" er koden til appen."))
  }
}
