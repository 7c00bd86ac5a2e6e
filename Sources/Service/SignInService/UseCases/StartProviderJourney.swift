import Cryptography
public import SignInModel
import SignInWire

/// What a browser gets at the authorization endpoint or the callback.
public enum BrowserStep: Equatable, Sendable {
  /// Go to this address.
  case redirect(String)
  /// Go to the provider, with this value of the cookie.
  case toProvider(String, cookie: String)
  /// Show this page, because it is not safe to go back to an app.
  case page(BrowserFault)
}

/// The reason why a sign-in in the browser cannot continue, and no app is told.
public enum BrowserFault: String, Error, Equatable, Sendable, CaseIterable {
  /// The sign-in is unknown, expired, or over.
  case unknown
  /// Another browser started it.
  case otherBrowser = "other_browser"
}

/// Opens a stored request in a browser, and leads it to the provider.
///
/// `cookie` is the value that an earlier step gave to this browser. A second request of the same
/// browser is answered again, because a person may go back from the provider's page.
public func startProviderJourney(
  requestURI: String, client: ClientID, cookie: String?, in world: World
) async -> BrowserStep {
  guard requestURI.hasPrefix(PushedRequest.prefix), let directory = world.providers else {
    return .page(.unknown)
  }
  let reference = String(requestURI.dropFirst(PushedRequest.prefix.count))
  let digest = TimeOrderedHandle.digest(of: reference)
  let now = world.clock.now()
  let found: Outcome<ProviderJourney?> = await world.read { (transaction) throws(StoreFault) in
    .success(try transaction.providerJourney(digest: digest))
  }
  guard case .success(let stored?) = found, stored.client == client,
    let provider = directory.provider(stored.provider)
  else { return .page(.unknown) }
  let handles = BrowserHandles(state: world.handle(), cookie: cookie ?? world.handle())
  let started: Outcome<ProviderJourney?> = await world.decide { (transaction) throws(StoreFault) in
    guard var journey = try transaction.providerJourney(digest: digest),
      journey.mayStart(in: cookie, at: now)
    else { return .success(nil) }
    journey.progress = .started(
      state: SHA256Digest.of(handles.state), browser: SHA256Digest.of(handles.cookie))
    try transaction.update(journey)
    return .success(journey)
  }
  guard case .success(let journey?) = started else { return .page(.unknown) }
  do throws(ProviderDirectory.Fault) {
    let metadata = try await directory.metadata(of: provider)
    let location = try await AuthorizationRequest(
      provider: provider, metadata: metadata, journey: journey, state: handles.state
    ).location(in: world, directory)
    return .toProvider(location, cookie: handles.cookie)
  } catch {
    world.report(error, of: provider.name)
    return .redirect(journey.result(.providerFault(error), in: world))
  }
}

private struct BrowserHandles: Sendable {
  let state: String
  let cookie: String
}

extension ProviderJourney {
  /// Whether a browser with this cookie may open the journey.
  fileprivate func mayStart(in cookie: String?, at now: Instant) -> Bool {
    switch progress {
    case .pushed: now < startedAt.adding(seconds: Limits.requestSeconds)
    case .started(_, let browser):
      now < expiresAt && cookie.map { isBrowser($0, browser) } ?? false
    case .ended: false
    }
  }

  func isBrowser(_ cookie: String, _ digest: [UInt8]) -> Bool {
    ConstantTime.equal(SHA256Digest.of(cookie), digest)
  }
}

extension World {
  /// Writes a fault of a provider to the log.
  func report(_ fault: ProviderDirectory.Fault, of provider: String) {
    for mistake in fault.mistakes {
      reportFault("provider `\(provider)`: \(mistake.problem)")
    }
  }
}
