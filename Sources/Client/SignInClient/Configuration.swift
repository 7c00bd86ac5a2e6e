public import Foundation
import SignInEngine

extension SignInClient {
  /// Which app signs in, at which server, and how.
  ///
  ///     SignInClient.Configuration(
  ///       clientID: "orders-app", server: URL(string: "https://login.example.com")!,
  ///       scopes: ["orders"])
  public struct Configuration: Sendable {
    /// The first step of a sign-in.
    ///
    /// A code by text message follows in both cases.
    ///
    /// It must be equal to `sign_in` of this client in the server's configuration.
    public enum Method: Sendable { case emailAndPassword, phoneNumber }

    /// The OAuth `client_id` in the server's configuration.
    public let clientID: String
    /// The server's `issuer`: an `https` URL, or an `http` URL of a server on this device.
    public let server: URL
    /// The scopes of your own APIs.
    ///
    /// The server's configuration of this client must list each of them. The client always requests
    /// `openid`, `offline_access` and `account` as well, because a session needs them.
    public let scopes: [String]
    public let method: Method
    /// Where the browser comes back to after a sign-in at an identity provider.
    ///
    /// It is one of `redirect_uris` of this client in the server's configuration: a link that only
    /// this app can open, or a scheme of its own. It can be `nil` if there is only one.
    public let redirectURI: URL?

    public init(
      clientID: String, server: URL, scopes: [String] = [], method: Method = .emailAndPassword,
      redirectURI: URL? = nil
    ) {
      self.clientID = clientID
      self.server = server
      self.scopes = scopes
      self.method = method
      self.redirectURI = redirectURI
    }
  }
}

extension SignInClient.Configuration {
  private static let sessionScopes = ["openid", "offline_access", "account"]

  var profile: AppProfile {
    let kind: AppName.SignInKind =
      switch method {
      case .emailAndPassword: .passwordAndCode
      case .phoneNumber: .phoneCode
      }
    let own = scopes.filter { !Self.sessionScopes.contains($0) }
    return AppProfile(
      clientID: clientID, signInKind: kind,
      scope: (Self.sessionScopes + own).joined(separator: " "),
      redirectURI: redirectURI?.absoluteString
    )
  }

  /// The address without a slash at the end.
  var address: ServerAddress {
    get throws(SignInError) {
      var text = server.absoluteString
      if text.hasSuffix("/") { text.removeLast() }
      do throws(ServerAddressFault) { return try ServerAddress(text) } catch {
        throw .addressNotAllowed
      }
    }
  }
}
