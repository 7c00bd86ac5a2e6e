public import Foundation
import SignInEngine
import SignInModel
import SignInWire

extension SignInClient {
  /// A sign-in in a browser.
  public enum BrowserMethod: Equatable, Sendable {
    /// At the provider with this name in the server's configuration.
    case provider(String)
    /// At the provider to which the domain of this e-mail address belongs.
    case organization(ofEmail: String)
  }

  /// An identity provider of this app.
  public struct Provider: Equatable, Sendable {
    /// The name for `BrowserMethod.provider`.
    public let name: String
    /// The name for people.
    public let displayName: String
    /// `false` if the server cannot reach the provider now, so disable its button.
    public let isAvailable: Bool
  }

  /// Asks the server for the identity providers of this app.
  public func providers() async throws(SignInError) -> [Provider] {
    let answer = try await answer(to: .publicInformation(about: app))
    if let error = SignInError(answer, at: await environment.clock.now()) { throw error }
    guard case .received(_, let body, _) = answer, let entry = AppEntry(json: body) else {
      throw .serverFault
    }
    return entry.providers.map {
      Provider(name: $0.name, displayName: $0.label, isAvailable: $0.isAvailable)
    }
  }

  /// Starts a sign-in in a browser.
  ///
  /// A sign-in that is in progress is cancelled. The sign-in is stored, so that `resume(_:)` also
  /// works after the system closed your app.
  ///
  /// - Returns: `.browserRequired` with the address to open.
  /// - Throws: `.provider(.noneForEmail)` if no provider belongs to the e-mail address. Ask for the
  ///   password then.
  @discardableResult public func signIn(
    with method: BrowserMethod
  ) async throws(SignInError) -> State {
    try await prepareSignIn(app.signInKind)
    switch method {
    case .provider(let name): return try await begin(.openProvider(name))
    case .organization(let email):
      guard app.signInKind == .passwordAndCode else { throw .notPossibleNow }
      guard let address = EmailAddress(typed: email) else { throw .emailMalformed }
      return try await begin(.findProvider(of: address))
    }
  }

  /// Continues a sign-in when the browser came back to your app.
  ///
  /// If there was no answer from the server, you can call it again with the same address.
  ///
  /// - Parameter url: The address that the browser opened.
  /// - Returns: Usually `.signedIn`.
  /// - Throws: `.provider` with the reason why the person is not signed in.
  @discardableResult public func resume(_ url: URL) async throws(SignInError) -> State {
    let state = await open()
    switch state {
    case .browserRequired, .signedOut: break
    case .codeRequired, .lockedOut: throw Task.isCancelled ? .cancelled : .notPossibleNow
    case .loading, .storageUnavailable, .appLocked, .confirming, .signedIn, .endingSoon:
      throw Task.isCancelled ? .cancelled : state.obstacle
    }
    let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery
    return try await perform(.returnFromProvider(Secret(query ?? "")))
  }
}
