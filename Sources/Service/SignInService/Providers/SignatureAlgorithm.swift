import Cryptography

/// The JWS algorithms that an identity provider may sign with (RFC 7518, section 3.1).
///
/// `none` and the algorithms with a shared secret are not among them.
public enum SignatureAlgorithm: String, CaseIterable, Sendable {
  case rs256 = "RS256"
  case ps256 = "PS256"
  case es256 = "ES256"
  case es384 = "ES384"

  /// The digest of the algorithm, which `at_hash` uses too (OpenID Connect Core, section 3.1.3.6).
  func digest(of text: String) -> [UInt8] {
    switch self {
    case .rs256, .ps256, .es256: SHA256Digest.of(text)
    case .es384: SHA384Digest.of(Array(text.utf8))
    }
  }
}
