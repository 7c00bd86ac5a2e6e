#if canImport(Security)
  public import SignInClient

  extension SignInClient.Platform {
    /// An Apple device: keys of the Secure Enclave, secrets in the keychain, a lock that only the
    /// device's owner opens.
    ///
    /// - Parameters:
    ///   - app: Tells apart what several apps of one maker keep.
    ///   - unlockReason: What the system says when it asks for a finger or a face, in the person's
    ///     language.
    ///   - accessGroup: One of the app's keychain access groups; its own where there is none.
    /// - Returns: What to make a `SignInClient` with.
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
