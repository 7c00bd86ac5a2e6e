import Cryptography
public import SignInModel

/// A random handle that begins with the time of its creation.
///
/// So records of the same time are next to each other in the store, and a write touches few pages.
public enum TimeOrderedHandle {
  static let randomBytes = 32
  private static let dateBytes = 6
  /// The length in base64url, which has four characters for three bytes.
  private static let dateLength = dateBytes / 3 * 4

  /// Milliseconds in big-endian order, so that handles sort by time.
  static func date(of now: Instant) -> [UInt8] {
    let time = UInt64(bitPattern: now.milliseconds)
    return (1...dateBytes).map { UInt8(truncatingIfNeeded: time >> UInt64(8 * (dateBytes - $0))) }
  }

  /// The key of a handle in the store: its date, then the SHA-256 digest of the whole handle.
  ///
  /// For any other text it is the digest only.
  public static func digest(of handle: Secret) -> [UInt8] { digest(of: handle.revealed) }

  /// The same for a handle that is no secret, such as a `request_uri`.
  public static func digest(of handle: String) -> [UInt8] {
    let digest = SHA256Digest.of(handle)
    guard handle.utf8.count == (dateBytes + randomBytes) * 4 / 3 + 1 else { return digest }
    do throws(Malformed) {
      return try Base64URL.decode(String(handle.prefix(dateLength))) + digest
    } catch {
      return digest
    }
  }
}
