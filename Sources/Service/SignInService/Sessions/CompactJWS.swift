public import Cryptography
public import JSONText
import SignInModel
import SignInWire

/// A JSON Web Signature in compact form (RFC 7515, section 7.1).
public struct CompactJWS: Sendable {
  /// Longer texts are refused before any other work.
  public static let lengthLimit = 8 << 10

  public let header: JSON
  public let claims: JSON
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Nil if the text is not three base64url parts.
  ///
  /// The first two must be JSON objects within `limits`.
  public init?(
    parsing text: String, lengthLimit: Int = CompactJWS.lengthLimit,
    within limits: JSONLimits = .token
  ) {
    // Work on bytes, not characters, because every request has two such texts and each is long.
    let bytes = Array(text.utf8)
    guard bytes.count <= lengthLimit else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0], limits),
      let claims = Self.object(parts[1], limits)
    else { return nil }
    do throws(Malformed) {
      signature = try Base64URL.decode(parts[2])
    } catch {
      return nil
    }
    self.header = header
    self.claims = claims
    signed = Array(bytes[..<parts[1].endIndex])
  }

  /// Whether the text has an ES256 signature of this key.
  public func isSigned(by key: PublicKey) -> Bool { isSigned(by: key, in: ES256()) }

  func isSigned(by key: PublicKey, in scheme: any SignatureScheme) -> Bool {
    scheme.isSignature(signature, of: signed, by: key)
  }

  func isSigned(by key: P384PublicKey) -> Bool { key.verifies(signature, of: signed) }

  func isSigned(by key: RSAPublicKey, in scheme: RSAPublicKey.Scheme) -> Bool {
    key.verifies(signature, of: signed, by: scheme)
  }

  /// Whether the text has a signature of this key, in the algorithm of the key.
  func isSigned(by key: ServiceKey.Verifier) -> Bool {
    switch key {
    case .es256(let key): key.verifies(signature, of: signed)
    case .rs256(let key): isSigned(by: key, in: .pkcs1)
    case .ps256(let key): isSigned(by: key, in: .pss)
    }
  }

  public static func sign(
    header: JSON, claims: JSON, with key: SigningKey, in scheme: any SignatureScheme = ES256()
  ) -> String {
    let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
    return text + "." + Base64URL.encode(scheme.sign(Array(text.utf8), with: key))
  }

  private static func object(_ part: ArraySlice<UInt8>, _ limits: JSONLimits) -> JSON? {
    do throws(Malformed) {
      let bytes = try Base64URL.decode(part)
      do throws(JSONMalformed) {
        let json = try JSONReader.read(bytes, within: limits)
        return json.objectMembers == nil ? nil : json
      } catch {
        return nil
      }
    } catch {
      return nil
    }
  }
}

extension PublicKey {
  /// Reads a public P-256 JWK.
  ///
  /// A JWK with a private key is not accepted (RFC 9449, section 4.3).
  init?(jwk: JSON?) {
    guard let (x, y) = Self.coordinates(of: jwk) else { return nil }
    do throws(KeyFault) { try self.init(x: x, y: y) } catch { return nil }
  }

  /// The coordinates in a public P-256 JWK, which may be of no point on the curve.
  static func coordinates(of jwk: JSON?) -> (x: [UInt8], y: [UInt8])? {
    guard let jwk, jwk[.kty]?.text == "EC", jwk[.crv]?.text == "P-256", jwk[.d] == nil,
      let x = jwk[.x]?.text, let y = jwk[.y]?.text
    else { return nil }
    do throws(Malformed) {
      return (try Base64URL.decode(x), try Base64URL.decode(y))
    } catch {
      return nil
    }
  }

  /// The JWK for `jwks_uri`.
  public func jwk(keyID: String) -> JSON {
    .members([
      JSONMember(.kty, "EC"), JSONMember(.crv, "P-256"), JSONMember(.use, "sig"),
      JSONMember(.alg, "ES256"), JSONMember(.kid, keyID),
      JSONMember(.x, Base64URL.encode(x)), JSONMember(.y, Base64URL.encode(y)),
    ])
  }
}
