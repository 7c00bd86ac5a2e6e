internal import CSodium

/// Random bytes from the system's generator.
public enum SecureRandom {
  public static func bytes(_ count: Int) -> [UInt8] {
    Sodium.start()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }
}

enum Sodium {
  /// libsodium chooses its implementations at the first call.
  ///
  /// Further calls do nothing.
  private static let ready: Bool = sodium_init() >= 0

  static func start() { precondition(ready, "libsodium could not start") }
}
