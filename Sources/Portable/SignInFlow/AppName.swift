import SignInWire

/// Which of the apps this is: the same core and shell, told when it is opened.
///
/// The text is the OAuth `client_id`, and the folder the web app is served from.
public enum AppName: String, Sendable, CaseIterable {
  case technician = "technician-app"
  case rider = "rider-app"
  case product = "product-app"
  case mentor = "mentor-app"
  case console = "console"

  public enum SignInKind: Sendable { case passwordAndCode, phoneCode }

  public var signInKind: SignInKind {
    switch self {
    case .technician, .product, .mentor, .console: .passwordAndCode
    case .rider: .phoneCode
    }
  }

  /// What the tokens are to be good for.
  var scope: String {
    switch self {
    case .technician: "openid offline_access"
    case .rider: "openid offline_access dashboard"
    case .product: "openid offline_access products"
    case .mentor: "openid offline_access activities"
    case .console: "openid offline_access admin"
    }
  }

  /// What it keeps for when there is no server; nil for what is never kept.
  var shelf: OfflineLease.Shelf? {
    switch self {
    case .technician: .jobs
    case .rider: .dashboard
    case .product: .products
    case .mentor: .activities
    case .console: nil
    }
  }

  /// Whether an expired code is told from a wrong one: do, T-06 does not.
  var tellsExpiry: Bool {
    switch self {
    case .technician, .product, .mentor, .console: false
    case .rider: true
    }
  }
}
