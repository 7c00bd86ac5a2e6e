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
/// browser is answered again, because a person may go back from the provider's page. If the
/// provider cannot be used, the app gets an error and the journey ends: the browser may have no
/// cookie with which it could continue.
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
    state: Secret(world.handle()), cookie: cookie ?? Secret(world.handle()))
  let started: ProviderJourney?
  do throws(Refusal) {
    started = try await world.decide(about: [.providerJourney(digest)]) {
      (transaction: any ProviderJourneyRecords) throws in
      guard var journey = try transaction.providerJourney(digest: digest),
        journey.client == client, world.permits(journey),
        journey.mayStart(in: cookie, at: now)
      else { return nil }
      journey.progress = .started(
        state: SHA256Digest.of(handles.state.revealed),
        browser: SHA256Digest.of(handles.cookie.revealed),
        openings: journey.progress.openings + 1)
      try transaction.update(journey)
      return journey
    }
  } catch {
    return .page(.unknown)
  }
  guard let journey = started, let provider = directory.provider(journey.provider) else {
    return .page(.unknown)
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
    await end(journey, in: world)
    return .redirect(journey.result(.providerFault(error), in: world))
  }
}

/// Ends a journey whose browser goes back to the app, unless another opening has followed.
///
/// If the store fails, the journey expires.
private func end(_ opened: ProviderJourney, in world: World) async {
  await world.record(about: [.providerJourney(opened.digest)]) {
    (transaction: any ProviderJourneyRecords) throws in
    guard var journey = try transaction.providerJourney(digest: opened.digest),
      journey.progress == opened.progress
    else { return }
    journey.progress = .ended
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
      now < expiresAt && openings <= Limits.reopenings
        && cookie.map { isBrowser($0, browser) } ?? false
    case .ended: false
    }
  }

  func isBrowser(_ cookie: Secret, _ digest: [UInt8]) -> Bool {
    ConstantTime.equal(SHA256Digest.of(cookie.revealed), digest)
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
