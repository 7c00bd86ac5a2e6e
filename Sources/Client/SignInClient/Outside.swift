import Foundation
import JSONText
import SignInFlow
import SignInModel
import SignInWire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The ports of one client, and the device's key behind them.
actor Outside {
  nonisolated let clientID: String
  nonisolated let server: ServerAddress
  nonisolated let storage: any SecureStorage
  nonisolated let cryptography: any DeviceCryptography
  nonisolated let transport: any Transport
  nonisolated let clock: any DeviceClock
  nonisolated let lock: any DeviceLock

  private var key: (any DeviceKey)?
  private var isKeyStored = false
  /// What the server asked proofs to carry (RFC 9449, section 8).
  private var nonce: String?

  init(clientID: String, server: ServerAddress, platform: SignInClient.Platform) {
    self.clientID = clientID
    self.server = server
    storage = platform.storage
    cryptography = platform.cryptography
    transport = platform.transport
    clock = platform.clock
    lock = platform.lock
  }

  // MARK: Storage

  /// What could not be stored safely, and lives in this process alone (L-34).
  private var unkept: String?

  enum Keeping { case kept, unkept }

  /// What the lock has freed: the session's key, while the app is open.
  private struct Freed {
    let key: [UInt8]
    var card: String
  }

  private var freed: Freed?

  /// The session, where its key can be read as well: without it nothing could be proved.
  func readSession() async -> StorageReading {
    if let unkept { return .value(unkept) }
    switch await storage.read(.key) {
    case .cannotTell, .locked: return .cannotTell
    // The session belongs to a key that is lost.
    case .damaged: return .damaged
    case .absent: return key == nil ? .absent : opened(await storage.read(.session))
    case .value(let text):
      guard let stored = cryptography.key(from: Secret(text)) else { return .damaged }
      key = stored
      isKeyStored = true
      return opened(await storage.read(.session))
    }
  }

  private func opened(_ reading: StorageReading) -> StorageReading {
    guard case .value(let text) = reading, let stored = SealedSession(text: text) else {
      return reading
    }
    guard let freed, let session = unseal(stored, under: freed.key) else {
      return .locked(card: stored.card)
    }
    return .value(session)
  }

  /// Answers what storage holds instead, or that it took nothing: then it still has the session
  /// before, and only what it has is renewed again (L-23).
  func replace(_ before: Secret, with after: Secret) async -> StorageReading? {
    let reading = await readSession()
    guard reading == .value(before.revealed) else { return reading }
    let isUnkept = unkept != nil
    if await save(after) == .kept || isUnkept { return nil }
    unkept = nil
    return .cannotTell
  }

  /// The key goes first: a session whose key is missing would be of no use.
  func save(_ session: Secret) async -> Keeping {
    do throws(StorageFault) {
      if !isKeyStored {
        try await storage.write(deviceKey().text, to: .key)
        isKeyStored = true
      }
      try await storage.write(sealed(session), to: .session)
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
    freed = nil
    // Whoever erases may have to give up the key with the rest; it is written again when needed.
    isKeyStored = false
    await lock.remove()
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

  // MARK: The lock

  private var purpose: String { "session of \(clientID) at \(server.text)" }

  private func sealed(_ session: Secret) -> Secret {
    guard let freed else { return session }
    let sealed = cryptography.seal(Array(session.revealed.utf8), under: freed.key, for: purpose)
    return SealedSession(card: freed.card, sealed: sealed).text
  }

  private func unseal(_ stored: SealedSession, under key: [UInt8]) -> String? {
    cryptography.unseal(stored.sealed, under: key, for: purpose)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A session that begins has no lock yet: whoever signed in may set one.
  ///
  /// - Returns: Whether storage took it, and what it took the place of.
  func begin(_ session: Secret) async -> (keeping: Keeping, replaced: StorageReading) {
    let replaced = await readSession()
    freed = nil
    let keeping = await save(session)
    if keeping == .kept { await lock.remove() }
    return (keeping, replaced)
  }

  /// The farewell takes the place of session and lock in one write; then the lock's key, which
  /// opens nothing any more, goes as well (S-04, L-32).
  ///
  /// - Returns: What it took the place of.
  func leave(_ farewell: Secret) async -> StorageReading {
    let replaced = await readSession()
    freed = nil
    if await save(farewell) == .unkept {
      // Who signs out is signed out here, though the server may then not be told.
      await erase()
      unkept = farewell.revealed
    }
    await lock.remove()
    return replaced
  }

  func setLock(_ session: Secret, card: Secret) async throws(LockFault) {
    let key = cryptography.randomBytes(32)
    try await lock.close(over: Secret(Base64URL.encode(key)))
    freed = Freed(key: key, card: card.revealed)
    guard await save(session) == .unkept else { return }
    freed = nil
    await lock.remove()
    throw LockFault(.impossible)
  }

  func removeLock(_ session: Secret) async -> Keeping {
    let before = freed
    freed = nil
    let keeping = await save(session)
    // Storage still holds what only that key opens.
    if keeping == .unkept { freed = before } else { await lock.remove() }
    return keeping
  }

  /// Waits for the owner's proof.
  func unlock() async throws(LockFault) -> StorageReading {
    let secret = try await lock.open()
    guard let key = SealedSession.bytes(of: secret.revealed), key.count == 32 else {
      throw LockFault(.changed)
    }
    if case .value(let text) = await storage.read(.session), let stored = SealedSession(text: text)
    {
      // A key that no longer opens what it sealed never will.
      guard unseal(stored, under: key) != nil else { throw LockFault(.changed) }
      freed = Freed(key: key, card: stored.card)
    }
    return await readSession()
  }

  func forgetKey() {
    if freed != nil { unkept = nil }
    freed = nil
  }

  func keepCard(_ card: Secret) async {
    guard freed != nil, unkept == nil, case .value(let session) = await readSession() else {
      return
    }
    freed?.card = card.revealed
    // The card is a courtesy: an older one does no harm.
    if await save(Secret(session)) == .unkept { unkept = nil }
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
    guard let request = request(call) else { return (.unreachable, nil) }
    do {
      let (body, answer) = try await transport.send(request)
      return (
        .received(
          status: Int64(answer.statusCode), body: Self.json([UInt8](body)),
          serverSeconds: answer.value(forHTTPHeaderField: "Date").flatMap { Self.seconds(of: $0) }),
        answer.value(forHTTPHeaderField: "DPoP-Nonce")
      )
    } catch {
      return (Self.fault((error as? URLError)?.code), nil)
    }
  }

  /// What an error of the system means; one that is not known says nothing of the network.
  static func fault(_ code: URLError.Code?) -> Answer {
    switch code {
    case .notConnectedToInternet?, .dataNotAllowed?, .internationalRoamingOff?, .callIsActive?:
      .noNetwork
    case .timedOut?: .timedOut
    default: .unreachable
    }
  }

  /// IMF-fixdate (RFC 9110, section 5.6.7), in Unix seconds.
  private static func seconds(of text: String) -> Int64? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text).map { Int64($0.timeIntervalSince1970) }
  }

  private static func json(_ bytes: [UInt8]) -> JSON {
    do throws(JSONMalformed) { return try JSONReader.read(bytes) } catch { return .null }
  }

  /// Nil while the key that proves who sends it cannot be used, and for what is no path.
  private func request(_ call: Call) -> URLRequest? {
    // Any other text after the server's name could make it the name of another server.
    guard call.path.hasPrefix("/"), let url = URL(string: server.text + call.path) else {
      return nil
    }
    var made = URLRequest(url: url)
    made.httpMethod = call.method.rawValue
    made.timeoutInterval = TimeInterval(call.timeoutSeconds)
    made.cachePolicy = .reloadIgnoringLocalCacheData
    switch call.body {
    case .none: break
    case .form(let form):
      made.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
      made.httpBody = Data(form.encoded.utf8)
    case .json(let json):
      made.setValue("application/json", forHTTPHeaderField: "Content-Type")
      made.httpBody = Data(json.utf8)
    }
    switch call.authorization {
    case .none: break
    case .proof:
      guard let proof = proof(call, token: nil) else { return nil }
      made.setValue(proof, forHTTPHeaderField: "DPoP")
    case .proofWithToken(let token):
      guard let proof = proof(call, token: token) else { return nil }
      made.setValue("DPoP \(token.revealed)", forHTTPHeaderField: "Authorization")
      made.setValue(proof, forHTTPHeaderField: "DPoP")
    }
    if let key = call.idempotencyKey { made.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
    if let tag = call.ifMatch { made.setValue(tag, forHTTPHeaderField: "If-Match") }
    return made
  }

  private func proof(_ call: Call, token: Secret?) -> String? {
    let path = call.path.prefix { $0 != "?" }
    return proof(
      method: call.method.rawValue, target: server.text + path, issuedAt: call.issuedAt,
      token: token, nonce: nonce)
  }

  /// RFC 9449, section 4.2; nil while the key cannot be used.
  func proof(
    method: String, target: String, issuedAt: Int64, token: Secret?, nonce: String?
  ) -> String? {
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
    let claims = JSON.members([
      JSONMember("jti", Base64URL.encode(cryptography.randomBytes(16))),
      JSONMember("htm", method), JSONMember("htu", target),
      JSONMember("iat", issuedAt), JSONMember("nonce", ifPresent: nonce),
      JSONMember(
        "ath",
        ifPresent: token.map { Base64URL.encode(cryptography.sha256(Array($0.revealed.utf8))) }),
    ])
    let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(claims.utf8)
    return key.sign(Array(text.utf8)).map { text + "." + Base64URL.encode($0) }
  }
}
