/// The addresses of pages for browsers.
///
/// `Endpoint` has the addresses of requests.
public enum PageAddress {
  /// The first page, which lists the apps of a development server.
  public static let start = "/"

  /// The folder of all web apps: `/app/NAME/` is the page of the app NAME.
  public static let apps = "/app/"

  public static let icon = "/favicon.ico"

  /// Where password managers look for the form that changes a password
  /// (https://www.w3.org/TR/change-password-url/).
  public static let changePassword = "/.well-known/change-password"

  /// The path of `security.txt` (RFC 9116).
  public static let securityText = "/.well-known/security.txt"

  /// The page of an app.
  public static func app(_ name: some StringProtocol) -> String { "\(apps)\(name)/" }

  /// The form of an app that changes the password.
  public static func passwordForm(of name: some StringProtocol) -> String {
    app(name) + "devices/password"
  }
}
