import Cryptography
import SignInModel

/// A random handle that begins with when it was made, so that a store keeps side by side what
/// belongs to one moment, and has few places to write to.
public enum DatedHandle {
  static let randomBytes = 32
  private static let dateBytes = 6
  /// In base64url, which has four characters for three bytes.
  private static let dateLength = dateBytes / 3 * 4

  /// Milliseconds, in the order of time.
  static func date(of now: Instant) -> [UInt8] {
    let time = UInt64(bitPattern: now.milliseconds)
    return (1...dateBytes).map { UInt8(truncatingIfNeeded: time >> UInt64(8 * (dateBytes - $0))) }
  }

  /// What a store knows a handle by: its date and the SHA-256 digest of the whole.
  ///
  /// Whatever is no such handle is known by its digest alone.
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
