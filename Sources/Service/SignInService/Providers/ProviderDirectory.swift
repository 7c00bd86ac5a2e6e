import JSONText
import SignInModel

/// The identity providers of this server, with their metadata and keys.
///
/// Both documents are fetched outside every transaction and stored, so that a restart needs no
/// provider. Requests that need the same document at the same time share one fetch.
public actor ProviderDirectory {
  /// The reason why a provider cannot be used now.
  public enum Fault: Error, Equatable, Sendable {
    /// It does not answer, or answers with an error. The text is for the log.
    case unavailable(String)
    /// The configuration here or at the provider is wrong.
    case misconfigured([ProviderMistake])
  }

  public enum Limits {
    /// How old a document is when it is fetched again, in seconds.
    ///
    /// A key that the provider withdraws is not accepted after this time.
    public static let refreshSeconds: Int64 = 60 * 60
    /// How long a document is used if it cannot be fetched again, in seconds.
    public static let staleSeconds: Int64 = 24 * 60 * 60
    /// The pause between two fetches of the keys because of an unknown key, in seconds.
    public static let unknownKeySeconds: Int64 = 60
    /// The pause after a failed fetch, in seconds.
    ///
    /// Until then, requests fail at once instead of waiting for the provider.
    public static let failureSeconds: Int64 = 10
    /// The longest time that one request waits for a provider, all calls together.
    public static let waitMilliseconds: Int64 = 4500
  }

  private struct Place: Hashable {
    let provider: String
    let kind: ProviderDocument.Kind
  }

  /// A document and the way to get it.
  ///
  /// `check` returns the mistakes of a new document. A document with mistakes is not stored.
  private struct Source: Sendable {
    let kind: ProviderDocument.Kind
    let provider: IdentityProvider
    let url: String
    let check: @Sendable (JSON) -> [ProviderMistake]

    var place: Place { Place(provider: provider.name, kind: kind) }
  }

  private struct Attempt {
    let at: Instant
    let fault: Fault?
  }

  public nonisolated let providers: [IdentityProvider]
  nonisolated let calls: any ProviderCalls
  /// Nil if documents are not stored.
  private let store: (any Store)?
  private let clock: any Clock
  private var running: [Place: Task<Result<JSON, Fault>, Never>] = [:]
  private var attempts: [Place: Attempt] = [:]
  /// How many fetches of a document have ended.
  private var fetchCounts: [Place: Int] = [:]

  public init(
    _ providers: [IdentityProvider], calls: any ProviderCalls, store: (any Store)?,
    clock: any Clock
  ) {
    self.providers = providers
    self.calls = calls
    self.store = store
    self.clock = clock
  }

  public nonisolated func provider(_ name: String) -> IdentityProvider? {
    providers.first { $0.name.hasSameBytes(as: name) }
  }

  /// Whether the last fetch of a document of this provider failed.
  public func hasFailed(_ name: String) -> Bool {
    attempts.contains { $0.key.provider == name && $0.value.fault != nil }
  }

  /// The metadata of a provider.
  ///
  /// The request waits at most `milliseconds` for it.
  public func metadata(
    of provider: IdentityProvider, within milliseconds: Int64 = Limits.waitMilliseconds
  ) async throws(Fault) -> ProviderMetadata {
    switch provider.settings.kind {
    case .oauth2(let endpoints): return ProviderMetadata(endpoints)
    case .openID(let issuer, let discovery):
      let source = Source(kind: .metadata, provider: provider, url: discovery) { json in
        do throws(ProviderMistakes) {
          _ = try ProviderMetadata(reading: json, issuer: issuer, for: provider.settings)
          return []
        } catch {
          return error.mistakes
        }
      }
      let json = try await document(source, within: milliseconds)
      do throws(ProviderMistakes) {
        return try ProviderMetadata(reading: json, issuer: issuer, for: provider.settings)
      } catch {
        throw .misconfigured(error.mistakes)
      }
    }
  }

  /// The metadata that was fetched last; nil if there is none.
  ///
  /// It calls no provider, so that a sign-out does not wait for one.
  func storedMetadata(of provider: IdentityProvider) async -> ProviderMetadata? {
    guard case .openID(let issuer, let discovery) = provider.settings.kind else { return nil }
    let found: ProviderDocument?
    do throws(Fault) {
      found = try await stored(Place(provider: provider.name, kind: .metadata), discovery)
    } catch {
      return nil
    }
    guard let json = found?.json else { return nil }
    do throws(ProviderMistakes) {
      return try ProviderMetadata(reading: json, issuer: issuer, for: provider.settings)
    } catch {
      return nil
    }
  }

  /// The keys of an OpenID provider.
  ///
  /// `isAfterUnknownKey` fetches them again, but not more often than the limit allows. The request
  /// waits at most `milliseconds`.
  public func keys(
    of provider: IdentityProvider, _ metadata: ProviderMetadata, isAfterUnknownKey: Bool = false,
    within milliseconds: Int64 = Limits.waitMilliseconds
  ) async throws(Fault) -> ProviderKeys {
    guard let url = metadata.keysURL else {
      throw .misconfigured([
        ProviderMistake(problem: "has no keys", remedy: "use the kind `openid`")
      ])
    }
    let algorithms = provider.settings.algorithms
    let source = Source(kind: .keys, provider: provider, url: url) {
      Self.mistakes(inKeys: $0, for: algorithms)
    }
    let json = try await document(
      source, within: milliseconds, isAfterUnknownKey: isAfterUnknownKey)
    do throws(ProviderKeys.Fault) {
      return try ProviderKeys(reading: json, for: algorithms)
    } catch {
      throw .misconfigured(Self.mistakes(inKeys: json, for: algorithms))
    }
  }

  private static func mistakes(
    inKeys json: JSON, for algorithms: [SignatureAlgorithm]
  ) -> [ProviderMistake] {
    do throws(ProviderKeys.Fault) {
      _ = try ProviderKeys(reading: json, for: algorithms)
      return []
    } catch {
      let names = algorithms.map(\.rawValue).joined(separator: ", ")
      return switch error {
      case .noKeySet:
        [ProviderMistake(problem: "is not a JWK set", remedy: "ask the provider to correct it")]
      case .tooManyKeys:
        [
          ProviderMistake(
            problem: "has more than \(ProviderKeys.countLimit) keys",
            remedy: "ask the provider to remove old keys")
        ]
      case .noUsableKey:
        [
          ProviderMistake(
            problem: "has no key for \(names)",
            remedy: "write the provider's algorithms under `signing_algorithms`")
        ]
      }
    }
  }

  /// A document that is fresh enough, from the store or from the provider.
  private func document(
    _ source: Source, within milliseconds: Int64, isAfterUnknownKey: Bool = false
  ) async throws(Fault) -> JSON {
    let (place, url) = (source.place, source.url)
    var count = fetchCounts[place]
    var stored = try await stored(place, url)
    // A fetch that ended during the read has stored a newer document.
    while fetchCounts[place] != count {
      count = fetchCounts[place]
      stored = try await self.stored(place, url)
    }
    let now = clock.now()
    let age = stored.map { now.seconds - $0.fetchedAt.seconds } ?? .max
    let isOld = age >= Limits.refreshSeconds || age < 0
    let isPaused = isPaused(place, isAfterUnknownKey: isAfterUnknownKey, at: now)
    var isWithdrawn = false
    if case .misconfigured? = attempts[place]?.fault { isWithdrawn = true }
    // What replaced an old document was wrong, so the old one is not used any more.
    let mayUseOld = isPaused && !(isOld && isWithdrawn)
    if let stored, let json = stored.json, mayUseOld || !(isOld || isAfterUnknownKey) {
      if age < Limits.staleSeconds { return json }
    }
    if isPaused, running[place] == nil, let fault = attempts[place]?.fault { throw fault }
    let fetch = running[place] ?? begin(source)
    let result = await fetch.value(within: milliseconds, clock)
    switch result ?? .failure(.unavailable("\(source.kind.words): no answer in time")) {
    case .success(let json): return json
    case .failure(let fault):
      // The earlier document is used while the provider does not answer.
      if case .unavailable = fault, let json = stored?.json, age < Limits.staleSeconds {
        return json
      }
      throw fault
    }
  }

  private func isPaused(_ place: Place, isAfterUnknownKey: Bool, at now: Instant) -> Bool {
    guard let attempt = attempts[place] else { return false }
    let since = now.seconds - attempt.at.seconds
    if attempt.fault != nil, (0..<Limits.failureSeconds).contains(since) { return true }
    return isAfterUnknownKey && (0..<Limits.unknownKeySeconds).contains(since)
  }

  private func stored(_ place: Place, _ url: String) async throws(Fault) -> ProviderDocument? {
    guard let store else { return nil }
    do throws(StoreFault) {
      let found = try await store.read {
        (transaction: any ProviderDocumentRecords) throws(StoreFault) in
        try transaction.providerDocument(place.kind, of: place.provider)
      }
      return found.flatMap { $0.url.hasSameBytes(as: url) ? $0 : nil }
    } catch {
      throw .unavailable("the store cannot be read")
    }
  }

  /// Begins a fetch of the document for all requests that need it.
  ///
  /// It has its own time, so that it continues if a request stops waiting.
  private func begin(_ source: Source) -> Task<Result<JSON, Fault>, Never> {
    let task = Task { () -> Result<JSON, Fault> in
      let result = await self.fetch(source)
      self.end(source.place, result)
      return result
    }
    running[source.place] = task
    return task
  }

  private func end(_ place: Place, _ result: Result<JSON, Fault>) {
    running[place] = nil
    fetchCounts[place, default: 0] += 1
    let fault: Fault? = if case .failure(let fault) = result { fault } else { nil }
    attempts[place] = Attempt(at: clock.now(), fault: fault)
  }

  private nonisolated func fetch(_ source: Source) async -> Result<JSON, Fault> {
    let request = source.provider.request(to: source.url, within: Limits.waitMilliseconds)
    let words = source.kind.words
    let response: ProviderResponse
    do throws(ProviderCallFault) { response = try await calls.send(request) } catch {
      return .failure(.unavailable("\(words): \(error.why)"))
    }
    guard response.status == 200 else {
      return .failure(.unavailable("\(words): answered \(response.status)"))
    }
    let document = ProviderDocument(
      provider: source.provider.name, kind: source.kind, url: source.url, body: response.body,
      fetchedAt: clock.now())
    guard let json = document.json else {
      return .failure(
        .misconfigured([
          ProviderMistake(
            problem: "\(words) is not JSON", remedy: "check the address `\(source.url)`")
        ]))
    }
    let mistakes = source.check(json)
    guard mistakes.isEmpty else {
      return .failure(
        .misconfigured(
          mistakes.map {
            ProviderMistake(problem: "\(words) \($0.problem)", remedy: $0.remedy)
          }))
    }
    guard let store else { return .success(json) }
    do throws(StoreFault) {
      try await store.transact(about: []) {
        (transaction: any ProviderDocumentRecords) throws(StoreFault) in
        try transaction.save(document)
      }
    } catch {
      return .failure(.unavailable("the store cannot be written"))
    }
    return .success(json)
  }
}

extension ProviderDocument {
  /// Nil if the body is not JSON within the limits.
  fileprivate var json: JSON? {
    do throws(JSONMalformed) {
      return try JSONReader.read(body, within: .providerDocument)
    } catch {
      return nil
    }
  }
}

extension ProviderDocument.Kind {
  fileprivate var words: String {
    switch self {
    case .metadata: "its metadata"
    case .keys: "its key set"
    }
  }
}
