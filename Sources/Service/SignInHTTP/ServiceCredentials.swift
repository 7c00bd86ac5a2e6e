import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

/// Reads the credentials of a service account from a form request (RFC 6749, section 2.3).
///
/// There are three ways: HTTP Basic, `client_secret` in the form, or an assertion (RFC 7523). A
/// request must use exactly one of them.
enum ServiceCredentials {
  static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  /// The longest credentials in bytes; longer ones are refused before they are decoded.
  static let basicLengthLimit = 2048

  /// The service account that sent the request, or a refusal.
  ///
  /// Every endpoint for service accounts calls this with the form that it has read.
  /// `HTTPResponse.serviceRefusal` turns the refusal into an answer.
  static func authenticate(
    _ call: Call, _ form: ClientCredentials
  ) async throws(Refusal) -> ServiceAccount {
    let claim = try claim(call, form)
    let account = try await authenticateServiceAccount(claim, in: call.world)
    call.note(account.id)
    return account
  }

  private static func claim(
    _ call: Call, _ form: ClientCredentials
  ) throws(Refusal) -> ServiceCredentialClaim {
    func made(
      _ id: String, _ proof: ServiceCredentialClaim.Proof
    ) throws(Refusal) -> ServiceCredentialClaim {
      if let named = form.id, !named.hasSameBytes(as: id) {
        throw Refusal.invalidRequest("client_id names another client")
      }
      return ServiceCredentialClaim(
        id: ClientID(id), proof: proof, path: call.request.path, peer: call.peer)
    }

    let fields = call.request.values(of: "authorization")
    let (secret, assertion) = (form.secret, form.assertion)
    let ways = (fields.isEmpty ? 0 : 1) + (secret == nil ? 0 : 1) + (assertion == nil ? 0 : 1)
    guard ways == 1, fields.count <= 1 else {
      throw ways == 0
        ? Refusal.invalidClient("this grant needs client authentication")
        : Refusal.invalidRequest("one way of client authentication is allowed")
    }
    if let field = fields.first {
      guard let (id, secrets) = basic(field) else {
        throw Refusal.invalidClient("the Authorization field is not HTTP Basic")
      }
      return try made(id, .secret(secrets))
    }
    if let assertion {
      guard form.assertionType == assertionType else {
        throw Refusal.invalidRequest("unknown client_assertion_type")
      }
      // Without `client_id`, the assertion names the client. Its signature is checked later.
      let id = form.id ?? CompactJWS(parsing: assertion.revealed)?.claims[.sub]?.text ?? ""
      return try made(id, .assertion(assertion))
    }
    guard let id = form.id, let secret else {
      throw Refusal.invalidRequest("client_id is needed")
    }
    return try made(id, .secret([secret]))
  }

  /// The identifier and the possible secrets of HTTP Basic (RFC 7617).
  ///
  /// RFC 6749 says that both are form-encoded first. Many clients do not encode them, so the secret
  /// is read in both ways.
  static func basic(_ field: String) -> (id: String, secrets: [Secret])? {
    // There can be several blanks after the scheme (RFC 9110, section 11.4).
    let parts = field.split(separator: " ")
    guard field.utf8.count <= basicLengthLimit, parts.count == 2, parts[0].lowercased() == "basic"
    else { return nil }
    let letters = parts[1].utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    let unpadded = letters.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    let bytes: [UInt8]
    do throws(Malformed) { bytes = try Base64URL.decode(Array(unpadded)[...]) } catch { return nil }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let id = formDecoded(bytes[..<colon]), let raw = String(wellFormed: bytes[(colon + 1)...])
    else { return nil }
    var secrets = [Secret(raw)]
    if let decoded = formDecoded(bytes[(colon + 1)...]), !decoded.hasSameBytes(as: raw) {
      secrets.append(Secret(decoded))
    }
    return (id, secrets)
  }

  /// One decoded value of a form; `nil` if it is malformed.
  private static func formDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
    guard !bytes.contains(UInt8(ascii: "&")), !bytes.contains(UInt8(ascii: "=")) else {
      return String(wellFormed: bytes)
    }
    do throws(Form.Fault) {
      return try Form(parsing: Array("value=".utf8) + bytes)[.value]
    } catch {
      return nil
    }
  }
}

extension HTTPResponse {
  /// A refusal for a service account.
  ///
  /// With `invalid_client` it names the authentication scheme (RFC 6749, section 5.2).
  static func serviceRefusal(_ answer: Refusal) -> HTTPResponse {
    var response = refusal(answer)
    if answer.code == .invalidClient {
      response.fields.append(HTTPField("WWW-Authenticate", "Basic realm=\"fieldpass\""))
    }
    return response
  }
}
