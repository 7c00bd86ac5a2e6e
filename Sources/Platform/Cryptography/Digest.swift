internal import COpenSSL
internal import CSodium

public enum SHA256Digest {
  public static let byteCount = 32

  public static func of(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    SHA256(bytes, bytes.count, &digest)
    return digest
  }

  public static func of(_ text: String) -> [UInt8] { of(Array(text.utf8)) }
}

/// For signatures and token hashes of the algorithm ES384 (RFC 7518, section 3.4).
public enum SHA384Digest {
  public static let byteCount = 48

  public static func of(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: byteCount)
    SHA384(bytes, bytes.count, &digest)
    return digest
  }
}

/// For lists from others that use SHA-1.
///
/// Do not use it for anything else.
public enum SHA1Digest {
  public static let byteCount = 20

  public static func of(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: byteCount)
    SHA1(bytes, bytes.count, &digest)
    return digest
  }
}

public enum HMACSHA256 {
  public static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
    var length: UInt32 = 0
    HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, &length)
    return code
  }
}

/// For signatures whose format another vendor defines.
///
/// Do not use it for anything else.
public enum HMACSHA1 {
  public static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    var length: UInt32 = 0
    HMAC(EVP_sha1(), key, Int32(key.count), bytes, bytes.count, &code, &length)
    return code
  }
}

public enum ConstantTime {
  /// Compares in constant time, so that the time does not show the position of the first
  /// difference.
  public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return sodium_memcmp(left, right, left.count) == 0
  }
}
