import JSONText
import SignInModel
import SignInWire

/// The server's public information about the app, requested once in a run.
///
///     unknown ──▶ requested ──answered──▶ answered
struct PublicInformation: Equatable, Sendable {
  /// The calling code of the server's configuration; `nil` until the server has sent it.
  private(set) var callingCode: String?
  /// The identity providers of the app.
  private(set) var providerMenu = ProviderMenu()
  private var state = State.unknown

  private enum State: Equatable, Sendable {
    case unknown
    case requested(RequestID)
    case answered
  }

  /// Starts with the providers that an earlier run of the app stored.
  mutating func restore(providers: String) { providerMenu = ProviderMenu(text: providers) }

  /// Remembers the provider of a completed sign-in.
  mutating func use(_ provider: String) -> [Effect] {
    providerMenu.use(provider)
    return [.saveProviderMenu(providerMenu.text)]
  }

  var needsRequest: Bool { state == .unknown }

  /// The running request; `nil` if there is none.
  var request: RequestID? { if case .requested(let id) = state { id } else { nil } }

  mutating func begin(_ id: RequestID) { state = .requested(id) }

  /// Handles the answer; `nil` for the answer to another request.
  ///
  /// If the request failed, the known values remain.
  mutating func take(_ id: RequestID, _ answer: Answer) -> [Effect]? {
    guard state == .requested(id) else { return nil }
    state = .answered
    guard let information = answer.success else { return [] }
    if let code = information.text(.defaultCountry) { callingCode = code }
    let known = providerMenu
    providerMenu.update(information)
    return providerMenu == known ? [] : [.saveProviderMenu(providerMenu.text)]
  }
}
