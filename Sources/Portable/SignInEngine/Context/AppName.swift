public import SignInWire

/// The apps of this repository.
///
/// All have the same core and shell. The shell learns the name when it opens the app.
///
/// The raw value is the OAuth `client_id`, and the name of the folder that serves the web app.
public enum AppName: String, Sendable, CaseIterable {
  case technician = "technician-app"
  case rider = "rider-app"
  case product = "product-app"
  case mentor = "mentor-app"
  case console = "console"

  public enum SignInKind: Equatable, Sendable { case passwordAndCode, phoneCode }

  public var signInKind: SignInKind {
    switch self {
    case .technician, .product, .mentor, .console: .passwordAndCode
    case .rider: .phoneCode
    }
  }

  /// The scopes that the app requests: OpenID, a session that lasts, the person's own sessions, and
  /// the data of its home.
  public var scopes: [Scope] { [.openID, .offlineAccess, .account, homeScope] }

  private var homeScope: Scope {
    switch self {
    case .technician: .jobs
    case .rider: .dashboard
    case .product: .products
    case .mentor: .activities
    case .console: .admin
    }
  }

  /// The scopes as the text of a request, with spaces between them.
  var scope: String {
    var text = ""
    for scope in scopes {
      if !text.isEmpty { text += " " }
      text += scope.rawValue
    }
    return text
  }

  /// Which offline copy the app stores; `nil` if it stores none.
  var list: OfflineLease.List? {
    switch self {
    case .technician: .jobs
    case .rider: .dashboard
    case .product: .products
    case .mentor: .activities
    case .console: nil
    }
  }
}
