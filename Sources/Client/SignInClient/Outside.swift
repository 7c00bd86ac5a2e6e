import JSONText
import SignInFlow
import SignInModel
import SignInWire

/// The ports of one client, and the device's key behind them.
actor Outside {
  nonisolated let app: AppName
  nonisolated let server: String
  nonisolated let storage: any SecureStorage
  nonisolated let cryptography: any DeviceCryptography
  nonisolated let transport: any Transport
  nonisolated let clock: any DeviceClock

  private var key: (any DeviceKey)?
  private var isKeyStored = false
  /// What the server asked proofs to carry (RFC 9449, section 8).
  private var nonce: String?

  init(
    app: AppName, server: String, storage: any SecureStorage,
    cryptography: any DeviceCryptography, transport: any Transport, clock: any DeviceClock
  ) {
    self.app = app
    self.server = server
    self.storage = storage
    self.cryptography = cryptography
    self.transport = transport
    self.clock = clock
  }

  // MARK: Storage

  /// What could not be stored safely, and lives in this process alone (L-34).
  private var unkept: String?

  enum Keeping { case kept, unkept }

  /// The session, where its key can be read as well: without it nothing could be proved.
  func readSession() async -> StorageReading {
    if let unkept { return .value(unkept) }
    switch await storage.read(.key) {
    case .cannotTell, .locked: return .cannotTell
    case .absent: return key == nil ? .absent : await storage.read(.session)
    case .value(let text):
      guard let stored = cryptography.key(from: Secret(text)) else { return .cannotTell }
      key = stored
      isKeyStored = true
      return await storage.read(.session)
    }
  }

  /// The key goes first: a session whose key is missing would be of no use.
  func save(_ session: Secret) async -> Keeping {
    do throws(StorageFault) {
      if !isKeyStored {
        try await storage.write(deviceKey().text, to: .key)
        isKeyStored = true
      }
      try await storage.write(session, to: .session)
      unkept = nil
      return .kept
    } catch {
      unkept = session.revealed
      return .unkept
    }
  }

  /// What cannot be erased now is over for the server, which was or will be told.
  func erase() async {
    unkept = nil
    for slot in [StorageSlot.session, .seen] {
      do throws(StorageFault) { try await storage.erase(slot) } catch { continue }
    }
  }

  func readSeen() async -> String? {
    if case .value(let text) = await storage.read(.seen) { text } else { nil }
  }

  /// Without it the person is asked for their proof once more; nothing worse.
  func keepSeen(_ text: Secret) async {
    guard unkept == nil else { return }
    do throws(StorageFault) { try await storage.write(text, to: .seen) } catch { return }
  }

  private func deviceKey() -> any DeviceKey {
    if let key { return key }
    let made = cryptography.makeKey()
    key = made
    return made
  }

  // MARK: Calls

  func send(_ call: Call) async -> Answer {
    var (answer, asked) = await sendOnce(call)
    if case .received(_, let body, _) = answer, let asked, isNonceAsked(body) {
      nonce = asked
      (answer, _) = await sendOnce(call)
    }
    return answer
  }

  private func isNonceAsked(_ body: JSON) -> Bool {
    (body["error"]?.text ?? body["code"]?.text) == ErrorCode.useProofNonce.rawValue
  }

  private func sendOnce(_ call: Call) async -> (Answer, nonce: String?) {
    do throws(TransportFault) {
      let reply = try await transport.send(request(call))
      return (
        .received(
          status: reply.status, body: Self.json(reply.body), serverSeconds: reply.serverSeconds),
        reply.nonce
      )
    } catch {
      switch error {
      case .unreachable: return (.unreachable, nil)
      case .timedOut: return (.timedOut, nil)
      }
    }
  }

  private static func json(_ bytes: [UInt8]) -> JSON {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return .null }
  }

  private func request(_ call: Call) -> TransportRequest {
    var fields: [TransportRequest.Field] = []
    var body: [UInt8] = []
    switch call.body {
    case .none: break
    case .form(let form):
      fields.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
      body = Array(form.encoded.utf8)
    case .json(let json):
      fields.append(.init(name: "Content-Type", value: "application/json"))
      body = json.utf8
    }
    switch call.authorization {
    case .none: break
    case .proof: fields.append(.init(name: "DPoP", value: proof(call, token: nil)))
    case .proofWithToken(let token):
      fields.append(.init(name: "Authorization", value: "DPoP \(token.revealed)"))
      fields.append(.init(name: "DPoP", value: proof(call, token: token)))
    }
    if let key = call.idempotencyKey { fields.append(.init(name: "Idempotency-Key", value: key)) }
    return TransportRequest(
      method: call.method.rawValue, address: server + call.path, fields: fields, body: body,
      timeoutSeconds: call.timeoutSeconds
    )
  }

  /// RFC 9449, section 4.2.
  private func proof(_ call: Call, token: Secret?) -> String {
    let key = deviceKey()
    let header = JSON.members([
      JSONMember("typ", "dpop+jwt"), JSONMember("alg", "ES256"),
      JSONMember(
        "jwk",
        .members([
          JSONMember("kty", "EC"), JSONMember("crv", "P-256"),
          JSONMember("x", Base64URL.encode(key.x)), JSONMember("y", Base64URL.encode(key.y)),
        ])),
    ])
    let path = call.path.prefix { $0 != "?" }
    let claims = JSON.members([
      JSONMember("jti", Base64URL.encode(cryptography.randomBytes(16))),
      JSONMember("htm", call.method.rawValue), JSONMember("htu", server + path),
      JSONMember("iat", call.issuedAt), JSONMember("nonce", ifPresent: nonce),
      JSONMember(
        "ath",
        ifPresent: token.map { Base64URL.encode(cryptography.sha256(Array($0.revealed.utf8))) }),
    ])
    let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
    return text + "." + Base64URL.encode(key.sign(Array(text.utf8)))
  }
}
