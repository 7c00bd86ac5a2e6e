import Foundation
import JSONText
import SignInEngine
import SignInModel
import SignInWire

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An answer for the engine, and the same answer as it was received.
struct ReceivedAnswer: Sendable {
  let answer: Answer
  /// `nil` if no answer arrived.
  var response: SignInClient.Response?
}

extension SignInClient.Response {
  init(_ body: Data, _ answer: HTTPURLResponse) {
    var headers: [String: String] = [:]
    for (name, value) in answer.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    self.init(status: answer.statusCode, data: body, headers: headers)
  }
}

/// The ports of one client, and the key of the device.
actor ClientEnvironment {
  nonisolated let clientID: String
  nonisolated let server: ServerAddress
  nonisolated let storage: any SecureStorage
  nonisolated let cryptography: any DeviceCryptography
  nonisolated let transport: any Transport
  nonisolated let clock: any DeviceClock
  nonisolated let lock: any DeviceLock

  private var key: (any DeviceKey)?
  private var isKeyStored = false
  /// The nonce that the server requires in proofs (RFC 9449, section 8).
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

  /// The session if it could not be stored securely.
  ///
  /// It exists only in this process (L-34).
  private var memoryOnly: Secret?

  var isMemoryOnly: Bool { memoryOnly != nil }

  /// Whether storage has the newest known lockouts.
  ///
  /// If it refused them, what it has is out of date.
  var areLockoutsStored = true

  enum Persistence { case stored, memoryOnly }

  /// The session key that the app lock returned.
  ///
  /// It exists while the app is open.
  private struct UnlockedData {
    let key: [UInt8]
    var card: String
  }

  private var unlocked: UnlockedData?

  /// Reads the session if its device key can be read too.
  ///
  /// Without that key the session could not be used.
  func readSession() async -> StorageReading {
    if let memoryOnly { return .value(memoryOnly) }
    switch await storage.read(.key) {
    case .temporarilyUnreadable, .locked: return .temporarilyUnreadable
    // The session is bound to a key that is lost.
    case .damaged: return .damaged
    case .absent:
      let session = await storage.read(.session)
      guard key == nil else { return opened(session) }
      // A session whose key is lost is damaged. It is not absent, so that the person is told.
      if case .value = session { return .damaged }
      return session
    case .value(let text):
      guard let stored = cryptography.key(from: text) else { return .damaged }
      key = stored
      isKeyStored = true
      return opened(await storage.read(.session))
    }
  }

  private func opened(_ reading: StorageReading) -> StorageReading {
    guard case .value(let text) = reading, let stored = SealedSession(text: text) else {
      return reading
    }
    guard let unlocked, let session = unseal(stored, under: unlocked.key) else {
      return .locked(card: Secret(stored.card))
    }
    return .value(session)
  }

  /// Runs a change of the stored session while no other process changes it.
  ///
  /// So the change can depend on what storage contains. If another process does not end its own
  /// change, `fallback` runs instead.
  private func exclusively<Value>(
    _ change: () async -> Value, otherwise fallback: () -> Value
  ) async -> Value {
    guard await storage.claimChange() else { return fallback() }
    let value = await change()
    await storage.releaseChange()
    return value
  }

  /// Runs a change that does not depend on what storage contains, such as a sign-out.
  ///
  /// It waits for the changes of other processes. It also runs if another process does not release
  /// the lock in time.
  private func always<Value>(_ change: () async -> Value) async -> Value {
    let isClaimed = await storage.claimChange()
    let value = await change()
    if isClaimed { await storage.releaseChange() }
    return value
  }

  /// Replaces the session, but only if storage still contains the previous one.
  ///
  /// - Returns: `nil` if the new session is stored, or else what storage contains. If the write
  ///   failed, storage still has the previous session, and the client renews only that one (L-23).
  func replace(_ before: Secret, with after: Secret) async -> StorageReading? {
    await exclusively {
      let reading = await readSession()
      guard reading == .value(before) else { return reading }
      let wasMemoryOnly = isMemoryOnly
      if await save(after) == .stored || wasMemoryOnly { return nil }
      memoryOnly = nil
      return .temporarilyUnreadable
    } otherwise: {
      // No other process has a session that is only in memory.
      guard memoryOnly == before else { return .temporarilyUnreadable }
      memoryOnly = after
      return nil
    }
  }

  /// The key is stored first, because a session without its key is useless.
  private func save(_ session: Secret) async -> Persistence {
    do throws(StorageFault) {
      if !isKeyStored {
        try await storage.write(deviceKey().text, to: .key)
        isKeyStored = true
      }
      try await storage.write(sealed(session), to: .session)
      memoryOnly = nil
      return .stored
    } catch {
      memoryOnly = session
      return .memoryOnly
    }
  }

  /// Erases the session and a sign-in that is not complete.
  ///
  /// If that fails, the stored session is still useless, because the server ends it.
  func erase() async { await always { await eraseRecords() } }

  /// Another process may have stored another session since.
  func eraseIfUnchanged(_ session: Secret) async {
    await exclusively {
      if await readSession() == .value(session) { await eraseRecords() }
    } otherwise: {
      // The session that remains is useless, because the server ended it.
      if memoryOnly == session { memoryOnly = nil }
    }
  }

  private func eraseRecords() async {
    memoryOnly = nil
    unlocked = nil
    // The storage may have to erase the key too. The key is written again when it is needed.
    isKeyStored = false
    await lock.remove()
    for slot in [StorageSlot.session, .seen, .pendingSignIn] { await erase(slot) }
  }

  /// A record that remains is useless without its session.
  private func erase(_ slot: StorageSlot) async {
    do throws(StorageFault) { try await storage.erase(slot) } catch { return }
  }

  func readSeen() async -> Secret? {
    if case .value(let text) = await storage.read(.seen) { text } else { nil }
  }

  /// If the write fails, the owner only has to be verified again.
  func saveLastSeen(_ text: Secret) async {
    guard memoryOnly == nil else { return }
    do throws(StorageFault) { try await storage.write(text, to: .seen) } catch { return }
  }

  // MARK: Sign-in at a provider

  func readPendingSignIn() async -> Secret? {
    if case .value(let text) = await storage.read(.pendingSignIn) { text } else { nil }
  }

  /// - Returns: Whether the sign-in and the key of the device are stored.
  ///
  ///   Only that key can redeem the result.
  func savePendingSignIn(_ text: Secret) async -> Bool {
    do throws(StorageFault) {
      if !isKeyStored {
        try await storage.write(deviceKey().text, to: .key)
        isKeyStored = true
      }
      try await storage.write(text, to: .pendingSignIn)
      return true
    } catch {
      return false
    }
  }

  /// If this fails, the sign-in expires.
  func erasePendingSignIn() async { await erase(.pendingSignIn) }

  private func deviceKey() -> any DeviceKey {
    if let key { return key }
    let made = cryptography.makeKey()
    key = made
    return made
  }

  // MARK: The lock

  private var purpose: String { "session of \(clientID) at \(server.text)" }

  private func sealed(_ session: Secret) -> Secret {
    guard let unlocked else { return session }
    let sealed = cryptography.seal(Array(session.revealed.utf8), under: unlocked.key, for: purpose)
    return SealedSession(card: unlocked.card, sealed: sealed).text
  }

  private func unseal(_ stored: SealedSession, under key: [UInt8]) -> Secret? {
    cryptography.unseal(stored.sealed, under: key, for: purpose)
      .map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  /// Stores the session of a new sign-in.
  ///
  /// It has no app lock yet.
  ///
  /// - Returns: Whether the session is stored, and what storage contained before.
  func begin(_ session: Secret) async -> (persistence: Persistence, replaced: StorageReading) {
    await always {
      let replaced = await readSession()
      unlocked = nil
      await erase(.seen)
      let persistence = await save(session)
      if persistence == .stored { await lock.remove() }
      return (persistence, replaced)
    }
  }

  /// Replaces the session and its lock by the pending revocation in one write.
  ///
  /// Then the lock's key is removed, because it opens nothing any more (S-04, L-32).
  ///
  /// - Returns: What storage contained before.
  func leave(_ revocation: Secret) async -> StorageReading {
    await always {
      let replaced = await readSession()
      unlocked = nil
      await erasePendingSignIn()
      await erase(.seen)
      if await save(revocation) == .memoryOnly {
        // The person is signed out on this device, but the server may never be informed.
        await eraseRecords()
        memoryOnly = revocation
      }
      await lock.remove()
      return replaced
    }
  }

  /// - Throws: `LockFault` also if storage contains another session, which must remain.
  func setLock(_ session: Secret, card: Secret) async throws(LockFault) {
    let key = cryptography.randomBytes(32)
    try await lock.close(over: Secret(Base64URL.encode(key)))
    let failure: LockFailure? = await exclusively {
      guard await readSession() == .value(session) else { return .busy }
      unlocked = UnlockedData(key: key, card: card.revealed)
      return await save(session) == .stored ? nil : .impossible
    } otherwise: {
      .busy
    }
    guard let failure else { return }
    unlocked = nil
    await lock.remove()
    throw LockFault(failure)
  }

  /// - Returns: What storage contains if it is another session, which then remains.
  func removeLock(_ session: Secret) async -> (persistence: Persistence, other: StorageReading?) {
    await exclusively {
      let reading = await readSession()
      guard reading == .value(session) else { return (.stored, reading) }
      let before = unlocked
      unlocked = nil
      let persistence = await save(session)
      // Storage still contains a session that only the previous key opens.
      if persistence == .memoryOnly { unlocked = before } else { await lock.remove() }
      return (persistence, nil)
    } otherwise: {
      (.stored, .temporarilyUnreadable)
    }
  }

  /// Waits until the owner is verified.
  func unlock() async throws(LockFault) -> StorageReading {
    let secret = try await lock.open()
    guard let key = SealedSession.bytes(of: secret.revealed), key.count == 32 else {
      throw LockFault(.changed)
    }
    if case .value(let text) = await storage.read(.session), let stored = SealedSession(text: text)
    {
      // If the key does not open the session now, it never will.
      guard unseal(stored, under: key) != nil else { throw LockFault(.changed) }
      unlocked = UnlockedData(key: key, card: stored.card)
    }
    return await readSession()
  }

  func clearUnlockedKey() {
    if unlocked != nil { memoryOnly = nil }
    unlocked = nil
  }

  func saveAccountSummary(_ card: Secret) async {
    await exclusively {
      guard unlocked != nil, memoryOnly == nil, case .value(let session) = await readSession()
      else { return }
      unlocked?.card = card.revealed
      if await save(session) == .memoryOnly { memoryOnly = nil }
    } otherwise: {
      // Only the name on the lock screen stays out of date, as after a failed write.
    }
  }

  // MARK: Requests

  func send(_ call: Call) async -> ReceivedAnswer {
    let received = await sendOnce(call)
    guard case .received(_, let body, _) = received.answer,
      Refusal(json: body)?.code == .useProofNonce,
      let asked = received.response?.value(forHTTPHeaderField: "DPoP-Nonce")
    else { return received }
    nonce = asked
    return await sendOnce(call)
  }

  private func sendOnce(_ call: Call) async -> ReceivedAnswer {
    guard let request = request(call) else { return ReceivedAnswer(answer: .unreachable) }
    do {
      let (body, answer) = try await transport.send(request)
      let response = SignInClient.Response(body, answer)
      let date = response.value(forHTTPHeaderField: "Date")
      return ReceivedAnswer(
        answer: .received(
          status: Int64(answer.statusCode), body: Self.json([UInt8](body)),
          serverSeconds: date.flatMap { Self.seconds(of: $0) }),
        response: response)
    } catch {
      return ReceivedAnswer(answer: Self.fault((error as? URLError)?.code))
    }
  }

  /// The meaning of a system error.
  ///
  /// An unknown error says nothing about the network.
  static func fault(_ code: URLError.Code?) -> Answer {
    switch code {
    case .notConnectedToInternet?, .dataNotAllowed?, .internationalRoamingOff?, .callIsActive?:
      .noNetwork
    case .timedOut?: .timedOut
    default: .unreachable
    }
  }

  /// Parses an IMF-fixdate (RFC 9110, section 5.6.7) and returns Unix seconds.
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

  /// Returns `nil` if the device key cannot be used now, or if `path` is not a path.
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

  /// A proof as in RFC 9449, section 4.2, or `nil` if the device key cannot be used now.
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
