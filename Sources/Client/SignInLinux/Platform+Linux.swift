public import Foundation
public import SignInClient

extension SignInClient.Platform {
  /// A Linux desktop: keys of OpenSSL, secrets in the Secret Service, requests with libcurl.
  ///
  /// Without a Secret Service, the session is only in memory, and `Session.isStored` is `false`.
  /// There is no app lock. If the organization requires one, the person must sign in again after
  /// the background timeout.
  ///
  /// - Parameters:
  ///   - app: A name that is different for each app of one user.
  ///   - data: The folder for the app's own data, which must be deleted together with the app.
  ///     Without it, the folder is `$XDG_DATA_HOME/<app>` or `~/.local/share/<app>`. Flatpak and
  ///     Snap have such a folder for each app. A package of the distribution must delete the folder
  ///     itself.
  /// - Returns: The platform for `SignInClient`.
  public static func linux(app: String, data: URL? = nil) -> SignInClient.Platform {
    SignInClient.Platform(
      storage: SecretServiceStorage(app: app, data: data), cryptography: OpenSSLCryptography(),
      transport: CurlTransport())
  }
}
