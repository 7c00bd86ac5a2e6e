#if canImport(Security)
  public import SignInClient

  extension SignInClient.Platform {
    /// An Apple device: keys in the Secure Enclave, secrets in the keychain, and an app lock.
    ///
    /// - Parameters:
    ///   - app: A name that is different for each app of one developer.
    ///   - unlockReason: The text of the prompt for a finger or a face, in the person's language.
    ///   - accessGroup: A keychain access group of the app. Without it, the app's own group is
    ///     used.
    /// - Returns: The platform for `SignInClient`.
    public static func apple(
      app: String, unlockReason: String, accessGroup: String? = nil
    ) -> SignInClient.Platform {
      SignInClient.Platform(
        storage: KeychainStorage(app: app, accessGroup: accessGroup),
        cryptography: AppleCryptography(),
        lock: KeychainLock(app: app, reason: unlockReason, accessGroup: accessGroup))
    }
  }
#endif
