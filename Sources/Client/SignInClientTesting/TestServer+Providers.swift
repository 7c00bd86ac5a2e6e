public import Foundation
import SignInClient
import SignInModel
import SignInWire

extension TestServer {
  struct TestProvider {
    let name: String
    let displayName: String
    let domain: String?
  }

  /// A sign-in that a browser completes.
  struct BrowserRequest {
    let challenge: String
    let state: String
    /// Where the browser comes back to.
    let address: String
  }

  /// Adds an identity provider of the app.
  ///
  /// The e-mail addresses of `domain` belong to it.
  public func addProvider(_ name: String, displayName: String, domain: String? = nil) {
    providers.append(TestProvider(name: name, displayName: displayName, domain: domain))
  }

  /// Completes a sign-in at the identity provider, as in a browser that opens `address`.
  ///
  /// An unknown e-mail address gives the result `.notRegistered`. An unknown `address` is returned
  /// unchanged.
  ///
  /// - Parameters:
  ///   - address: The address of `.browserRequired`.
  ///   - email: The person who signs in there, or `nil` if the person cancels.
  /// - Returns: The address with which the browser comes back, for `resume(_:)`.
  public func completeInBrowser(_ address: URL, as email: String?) -> URL {
    let components = URLComponents(url: address, resolvingAgainstBaseURL: false)
    let name = components?.queryItems?.first { $0.name == "request_uri" }?.value
    guard let request = name.flatMap({ browserRequests.removeValue(forKey: $0) }) else {
      return address
    }
    var back = URLComponents(string: request.address)
    let result: [URLQueryItem]
    if let person = people.firstIndex(where: { $0.email != nil && $0.email == email }) {
      let code = next("code")
      codes[code] = Attempt(person: person, challenge: request.challenge, code: "")
      result = [URLQueryItem(name: "code", value: code)]
    } else {
      let reason = email == nil ? JourneyError.cancelled : .accountNotRegistered
      result = [
        URLQueryItem(name: "error", value: "access_denied"),
        URLQueryItem(name: "reason", value: reason.rawValue),
      ]
    }
    back?.queryItems = result + [URLQueryItem(name: "state", value: request.state)]
    return back?.url ?? address
  }

  var publicInformation: AppEntry {
    AppEntry(
      id: configuration.clientID, name: configuration.clientID, defaultCountry: nil,
      providers: providers.map {
        AppEntry.Provider(name: $0.name, label: $0.displayName, isAvailable: true)
      },
      findsProviderByEmail: providers.contains { $0.domain != nil })
  }

  /// The answer to the first request of a sign-in in a browser, or `nil` for another sign-in.
  func browserReply(_ form: Form, _ challenge: String) -> Reply? {
    let provider: TestProvider?
    if let name = form[.provider] {
      provider = providers.first { $0.name == name }
    } else if let email = form[.username], form[.password] == nil {
      provider = providers.first { provider in
        provider.domain.map { email.hasSuffix("@" + $0) } ?? false
      }
    } else {
      return nil
    }
    guard provider != nil else { return Reply(.invalidRequest("unknown provider")) }
    let name = next("request")
    browserRequests[name] = BrowserRequest(
      challenge: challenge, state: form[.state] ?? "",
      address: form[.redirectURI] ?? "https://app.example.test/signed-in")
    return Reply(.redirectToWeb(requestURI: name, expiresIn: 30 * 60))
  }
}
