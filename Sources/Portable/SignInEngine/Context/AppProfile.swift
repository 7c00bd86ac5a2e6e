/// What the core knows about its app: one of this repository's apps, or any other client of a
/// server.
public struct AppProfile: Equatable, Sendable {
  /// The OAuth `client_id`.
  public let clientID: String
  public let signInKind: AppName.SignInKind
  /// The scopes that the app requests, separated by spaces.
  public let scope: String
  /// Where the browser comes back to after a sign-in at a provider.
  ///
  /// `nil` if the server knows only one address of this app.
  public let redirectURI: String?
  /// `nil` for an app that draws its own screens.
  ///
  /// Such an app has neither a home nor an offline copy of this package.
  public let name: AppName?

  /// Creates the profile of an app that draws its own screens.
  public init(
    clientID: String, signInKind: AppName.SignInKind, scope: String, redirectURI: String? = nil
  ) {
    self.clientID = clientID
    self.signInKind = signInKind
    self.scope = scope
    self.redirectURI = redirectURI
    name = nil
  }

  /// Creates the profile of one of this repository's apps.
  public init(_ name: AppName) {
    clientID = name.rawValue
    signInKind = name.signInKind
    scope = name.scope
    redirectURI = nil
    self.name = name
  }

  public static var technician: AppProfile { AppProfile(.technician) }
  public static var rider: AppProfile { AppProfile(.rider) }
  public static var product: AppProfile { AppProfile(.product) }
  public static var mentor: AppProfile { AppProfile(.mentor) }
  public static var console: AppProfile { AppProfile(.console) }

  /// Whether the app distinguishes an expired code from a wrong one.
  ///
  /// require it, T-06 does not.
  var distinguishesExpiry: Bool {
    switch signInKind {
    case .passwordAndCode: false
    case .phoneCode: true
    }
  }
}
