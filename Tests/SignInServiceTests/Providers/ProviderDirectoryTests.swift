import JSONText
import SignInModel
import SignInService
import SignInTesting
import Testing

@Suite("Metadata and keys of identity providers")
struct ProviderDirectoryTests {
  private let provider = ScriptedProvider()
  private let store = MemoryStore()
  private let clock = SimulatedClock()

  private func directory() -> ProviderDirectory {
    ProviderDirectory(
      [ScriptedProvider.openID()], calls: provider, store: store, clock: clock)
  }

  private func keys(
    in directory: ProviderDirectory, isAfterUnknownKey: Bool = false
  ) async -> ProviderDirectory.Fault? {
    let login = ScriptedProvider.openID()
    do throws(ProviderDirectory.Fault) {
      let metadata = try await directory.metadata(of: login)
      _ = try await directory.keys(of: login, metadata, isAfterUnknownKey: isAfterUnknownKey)
      return nil
    } catch {
      return error
    }
  }

  private static let discovery = "/.well-known/openid-configuration"

  @Test("P-09 many requests at the same time share one fetch")
  func shared() async {
    let directory = directory()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await keys(in: directory) == nil } }
      for await isFound in group { #expect(isFound) }
    }
    #expect(provider.asked == [Self.discovery, "/keys"])
  }

  @Test("P-09 after a restart the stored documents are used and the provider is not called")
  func restarted() async {
    #expect(await keys(in: directory()) == nil)
    provider.fail(Self.discovery)
    provider.fail("/keys")
    #expect(await keys(in: directory()) == nil)
    #expect(provider.asked == [Self.discovery, "/keys"])
  }

  @Test("S-09 after the provider withdrew its keys, the earlier ones are not used again")
  func withdrawn() async {
    let directory = directory()
    #expect(await keys(in: directory) == nil)
    clock.advance(seconds: 3600)
    provider.answer("/keys", #"{"keys":[]}"#)
    for _ in 0..<3 {
      guard case .misconfigured? = await keys(in: directory) else {
        Issue.record("an earlier key was used")
        return
      }
    }
  }

  @Test(
    "P-09 a document is fetched again after one hour", arguments: [(3599, 2), (3600, 4)])
  func aged(_ seconds: Int64, _ calls: Int) async {
    let directory = directory()
    #expect(await keys(in: directory) == nil)
    clock.advance(seconds: seconds)
    #expect(await keys(in: directory) == nil)
    #expect(provider.asked.count == calls)
  }

  @Test(
    "P-03 while the provider does not answer, its documents are used for one day",
    arguments: [(86_399, true), (86_400, false)])
  func stale(_ seconds: Int64, _ isUsed: Bool) async {
    let directory = directory()
    #expect(await keys(in: directory) == nil)
    provider.fail(Self.discovery)
    provider.fail("/keys")
    clock.advance(seconds: seconds)
    let fault = await keys(in: directory)
    #expect(fault == (isUsed ? nil : .unavailable("its metadata: no answer in time")))
  }

  @Test("P-03 after a failed fetch, requests fail at once for ten seconds")
  func paused() async {
    provider.answer(Self.discovery, "busy", status: 503)
    let directory = directory()
    let fault = ProviderDirectory.Fault.unavailable("its metadata: answered 503")
    #expect(await keys(in: directory) == fault)
    clock.advance(seconds: 9)
    #expect(await keys(in: directory) == fault)
    #expect(provider.asked.count == 1)
    provider.answer(Self.discovery, ScriptedProvider.metadata())
    clock.advance(seconds: 1)
    #expect(await keys(in: directory) == nil)
    #expect(await !directory.hasFailed("login"))
  }

  @Test("P-09 an unknown key causes at most one fetch of the keys a minute")
  func unknownKey() async {
    let directory = directory()
    #expect(await keys(in: directory) == nil)
    clock.advance(seconds: 60)
    for _ in 0..<5 { #expect(await keys(in: directory, isAfterUnknownKey: true) == nil) }
    #expect(provider.asked == [Self.discovery, "/keys", "/keys"])
    clock.advance(seconds: 59)
    #expect(await keys(in: directory, isAfterUnknownKey: true) == nil)
    #expect(provider.asked.count == 3)
    clock.advance(seconds: 1)
    #expect(await keys(in: directory, isAfterUnknownKey: true) == nil)
    #expect(provider.asked.count == 4)
  }

  @Test("P-09 a stored document of another address is not used")
  func otherAddress() async {
    #expect(await keys(in: directory()) == nil)
    provider.answer(
      Self.discovery,
      ScriptedProvider.metadata(["jwks_uri": .string(ScriptedProvider.issuer + "/others")]))
    provider.answer("/others", ProviderExamples.keys)
    clock.advance(seconds: 3600)
    #expect(await keys(in: directory()) == nil)
    #expect(provider.asked.last == "/others")
  }

  @Test("P-09 the answer 302, a document that is not JSON, and keys without a use are faults")
  func useless() async {
    provider.answer("/keys", "", status: 302)
    #expect(await keys(in: directory()) == .unavailable("its key set: answered 302"))
    provider.answer("/keys", "<html>")
    guard case .misconfigured(let mistakes)? = await keys(in: directory()) else {
      Issue.record("HTML is not a key set")
      return
    }
    #expect(mistakes.map(\.problem) == ["its key set is not JSON"])
    provider.answer("/keys", #"{"keys":[]}"#)
    guard case .misconfigured(let others)? = await keys(in: directory()) else {
      Issue.record("an empty set has no usable key")
      return
    }
    #expect(others.map(\.problem) == ["its key set has no key for RS256"])
  }

  private static let mistakes: [(String, JSON?, String)] = [
    (
      "issuer", .string("https://login.example.net/"),
      "names the issuer `https://login.example.net/`"
    ),
    ("issuer", .string("https://e\nx"), "names another issuer"),
    ("issuer", nil, "names no issuer"),
    ("authorization_endpoint", nil, "has no `authorization_endpoint`"),
    ("token_endpoint", .string("http://login.example.net/token"), "has a `token_endpoint` that"),
    ("token_endpoint", .int(1), "has a `token_endpoint` that is not an https address"),
    ("jwks_uri", .string("file:///etc/passwd"), "has a `jwks_uri` that is not an https address"),
    (
      "code_challenge_methods_supported", .array([.string("plain")]),
      "does not support PKCE with S256"
    ),
    (
      "response_types_supported", .array([.string("id_token")]),
      "does not support the authorization code flow"
    ),
    (
      "id_token_signing_alg_values_supported", .array([.string("ES256")]),
      "signs ID tokens with other algorithms"
    ),
    (
      "require_pushed_authorization_requests", .bool(true),
      "requires pushed authorization requests and names no endpoint"
    ),
  ]

  @Test("P-09 each mistake in the metadata is named", arguments: Self.mistakes)
  func metadata(_ member: String, _ value: JSON?, _ problem: String) throws {
    let json = try JSONReader.read(
      Array(ScriptedProvider.metadata([member: value]).utf8), within: .providerDocument)
    let error = #expect(throws: ProviderMistakes.self) {
      try ProviderMetadata(
        reading: json, issuer: ScriptedProvider.issuer, for: ScriptedProvider.openID().settings)
    }
    #expect(error?.mistakes.count == 1)
    #expect(error?.mistakes.first?.problem.hasPrefix(problem) == true)
  }

  @Test("P-09 all mistakes in the metadata are found at once")
  func allMistakes() {
    let error = #expect(throws: ProviderMistakes.self) {
      try ProviderMetadata(
        reading: .object([]), issuer: ScriptedProvider.issuer,
        for: ScriptedProvider.openID().settings)
    }
    #expect(error?.mistakes.count == 4)
  }
}
