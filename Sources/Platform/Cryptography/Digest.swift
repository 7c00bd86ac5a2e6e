internal import CSodium

public enum SHA256Digest {
  public static let byteCount = 32

  public static func of(_ bytes: [UInt8]) -> [UInt8] { HashFunction.sha256.digest(of: bytes) }

  public static func of(_ text: String) -> [UInt8] { HashFunction.sha256.digest(of: text) }
}

/// For signatures and token hashes of the algorithm ES384 (RFC 7518, section 3.4).
public enum SHA384Digest {
  public static let byteCount = 48

  public static func of(_ bytes: [UInt8]) -> [UInt8] { HashFunction.sha384.digest(of: bytes) }
}

/// For lists from others that use SHA-1.
///
/// Do not use it for anything else.
public enum SHA1Digest {
  public static let byteCount = 20

  public static func of(_ text: String) -> [UInt8] { HashFunction.sha1.digest(of: text) }
}

public enum HMACSHA256 {
  public static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    HMACFunction.sha256.code(for: bytes, key: key)
  }
}

/// For signatures whose format another vendor defines.
///
/// Do not use it for anything else.
public enum HMACSHA1 {
  public static func code(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    HMACFunction.sha1.code(for: bytes, key: key)
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
