public import Foundation
public import SignInClient

extension SignInClient.Platform {
  /// A Linux desktop: keys from OpenSSL, secrets in the desktop's Secret Service through libsecret,
  /// requests through libcurl.
  ///
  /// Where there is no Secret Service the session lives in memory, and `Session.isStored` is false.
  /// There is no app lock: an organization that demands one gets a fresh sign-in after its
  /// time-out.
  ///
  /// - Parameters:
  ///   - app: Tells apart what several apps of one person keep.
  ///   - data: The folder of the app's own data, which is removed together with the app. Without
  ///     it, `$XDG_DATA_HOME/<app>` or `~/.local/share/<app>`, which Flatpak and Snap keep for each
  ///     app. A package of the distribution must remove the folder itself.
  /// - Returns: What to make a `SignInClient` with.
  public static func linux(app: String, data: URL? = nil) -> SignInClient.Platform {
    SignInClient.Platform(
      storage: SecretServiceStorage(app: app, data: data), cryptography: OpenSSLCryptography(),
      transport: CurlTransport())
  }
}
