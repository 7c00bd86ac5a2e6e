import Foundation
import JSONText
import SignInModel
import SignInRules
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

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

  @Test("R-07 The last line binds the code to the origin exactly as browsers require")
  func originBound() {
    let lines = text().text.split(separator: "\n", omittingEmptySubsequences: false)

    #expect(
      lines == [
        "012345 is your Fieldpass code. It expires in 5 minutes.", "", "@login.acme.no #012345",
      ])
    #expect(!text(issuer: "http://127.0.0.1:8080").text.contains("@"))
  }

  @Test("R-07 Android's hash is before the last line, and the message fits Android's limit")
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

  @Test("R-07 in every language, phones find the code in the known forms")
  func formats() throws {
    for language in MessageLanguage.allCases {
      for purpose in CodeChallenge.Purpose.allCases {
        for hash in [nil, Self.hash] {
          let text = text(language, purpose, hash: hash)
          let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false)
          // Origin-bound one-time codes need the last line to have one space and nothing else.
          let bound = try #require(lines.last?.wholeMatch(of: /@([a-z0-9.-]+) #([0-9]+)/))
          #expect(bound.1 == "login.acme.no" && bound.2 == "012345")
          // The text for people comes first, and it contains the code.
          #expect(lines[0].contains("012345") && lines[1].isEmpty)
          guard let hash, text.text.contains(hash) else { continue }
          // Android's SMS Retriever needs its own 11 characters and at most 140 bytes in total.
          #expect(lines.count(where: { $0 == hash }) == 1 && hash.utf8.count == 11)
          let units = text.segments.units
          #expect((text.segments.alphabet == .gsm7 ? (units * 7 + 7) / 8 : units * 2) <= 140)
        }
      }
    }
  }

  @Test("R-07 Every built-in text in Latin letters has one part")
  func onePart() {
    for purpose in CodeChallenge.Purpose.allCases {
      #expect(text(.english, purpose).segments.count == 1)
      #expect(text(.norwegian, purpose).segments.alphabet == .gsm7)
      #expect(text(.norwegian, purpose).segments.count == 1)
    }
    #expect(text(.hindi).segments.alphabet == .ucs2)
  }

  @Test(
    "An operator's text has the code and at most two messages: as long, and one letter more",
    arguments: [
      ("{code} for Acme", true), ("Acme", false), ("{code} for {name}", false),
      ("{code}" + String(repeating: "न", count: 126), true),
      ("{code}" + String(repeating: "न", count: 127), false),
    ] as [(String, Bool)])
  func templates(text: String, isRight: Bool) throws {
    let quoted = "\"\(text)\""

    let texts = #"{"sign_in_hi": \#(quoted)}"#

    let mistakes = try ConfigurationSample.mistakes(("clients.0.texts", texts))

    #expect(mistakes.isEmpty == isRight, "\(mistakes)")
  }

  @Test(
    "R-07 A registered text names the type of each variable, and its value must match",
    arguments: [
      ("{code:numeric} is it", nil), ("{code:alphanumeric} is it", nil),
      ("{code:url} is it", "{code} does not fit"),
      ("{code:numeric}, {minutes:numeric}", nil), ("{code:numeric}, {minutes:alphanumeric}", nil),
      ("{code:numeric}, {minutes:url}", "{minutes} does not fit"),
      ("@{host:url} #{code:numeric}", nil),
      ("@{host:numeric} #{code:numeric}", "{host} does not fit"),
      ("@{host:alphanumeric} #{code:numeric}", "{host} does not fit"),
      ("{code:numeric}, {minutes}", "mixes typed and untyped"),
      ("{code}, {minutes:numeric}", "mixes typed and untyped"),
      ("{code:number}", "unknown placeholder"), ("{code:}", "unknown placeholder"),
      ("{code:numeric:numeric}", "unknown placeholder"),
      ("{minutes:numeric}", "no {code} placeholder"),
    ] as [(String, String?)])
  func registeredTypes(text: String, problem: String?) throws {
    let mistakes = try ConfigurationSample.mistakes(
      ("clients.0.texts", #"{"sign_in": "\#(text)"}"#))

    #expect(mistakes.map(\.path) == (problem == nil ? [] : ["clients[0].texts.sign_in"]))
    #expect(mistakes.first?.problem.contains(problem ?? "") ?? true, "\(mistakes)")
  }

  @Test("R-07 Both documented forms for India are sent as registered")
  func documentedForms() throws {
    let file = ConfigurationTests.repository.appending(path: "docs/messengers.md")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    func forms(_ name: String) -> [String] {
      rows.filter { $0.hasPrefix("| \(name) | `") }.map { row in
        String(row.dropFirst("| \(name) | `".count).dropLast("` |".count))
          .replacing("\\n", with: "\n")
      }
    }
    let (registered, own) = (forms("registered"), forms("in `texts`"))

    #expect(registered.count == 2 && own.count == 2)
    for (form, text) in zip(registered, own) {
      #expect(MessageTemplate.problem(text) == nil)
      #expect(MessageTemplate(text: text).isTyped)
      let sent = MessageTemplate(text: text)
        .filled(code: "012345", lifeSeconds: 300, host: "login.acme.example")
      // The sent text is the registered text with digits instead of its variables.
      let pieces = form.split(separator: "{#numeric#}", omittingEmptySubsequences: false)
      var rest = sent[...]
      for piece in pieces {
        rest = rest.drop { $0.isNumber }
        #expect(rest.hasPrefix(piece), "\(sent)")
        rest = rest.dropFirst(piece.count)
      }
      #expect(rest.allSatisfy { $0.isNumber })
    }
  }

  @Test("R-07 A registered sender gives a warning for texts whose variables have no types")
  func untypedTexts() throws {
    let entry = #"""
      {"name": "sns", "kind": "aws-sns", "region": "ap-south-1", "access_key_id": "A",
        "secret_access_key_env": "KEY", "entity_id": "1", "template_id": "2"}
      """#
    func warnings(_ texts: String?) throws -> [String] {
      let bytes = try ConfigurationSample.edited([
        ("issuer", "\"http://localhost:1\""), ("messengers.0", entry), ("clients.0.texts", texts),
        ("clients.1.texts", #"{"sign_in": "{code:numeric}"}"#),
      ])
      return try Configuration.parse(bytes, development: true).get().warnings
    }

    #expect(try warnings(#"{"sign_in": "{code:numeric}"}"#) == [])
    for texts in [#"{"sign_in": "{code}"}"#, nil] {
      let found = try warnings(texts)
      #expect(found.count == 1 && found[0].contains("texts of app do not say"))
    }
  }

  @Test("R-07 If the whole is too long, its second sentence is omitted")
  func shortened() {
    let template = "{code} is it. " + String(repeating: "नमस्ते ", count: 30) + "."

    let short = text(template: template)

    #expect(short.text == "012345 is it.\n\n@login.acme.no #012345")
  }

  @Test(
    "The most expensive built-in language decides",
    arguments: [
      ("", "en"), ("hi-IN,hi;q=0.9,en;q=0.8", "hi"), ("no", "nb"), ("nn-NO, en", "nb"),
      ("de, fr;q=0.9, nb;q=0.1", "nb"), ("en;q=0.5, hi;q=0.51", "hi"), ("hi;q=0, en", "en"),
      ("*", "en"), (";;;,,q=", "en"), ("hi;q=1.0,nb", "hi"),
    ] as [(String, String)])
  func languages(field: String, expected: String) {
    let preferredTags = MessageLanguage.preferredTags(acceptLanguage: field)

    #expect(MessageLanguage(preferredTags: preferredTags).rawValue == expected)
  }

  @Test("R-07 A message is in the person's language and in the operator's words")
  func operatorsWords() async throws {
    let texts = #"""
      {"sign_in_nb": "{code} er koden til appen.", "sign_in": "{code} for the app."}
      """#
    let bytes = try ConfigurationSample.edited([
      ("issuer", "\"http://localhost:1\""), ("clients.0.texts", texts),
    ])
    let parsed = try Configuration.parse(bytes, development: true).get()
    var client = TestWorld.technicians
    client.policy[.codeResend] = 15
    let test = try await TestWorld(client: try #require(parsed.clients.first).copied(for: client))
    var written: [String] = []

    for languages in [["nb-NO"], ["hi"], ["fr", "no"]] {
      _ = await test.begin(languages: languages)
      _ = await test.code()
      written.append(String(test.messenger.messages.last?.text.revealed.dropFirst(6) ?? ""))
      test.clock.advance(seconds: 61)
    }

    #expect(written == [" er koden til appen.", " for the app.", " er koden til appen."])
  }
}

extension AppRegistration {
  /// Another app with the texts of this one.
  fileprivate func copied(for other: AppRegistration) -> AppRegistration {
    var client = AppRegistration(
      id: other.id, name: other.name, home: other.home, signIn: other.signIn, roles: other.roles,
      scopes: other.scopes
    )
    client.policy.apply(.object(policy.members))
    return client
  }
}
