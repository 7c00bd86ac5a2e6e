internal import CSodium

/// Argon2id by libsodium, at OWASP's minimum: 19 MiB, two passes, one lane.
///
/// It takes about 15 ms and 19 MiB for each call, so it runs in a `HashingPool`, never elsewhere.
public enum PasswordHash {
  public static let passes: UInt64 = 2
  public static let memoryBytes = 19 << 20
  /// Longer passwords are refused before any work is done.
  public static let passwordByteLimit = 1024

  public static func make(_ password: String) -> String {
    Sodium.start()
    let bytes = Array(password.utf8).map { CChar(bitPattern: $0) }
    var encoded = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let status = crypto_pwhash_str_alg(
      &encoded, bytes, UInt64(bytes.count), passes, memoryBytes, crypto_pwhash_ALG_ARGON2ID13
    )
    precondition(status == 0, "out of memory for one password hash")
    return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the password is the one behind `encoded`.
  ///
  /// Text that is no hash never matches, and takes as long, so that a broken record cannot be told
  /// from a wrong password.
  public static func matches(_ password: String, _ encoded: String) -> Bool {
    Sodium.start()
    let bytes = Array(password.utf8).map { CChar(bitPattern: $0) }
    let isReadable = crypto_pwhash_str_needs_rehash(encoded, passes, memoryBytes) >= 0
    let known = isReadable ? encoded : nobody
    return crypto_pwhash_str_verify(known, bytes, UInt64(bytes.count)) == 0 && isReadable
  }

  private static let nobody =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5LWlzLWJlaGluZA"
    + "$Oq29wp2NRUM3gNFfL55MvEaKqED7sRvZSppexESChIk"
}
