import Cryptography
import JSONText
import SignInModel
import SignInWire

/// A public key that verifies the assertions of a service account.
public struct ServiceKey: Sendable {
  /// The keys of one set: the current ones and the next ones.
  public static let countLimits = 1...16

  /// The key with the only algorithm that it is used with (RFC 8725, section 3.1).
  ///
  /// An assertion that names another algorithm is refused, even if its signature is valid.
  enum Verifier: Sendable {
    case es256(PublicKey)
    case rs256(RSAPublicKey)
    case ps256(RSAPublicKey)

    var algorithm: Algorithm {
      switch self {
      case .es256: .es256
      case .rs256: .rs256
      case .ps256: .ps256
      }
    }
  }

  /// The JWS algorithms of assertions (RFC 7518, section 3.1).
  public enum Algorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case ps256 = "PS256"
  }

  /// The members of a JWK that only a private key has (RFC 7518, sections 6.2.2 and 6.3.2).
  private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth"]

  /// The `kid` that an assertion uses to name the key, if it has one.
  let id: String?
  let verifier: Verifier

  static func keys(in bytes: [UInt8]) throws(ServiceCredentialMistake) -> [ServiceKey] {
    let json: JSON
    do throws(JSONMalformed) { json = try JSONReader.read(bytes, within: .request) } catch {
      throw mistake("is not JSON")
    }
    guard let elements = json[.keys]?.elements else { throw mistake("is not a JWK set") }
    guard countLimits.contains(elements.count) else {
      throw mistake("has \(elements.count) keys, but 1 to \(countLimits.upperBound) are allowed")
    }
    var keys: [ServiceKey] = []
    for (index, element) in elements.enumerated() {
      guard !privateMembers.contains(where: { element[$0] != nil }) else {
        throw ServiceCredentialMistake(
          problem: "contains a private key (keys[\(index)])",
          remedy: "remove the private key from this machine, make another, and write its public "
            + "half into the file"
        )
      }
      let key = try verifier(element, at: "keys[\(index)]")
      let id = element[.kid]?.text
      guard id == nil || !keys.contains(where: { $0.id == id }) else {
        throw mistake("has two keys with the same id (keys[\(index)].kid)")
      }
      keys.append(ServiceKey(id: id, verifier: key))
    }
    return keys
  }

  private static func verifier(
    _ jwk: JSON, at place: String
  ) throws(ServiceCredentialMistake) -> Verifier {
    if let use = jwk[.use], use != .string("sig") {
      throw mistake("has a key that is not for signatures (\(place).use)")
    }
    if let uses = jwk[.keyOps], uses.elements?.contains(.string("verify")) != true {
      throw mistake("has a key that is not for verifying (\(place).key_ops)")
    }
    switch jwk[.kty]?.text {
    case "EC":
      guard let key = PublicKey(jwk: jwk) else {
        throw mistake("has a key that is not a public P-256 key (\(place))")
      }
      try check(jwk, is: [.es256], at: place)
      return .es256(key)
    case "RSA":
      let key = try rsa(jwk, at: place)
      try check(jwk, is: [.rs256, .ps256], at: place)
      return jwk[.alg]?.text == Algorithm.ps256.rawValue ? .ps256(key) : .rs256(key)
    default: throw mistake("has a key that is neither EC nor RSA (\(place).kty)")
    }
  }

  /// Checks the algorithm that the key names.
  ///
  /// A key that names none uses the first of `algorithms`.
  private static func check(
    _ jwk: JSON, is algorithms: [Algorithm], at place: String
  ) throws(ServiceCredentialMistake) {
    guard let named = jwk[.alg] else { return }
    guard algorithms.contains(where: { named == .string($0.rawValue) }) else {
      let words = algorithms.map(\.rawValue).joined(separator: " or ")
      throw mistake("has a key whose algorithm is not \(words) (\(place).alg)")
    }
  }

  private static func rsa(
    _ jwk: JSON, at place: String
  ) throws(ServiceCredentialMistake) -> RSAPublicKey {
    let numbers: (modulus: [UInt8], exponent: [UInt8])
    do throws(Malformed) {
      numbers = (
        try Base64URL.decode(jwk[.n]?.text ?? ""), try Base64URL.decode(jwk[.e]?.text ?? "")
      )
    } catch {
      throw mistake("has an RSA key whose n or e is not base64url (\(place))")
    }
    do throws(RSAKeyFault) {
      return try RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent)
    } catch {
      let limits = RSAPublicKey.modulusBits
      switch error {
      case .modulusLength(let bits):
        throw mistake(
          "has an RSA key of \(bits) bits, and \(limits.lowerBound) to \(limits.upperBound) are"
            + " taken (\(place))")
      case .exponent: throw mistake("has an RSA key with an unusual exponent (\(place).e)")
      case .unreadable: throw mistake("has an RSA key that cannot be read (\(place))")
      }
    }
  }

  private static func mistake(_ problem: String) -> ServiceCredentialMistake {
    ServiceCredentialMistake(
      problem: problem,
      remedy: "write { \"keys\": [ … ] } with public keys: P-256 (ES256), or RSA of"
        + " \(RSAPublicKey.modulusBits.lowerBound) to \(RSAPublicKey.modulusBits.upperBound) bits"
        + " (RS256, or PS256 where \"alg\" says so)"
    )
  }
}
