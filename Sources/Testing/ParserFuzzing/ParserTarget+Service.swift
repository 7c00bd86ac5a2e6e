internal import Cryptography
internal import SignInHTTP
internal import SignInModel
internal import SignInService
internal import SignInTesting
internal import SignInWire
internal import TextMessengers

// MARK: - Parsers of the server

extension ParserTarget {
  /// One world for all inputs.
  ///
  /// Its ledger stores no proofs, so it does not grow.
  private static let world = World(
    issuer: "https://login.example.com", clients: Configuration.demo.clients,
    keyring: Keyring(
      signing: key, master: [UInt8](repeating: 7, count: 32), decoyPasswordHash: ""
    ),
    store: MemoryStore(), clock: SimulatedClock(now), randomness: SeededRandomness(seed: 1),
    passwords: FastPasswordHashing(), proofs: UnlimitedLedger(), messageRecorded: {},
    reportFault: { _ in }
  )
  private static let key = SigningKey.generate()

  /// Accepts every proof any number of times, because reading is tested here, not remembering.
  private struct UnlimitedLedger: ProofLedger {
    func record(
      _ identifier: String, from source: ProofSource?, until expiry: Instant, now: Instant
    ) -> ProofVerdict { .recorded }
  }

  static let now = Instant(seconds: 1_800_000_000)

  static func readToken(_ bytes: [UInt8]) -> Bool {
    let text = jws(bytes) ?? String(decoding: bytes, as: UTF8.self)
    do throws(Refusal) {
      _ = try readAccessToken(["DPoP " + text], in: world)
      return true
    } catch {
      return CompactJWS(parsing: text) != nil
    }
  }

  static func readProof(_ bytes: [UInt8]) -> Bool {
    let text = jws(bytes) ?? String(decoding: bytes, as: UTF8.self)
    let claim = DPoPClaim(fields: [text], method: "POST", path: Endpoint.token.path)
    do throws(Refusal) {
      _ = try readUnrecordedProof(claim, in: world)
      return true
    } catch {
      return CompactJWS(parsing: text) != nil
    }
  }

  /// Reads two lines as the header and the claims of a signed text, or `nil` for one line.
  ///
  /// Most have an empty signature, because signing takes longer than all the reading.
  private static func jws(_ bytes: [UInt8]) -> String? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    guard lines.count == 2 else { return nil }
    let text = Base64URL.encode(Array(lines[0])) + "." + Base64URL.encode(Array(lines[1]))
    let isSigned = bytes.reduce(0) { $0 &+ $1 } & 7 == 0
    let signature = isSigned ? key.sign(Array(text.utf8)) : [UInt8](repeating: 1, count: 64)
    return text + "." + Base64URL.encode(signature)
  }

  static func readReceipts(_ bytes: [UInt8]) -> Bool {
    var isUnderstood = false
    for sender in ProviderBytes.Sender.allCases {
      _ = ProviderBytes.receipt(bytes, from: sender, isProved: false, at: now)
      switch ProviderBytes.receipt(bytes, from: sender, isProved: true, at: now) {
      case .reports(let reports):
        precondition(
          reports.allSatisfy { $0.price.map(DeliveryReport.prices.contains) ?? true },
          "a price is outside its range"
        )
        isUnderstood = isUnderstood || !reports.isEmpty
      case .handshake: isUnderstood = true
      case .unproved, .malformed: break
      }
    }
    return isUnderstood
  }

  static func readConfiguration(_ bytes: [UInt8]) -> Bool {
    let stores = [StoreKind("sqlite", .folder)]
    switch Configuration.parse(
      bytes, development: false, stores: stores, messengers: MessengerKinds.all)
    {
    case .success: return true
    case .failure(let failure):
      precondition(!failure.mistakes.isEmpty, "a configuration is refused without a reason")
      for mistake in failure.mistakes {
        precondition(!mistake.problem.isEmpty && !mistake.remedy.isEmpty, "a mistake says nothing")
      }
      return false
    }
  }
}

// MARK: - Seeds with a key

extension ParserTarget {
  static var proofHeader: String {
    let x = Base64URL.encode(key.publicKey.x)
    let y = Base64URL.encode(key.publicKey.y)
    return "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\","
      + "\"x\":\"\(x)\",\"y\":\"\(y)\"}}"
  }
}
