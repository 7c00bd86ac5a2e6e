import Cryptography
public import JSONText
import SignInModel

/// The public keys that an identity provider signs with.
///
/// Keys of other kinds are left out, because providers also publish keys for encryption and for
/// algorithms that this server does not use (RFC 7517, section 5).
public struct ProviderKeys: Sendable {
  /// The largest number of usable keys in one set.
  ///
  /// A larger set is refused, because each signature may be compared with every key.
  public static let countLimit = 32

  /// The reason why a set of keys is refused.
  public enum Fault: Error, Equatable, Sendable {
    /// The document is no set of keys (RFC 7517, section 5).
    case noKeySet
    case tooManyKeys
    /// The set has no key that verifies one of the algorithms.
    case noUsableKey
  }

  private struct Key: Sendable {
    let id: String?
    /// The only algorithm of the key, if its `alg` names one (RFC 8725, section 3.1).
    let algorithm: SignatureAlgorithm?
    let verifier: Verifier

    func mayVerify(_ wanted: SignatureAlgorithm) -> Bool {
      guard algorithm == nil || algorithm == wanted else { return false }
      return switch (verifier, wanted) {
      case (.rsa, .rs256), (.rsa, .ps256), (.p256, .es256), (.p384, .es384): true
      default: false
      }
    }
  }

  private enum Verifier: Sendable {
    case rsa(RSAPublicKey)
    case p256(PublicKey)
    case p384(P384PublicKey)
  }

  private let keys: [Key]

  /// Reads a JWK set.
  public init(
    reading json: JSON, for algorithms: [SignatureAlgorithm]
  ) throws(Fault) {
    guard let elements = json["keys"]?.elements else { throw .noKeySet }
    var keys: [Key] = []
    for element in elements {
      guard let key = Self.key(element), algorithms.contains(where: { key.mayVerify($0) }) else {
        continue
      }
      guard keys.count < Self.countLimit else { throw .tooManyKeys }
      keys.append(key)
    }
    guard !keys.isEmpty else { throw .noUsableKey }
    self.keys = keys
  }

  /// Whether the set has a key of this name.
  ///
  /// A token without a name can be signed with any key.
  func contains(_ id: String?) -> Bool {
    id.map { id in keys.contains { $0.id?.hasSameBytes(as: id) ?? false } } ?? true
  }

  /// Whether a key of this name made the signature in this algorithm.
  ///
  /// A set may name two keys alike. Then either may have signed.
  func haveSigned(_ jws: CompactJWS, named id: String?, in algorithm: SignatureAlgorithm) -> Bool {
    keys.contains { key in
      if let id, !(key.id?.hasSameBytes(as: id) ?? false) { return false }
      guard key.mayVerify(algorithm) else { return false }
      return switch key.verifier {
      case .rsa(let rsa): jws.isSigned(by: rsa, in: algorithm == .ps256 ? .pss : .pkcs1)
      case .p256(let point): jws.isSigned(by: point)
      case .p384(let point): jws.isSigned(by: point)
      }
    }
  }

  /// Nil for a key that is private, not for signatures, or of a kind that is not used.
  private static func key(_ jwk: JSON) -> Key? {
    if let use = jwk["use"], use != .string("sig") { return nil }
    if let uses = jwk["key_ops"], uses.elements?.contains(.string("verify")) != true { return nil }
    let algorithm = jwk["alg"]?.text.map { SignatureAlgorithm(rawValue: $0) }
    // A key for another algorithm is never used for one of ours.
    if case .some(.none) = algorithm { return nil }
    guard let verifier = verifier(jwk) else { return nil }
    return Key(id: jwk["kid"]?.text, algorithm: algorithm ?? nil, verifier: verifier)
  }

  private static func verifier(_ jwk: JSON) -> Verifier? {
    guard jwk["d"] == nil else { return nil }
    switch (jwk["kty"]?.text, jwk["crv"]?.text) {
    case ("EC", "P-256"): return PublicKey(jwk: jwk).map { .p256($0) }
    case ("EC", "P-384"):
      guard let x = number("x", of: jwk), let y = number("y", of: jwk) else { return nil }
      do throws(KeyFault) { return .p384(try P384PublicKey(x: x, y: y)) } catch { return nil }
    case ("RSA", _):
      guard let modulus = number("n", of: jwk), let exponent = number("e", of: jwk) else {
        return nil
      }
      do throws(RSAKeyFault) {
        return .rsa(try RSAPublicKey(modulus: modulus, exponent: exponent))
      } catch {
        return nil
      }
    default: return nil
    }
  }

  private static func number(_ name: String, of jwk: JSON) -> [UInt8]? {
    guard let text = jwk[name]?.text else { return nil }
    do throws(Malformed) { return try Base64URL.decode(text) } catch { return nil }
  }
}
