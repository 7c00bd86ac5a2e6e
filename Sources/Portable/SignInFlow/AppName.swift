import SignInWire

/// Which of the apps this is: the same core and shell, told when it is opened.
///
/// The text is the OAuth `client_id`, and the folder the web app is served from.
public enum AppName: String, Sendable, CaseIterable {
  case technician = "technician-app"
  case rider = "rider-app"

  /// What the home screen is read from.
  var homePath: String {
    switch self {
    case .technician: Endpoint.jobs
    case .rider: Endpoint.dashboard
    }
  }

  /// Whether an expired code is told from a wrong one: do, T-06 does not.
  var tellsExpiry: Bool {
    switch self {
    case .technician: false
    case .rider: true
    }
  }
}
