import Cryptography
import JSONText
import SignInModel
import SignInWire

/// The exchange of an authorization code at a provider's token endpoint (RFC 6749, section 4.1.3).
struct CodeExchange: Sendable {
  /// The life of a client assertion, in seconds.
  static let assertionSeconds: Int64 = 60

  let provider: IdentityProvider
  let metadata: ProviderMetadata
  /// The same as in the authorization request.
  let redirectURI: String
  let code: Secret
  /// The PKCE verifier of this sign-in.
  let verifier: Secret

  func request(
    at now: Instant, randomness: any Randomness, deadlineMilliseconds: Int64
  ) -> ProviderRequest {
    let fields: [Form.Field] = [
      .init("grant_type", "authorization_code"), .init("code", code.revealed),
      .init("redirect_uri", redirectURI), .init("code_verifier", verifier.revealed),
    ]
    return provider.authenticated(
      provider.request(to: metadata.tokenEndpoint, within: deadlineMilliseconds),
      with: fields, metadata, at: now, randomness: randomness)
  }
}

extension IdentityProvider {
  func request(to url: String, within milliseconds: Int64) -> ProviderRequest {
    ProviderRequest(
      url: url, deadlineMilliseconds: milliseconds, addresses: settings.addresses)
  }

  /// A `POST` with this server's credential (RFC 6749, section 2.3; RFC 7523, section 2.2).
  func authenticated(
    _ request: ProviderRequest, with fields: [Form.Field], _ metadata: ProviderMetadata,
    at now: Instant, randomness: any Randomness
  ) -> ProviderRequest {
    var (request, fields) = (request, fields)
    let id = Form.Field("client_id", settings.clientID)
    switch credential {
    case .none: fields.append(id)
    case .secret(let secret, let method):
      if method ?? metadata.secretMethod == .basic {
        let pair =
          Form.percentEncoded(settings.clientID) + ":" + Form.percentEncoded(secret.revealed)
        request.authorization = Secret("Basic " + Base64.encode(Array(pair.utf8)))
      } else {
        fields += [id, .init("client_secret", secret.revealed)]
      }
    case .key(let key, let keyID):
      fields += [
        id,
        .init(
          "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        .init("client_assertion", assertion(key, keyID, at: now, randomness: randomness)),
      ]
    }
    request.form = Secret(Form(fields).encoded)
    return request
  }

  /// The issuer is the only audience, so that no other provider can use the assertion (RFC 9700,
  /// updated).
  private func assertion(
    _ key: SigningKey, _ keyID: String?, at now: Instant, randomness: any Randomness
  ) -> String {
    let header = JSON.members([
      JSONMember("typ", "JWT"), JSONMember("alg", SignatureAlgorithm.es256.rawValue),
      JSONMember("kid", ifPresent: keyID),
    ])
    let claims = JSON.members([
      JSONMember("iss", settings.clientID), JSONMember("sub", settings.clientID),
      JSONMember("aud", settings.identityIssuer),
      JSONMember("iat", now.seconds),
      JSONMember("exp", now.seconds + CodeExchange.assertionSeconds),
      JSONMember("jti", Base64URL.encode(randomness.bytes(16))),
    ])
    return CompactJWS.sign(header: header, claims: claims, with: key)
  }
}

/// The answer of a token endpoint.
enum TokenExchangeAnswer {
  /// The `error` of a refusal (RFC 6749, section 5.2); nil if there is none that can be shown.
  static func errorCode(in answer: ProviderResponse) -> String? {
    do throws(JSONMalformed) {
      let json = try JSONReader.read(answer.body, within: .providerDocument)
      guard let code = json["error"]?.text, (1...64).contains(code.utf8.count),
        code.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") })
      else { return nil }
      return code
    } catch {
      return nil
    }
  }
}
