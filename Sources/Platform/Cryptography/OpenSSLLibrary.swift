internal import COpenSSL

/// The OpenSSL library of this process.
public enum OpenSSLLibrary {
  private static let isReady =
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

  /// Starts OpenSSL so that it can be used until the end of the process.
  ///
  /// Otherwise `exit` frees the memory of OpenSSL while other threads use it, and the process
  /// crashes. A program calls this method before anything else uses OpenSSL. Further calls do
  /// nothing.
  public static func start() { precondition(isReady, "OpenSSL could not start") }
}
