internal import Cryptography
internal import HTTPServer
internal import JSONText
internal import SignInEngine
internal import SignInFlow
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInWire

/// One request in transit.
///
/// Its proof is made when the server checks it.
struct WireRequest: Sendable {
  let call: SignInEngine.Call
  let key: DeviceKey
  /// The key that signs the proof.
  ///
  /// It is another one only if a planted defect ignores the key of the sender.
  var signer: DeviceKey?
  let proofID: String
  /// The network address of the sender.
  let peer: String
  /// Whether the sender is a real app, which follows all rules.
  var isFromApp = false

  var form: Form { call.form ?? Form() }
  var token: String? {
    if case .proofWithToken(let token) = call.authorization { token.revealed } else { nil }
  }
  /// The thumbprint of the key that the request proves, or `nil`.
  ///
  /// Some requests need no proof.
  var provedKey: String? { call.authorization == .none ? nil : key.thumbprint }

  /// The task that it starts at the server.
  var kind: SimulatedOperation.Kind { SimulatedOperation.Kind(of: call) }

  /// The request as the server reads it from a connection.
  func http(_ scheme: any SignatureScheme) -> HTTPRequest {
    let parts = call.path.split(separator: "?", maxSplits: 1).map(String.init)
    var fields: [HTTPField] = []
    if call.authorization != .none {
      fields.append(HTTPField("DPoP", proof(for: parts[0], scheme)))
    }
    if let token { fields.append(HTTPField("Authorization", "DPoP \(token)")) }
    if let key = call.idempotencyKey { fields.append(HTTPField("Idempotency-Key", key)) }
    if let version = call.ifMatch { fields.append(HTTPField("If-Match", version)) }
    var body: [UInt8] = []
    switch call.body {
    case .none: break
    case .form(let form):
      fields.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
      body = Array(form.encoded.utf8)
    case .json(let json):
      fields.append(HTTPField("Content-Type", "application/json"))
      body = json.utf8
    }
    return HTTPRequest(
      method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, fields: fields,
      body: body, peer: peer
    )
  }

  private var method: HTTPMethod {
    switch call.method {
    case .get: .get
    case .post: .post
    case .patch: .patch
    case .delete: .delete
    }
  }

  /// A proof with the sender's key for this request (RFC 9449, section 4.2).
  private func proof(for path: String, _ scheme: any SignatureScheme) -> String {
    let claims = JSON.members([
      JSONMember("jti", proofID),
      JSONMember("htm", call.method.rawValue),
      JSONMember("htu", SimulatedKeys.issuer + path),
      JSONMember("iat", call.issuedAt),
      JSONMember("ath", ifPresent: token.map { Base64URL.encode(SHA256Digest.of($0)) }),
    ])
    let key = signer ?? key
    return CompactJWS.sign(header: key.header, claims: claims, with: key.signing, in: scheme)
  }
}

/// The answer to a request.
struct WireAnswer: Sendable {
  let status: Int64
  var body: JSON
  let serverSeconds: Int64
}

extension FieldpassHandler {
  /// Answers a simulated request as it answers one from a connection.
  func answer(_ request: WireRequest) async -> (status: Int64, body: JSON) {
    let response = await answer(request.http(world.signatureScheme))
    let status = Int64(response.status)
    // The answer to a link is a page.
    let isPage = request.call.path == Endpoint.undoContactChange.path
    if response.body.isEmpty || isPage { return (status, .null) }
    do throws(JSONMalformed) { return (status, try JSONReader.read(response.body)) } catch {
      preconditionFailure("the server answered \(request.call.path) with broken JSON")
    }
  }
}
