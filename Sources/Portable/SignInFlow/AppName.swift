public import SignInWire

/// Which of the apps this is: the same core and shell, told when it is opened.
///
/// The text is the OAuth `client_id`, and the folder the web app is served from.
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

  /// The scopes that the app asks for: who the person is, a session that lasts, the person's own
  /// sessions, and the data of its home.
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

  /// The same as the text of a request.
  var scope: String {
    var text = ""
    for scope in scopes {
      if !text.isEmpty { text += " " }
      text += scope.rawValue
    }
    return text
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
}
