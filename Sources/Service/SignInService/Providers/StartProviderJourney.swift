import Cryptography
public import SignInModel
import SignInWire

/// What a browser gets at the authorization endpoint or the callback.
public enum BrowserStep: Equatable, Sendable {
  /// Go to this address.
  case redirect(String)
  /// Go to the provider, with this value of the cookie.
  case toProvider(String, cookie: Secret)
  /// Show this page, because it is not safe to go back to an app.
  case page(BrowserFault)
}

/// The reason why a sign-in in the browser cannot continue, and no app is told.
public enum BrowserFault: String, Error, Equatable, Sendable, CaseIterable {
  /// The sign-in is unknown, or it has expired or ended.
  case unknown
  /// Another browser started it.
  case otherBrowser = "other_browser"
}

/// Opens a stored request in a browser, and leads it to the provider.
///
/// `cookie` is the value that an earlier step gave to this browser. A further request of the same
/// browser is answered again, because a person may go back from the provider's page. Another
/// browser is refused and uses up nothing: an attacker who opened the request first could
/// otherwise ask for the code of a person who completed it. If the provider cannot be used, the
/// app gets an error and the journey ends.
public func startProviderJourney(
  requestURI: String, client: ClientID, cookie: Secret?, in world: World
) async -> BrowserStep {
  guard requestURI.hasPrefix(PushedRequestAnswer.prefix), let directory = world.providers else {
    return .page(.unknown)
  }
  let reference = String(requestURI.dropFirst(PushedRequestAnswer.prefix.count))
  let digest = TimeOrderedHandle.digest(of: reference)
  let now = world.clock.now()
  let handles = BrowserHandles(
    state: world.keyring.providerState(of: digest), cookie: cookie ?? Secret(world.handle()))
  let state = SHA256Digest.of(handles.state.revealed)
  let found: ProviderJourney?
  do throws(Refusal) {
    found = try await world.decide(about: [.providerJourney(state)]) {
      (transaction: any ProviderJourneyRecords) throws in
      guard var journey = try transaction.providerJourney(digest: digest),
        journey.client == client, world.permits(journey)
      else { return nil }
      if case .ended = journey.progress { return journey }
      guard journey.mayStart(in: cookie, at: now) else { return nil }
      journey.start(in: SHA256Digest.of(handles.cookie.revealed), state: state)
      try transaction.update(journey)
      return journey
    }
  } catch {
    return .page(.unknown)
  }
  guard let journey = found, let provider = directory.provider(journey.provider) else {
    return .page(.unknown)
  }
  if case .ended(let ending) = journey.progress {
    // An error reveals nothing that the request itself does not.
    if case .error(let error)? = ending?.outcome {
      return .redirect(journey.result(.error(error), in: world))
    }
    return await world.repeated(journey, ending, by: cookie)
  }
  let deadline = ProviderDeadline(from: now, world.clock)
  do throws(ProviderDirectory.Fault) {
    let metadata = try await directory.metadata(of: provider, within: deadline.millisecondsLeft)
    let location = try await AuthorizationRequest(
      provider: provider, metadata: metadata, journey: journey, state: handles.state
    ).location(in: world, directory, until: deadline)
    return .toProvider(location, cookie: handles.cookie)
  } catch {
    world.report(error, of: provider.name)
    await end(journey, after: .providerFault(error), in: world)
    return .redirect(journey.result(.providerFault(error), in: world))
  }
}

/// Ends a journey whose browser goes back to the app, unless another opening has followed.
///
/// If the store fails, the journey expires.
private func end(
  _ opened: ProviderJourney, after result: JourneyResult, in world: World
) async {
  guard case .started(let state, let browser, _) = opened.progress else { return }
  let now = world.clock.now()
  await world.record(about: [.providerJourney(state)]) {
    (transaction: any ProviderJourneyRecords) throws in
    guard var journey = try transaction.providerJourney(digest: opened.digest),
      journey.progress == opened.progress
    else { return }
    journey.progress = .ended(
      .init(
        state: state, browsers: [browser], at: now, outcome: result.outcome))
    try transaction.update(journey)
  }
}

private struct BrowserHandles: Sendable {
  let state: Secret
  let cookie: Secret
}

extension ProviderJourney {
  /// Whether a browser with this cookie may open the journey.
  fileprivate func mayStart(in cookie: Secret?, at now: Instant) -> Bool {
    switch progress {
    case .pushed: now < startedAt.adding(seconds: Limits.requestSeconds)
    case .started(_, let browser, let openings):
      now < expiresAt && openings <= Limits.reopenings && isOne(of: [browser], cookie)
    case .ended: false
    }
  }

  /// Whether one of these browsers has the cookie.
  func isOne(of browsers: [[UInt8]], _ cookie: Secret?) -> Bool {
    guard let cookie else { return false }
    let digest = SHA256Digest.of(cookie.revealed)
    return browsers.contains { ConstantTime.equal($0, digest) }
  }

  /// Notes that the browser is at the provider.
  fileprivate mutating func start(in browser: [UInt8], state: [UInt8]) {
    progress = .started(state: state, browser: browser, openings: progress.openings + 1)
  }
}

extension ProviderJourney.Progress {
  fileprivate var openings: Int {
    switch self {
    case .started(_, _, let openings): openings
    case .pushed, .ended: 0
    }
  }
}

extension World {
  /// Whether the configuration still allows this journey.
  ///
  /// Otherwise no result may go to its redirect URI, which the app may have given up (L-50).
  func permits(_ journey: ProviderJourney) -> Bool {
    guard let client = clients[journey.client], names.providers.contains(journey.provider),
      client.providers.contains(where: { $0.hasSameBytes(as: journey.provider) })
    else { return false }
    return RedirectURI.permits(
      journey.redirectURI, registered: client.redirectURIs(issuer: issuer))
  }

  /// Writes a fault of a provider to the log.
  func report(_ fault: ProviderDirectory.Fault, of provider: String) {
    for mistake in fault.mistakes {
      reportFault("provider `\(provider)`: \(mistake.problem)")
    }
  }
}
