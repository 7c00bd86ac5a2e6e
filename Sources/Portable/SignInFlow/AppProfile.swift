/// What the flow knows of the app it runs in: one of our own apps, or any other client of a server.
public struct AppProfile: Equatable, Sendable {
  /// The OAuth `client_id`.
  public let clientID: String
  public let signInKind: AppName.SignInKind
  /// The scopes the app asks for, with a space between.
  public let scope: String
  /// Nil for an app that draws its own screens: it has no home of ours, and keeps no copy of ours.
  public let name: AppName?

  /// An app that draws its own screens.
  public init(clientID: String, signInKind: AppName.SignInKind, scope: String) {
    self.clientID = clientID
    self.signInKind = signInKind
    self.scope = scope
    name = nil
  }

  /// One of our own apps.
  public init(_ name: AppName) {
    clientID = name.rawValue
    signInKind = name.signInKind
    scope = name.scope
    self.name = name
  }

  public static var technician: AppProfile { AppProfile(.technician) }
  public static var rider: AppProfile { AppProfile(.rider) }
  public static var product: AppProfile { AppProfile(.product) }
  public static var mentor: AppProfile { AppProfile(.mentor) }
  public static var console: AppProfile { AppProfile(.console) }

  /// Whether an expired code is told from a wrong one: do, T-06 does not.
  var tellsExpiry: Bool {
    switch signInKind {
    case .passwordAndCode: false
    case .phoneCode: true
    }
  }
}
