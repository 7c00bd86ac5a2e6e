import Cryptography
import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Synchronization
import Testing

@Suite("Nonces of proofs")
struct ProofNonceTests {
  private static func demanding() -> [AppRegistration] {
    Configuration.demo.clients.map { client in
      var client = client
      client.requiresProofNonce = true
      return client
    }
  }

  /// The answer to a first request whose proof has `nonce`, and the nonce in that answer.
  private func ask(
    _ device: Device, nonce: JSON? = nil
  ) async -> (error: String?, given: String?) {
    let claims = nonce.map { ["nonce": $0] } ?? [:]
    let response = await device.server.answer(
      HTTPRequest(
        method: .post, path: Endpoint.challenge.path,
        fields: [
          HTTPField("Content-Type", "application/x-www-form-urlencoded"),
          device.proof("POST", Endpoint.challenge.path, Device.Flaws(claims: claims)),
        ],
        body: Array("client_id=technician-app".utf8)
      )
    )
    let given = response.fields.first { $0.isNamed("dpop-nonce") }?.value
    return (response.json["error"]?.text, given)
  }

  @Test("T-14 a nonce is optional, and an unknown one gets an answer with a valid one")
  func optional() async throws {
    let device = Device(server: try await TestServer())

    let without = await ask(device)
    let foreign = await ask(device, nonce: .string("made-up"))
    let odd = await ask(device, nonce: .int(1))
    let fresh = await ask(device, nonce: .string(foreign.given ?? ""))

    #expect(without.error == "unsupported_response_type" && without.given == nil)
    #expect(foreign.error == "use_dpop_nonce" && foreign.given != nil)
    #expect(odd.error == "use_dpop_nonce")
    #expect(fresh.error == "unsupported_response_type")
  }

  @Test("T-14 an app may require a nonce in every proof")
  func demanded() async throws {
    let device = Device(server: try await TestServer(clients: Self.demanding()))

    let without = await ask(device)
    let fresh = await ask(device, nonce: .string(without.given ?? ""))

    #expect(without.error == "use_dpop_nonce")
    #expect(fresh.error == "unsupported_response_type")
  }

  @Test(
    "T-14 a nonce is valid in its minute and the next",
    arguments: [(119, true), (120, false)] as [(Int64, Bool)]
  )
  func age(_ seconds: Int64, _ isGood: Bool) async throws {
    let device = Device(server: try await TestServer())
    let given = try #require(await ask(device, nonce: .string("x")).given)
    device.server.clock.advance(seconds: seconds)

    let answer = await ask(device, nonce: .string(given))

    #expect((answer.error != "use_dpop_nonce") == isGood)
  }

  @Test("T-14 a stale nonce gets a fresh one, also where apps read their data")
  func data() async throws {
    let device = Device(server: try await TestServer())
    let (token, _) = try await device.signIn()
    let proof = { (nonce: String) in
      device.proof(
        "GET", Endpoint.me.path, token: token, Device.Flaws(claims: ["nonce": .string(nonce)])
      )
    }

    let stale = await device.get(Endpoint.me.path, token: token, proof: [proof("stale")])
    let nonce = try #require(stale.fields.first { $0.isNamed("dpop-nonce") }?.value)
    let fresh = await device.get(Endpoint.me.path, token: token, proof: [proof(nonce)])

    #expect((stale.status, stale.code) == (401, "use_dpop_nonce"))
    let challenge = stale.fields.first { $0.isNamed("www-authenticate") }?.value
    #expect(challenge?.contains("error=\"use_dpop_nonce\"") == true)
    #expect(fresh.status == 200)
  }
}

@Suite("Proof ledger")
struct ProofLedgerTests {
  /// A journal with generations in memory instead of files.
  private final class MemoryJournal: ProofJournal {
    private let generations = Mutex<[[ProofMark]]>([[], []])

    var remembered: [ProofMark] { generations.withLock { $0.flatMap { $0 } } }
    let isFull = Mutex(false)
    func note(_ mark: ProofMark) -> Bool {
      if isFull.withLock({ $0 }) { return false }
      generations.withLock { $0[1].append(mark) }
      return true
    }
    func startGeneration() { generations.withLock { $0 = [$0[1], []] } }
  }

  private let start = Instant(seconds: 1_800_000_000)

  private func record(_ ledger: MemoryProofLedger, _ name: String, at seconds: Int64 = 0) -> Bool {
    let now = start.adding(seconds: seconds)
    return ledger.record(name, from: nil, until: now.adding(seconds: 121), now: now) == .recorded
  }

  @Test("L-46 a proof that the journal cannot store is refused for now, and accepted after that")
  func fullJournal() async {
    let journal = MemoryJournal()
    let ledger = MemoryProofLedger(journal: journal)
    let now = start

    func record() -> ProofVerdict {
      ledger.record("proof", from: nil, until: now.adding(seconds: 121), now: now)
    }
    journal.isFull.withLock { $0 = true }
    #expect(record() == .unavailable)
    #expect(await !ledger.isReady())
    journal.isFull.withLock { $0 = false }
    #expect(await ledger.isReady())
    #expect(record() == .recorded)
    #expect(record() == .repeated)
  }

  @Test("L-18 after a restart no proof is accepted a second time")
  func restart() {
    let generations = MemoryJournal()
    #expect(record(MemoryProofLedger(journal: generations), "proof"))

    let restarted = MemoryProofLedger(journal: generations)

    #expect(!record(restarted, "proof"))
    #expect(record(restarted, "another"))
  }

  @Test(
    "L-18 a proof is remembered longer than it is valid, with or without a restart",
    arguments: [true, false]
  )
  func longEnough(_ restarts: Bool) {
    let generations = MemoryJournal()
    let generation = MemoryProofLedger.generationSeconds
    var ledger = MemoryProofLedger(journal: generations)
    _ = record(ledger, "first")
    _ = record(ledger, "proof", at: generation - 1)
    if restarts { ledger = MemoryProofLedger(journal: generations) }

    _ = record(ledger, "later", at: generation)

    #expect(!record(ledger, "proof", at: generation + 121))
  }

  /// Records proofs of one source until one is refused, at most `limit` and two more.
  private func fill(
    _ ledger: MemoryProofLedger, _ limit: Int, from source: (Int) -> ProofSource
  ) -> Int {
    var count = 0
    while count < limit + 2 {
      let verdict = ledger.record(
        "\(source(count)) \(count)", from: source(count), until: start, now: start
      )
      guard verdict == .recorded else {
        #expect(verdict == .refused(retrySeconds: MemoryProofLedger.generationSeconds))
        break
      }
      count += 1
    }
    return count
  }

  @Test("One key fills exactly its own share of the ledger")
  func keyShare() {
    let ledger = MemoryProofLedger()
    let limit = MemoryProofLedger.keyLimit

    #expect(fill(ledger, limit) { ProofSource(key: "k", peer: "192.0.2.\($0 % 9)") } == limit)
    let other = ProofSource(key: "other", peer: "192.0.2.1")
    #expect(ledger.record("p", from: other, until: start, now: start) == .recorded)
    #expect(ledger.record("p", from: other, until: start, now: start) == .repeated)
    let later = start.adding(seconds: MemoryProofLedger.generationSeconds)
    let again = ProofSource(key: "k", peer: nil)
    #expect(ledger.record("q", from: again, until: later, now: later) == .recorded)
  }

  @Test(
    "One address fills exactly its own share of the ledger, with any number of keys",
    arguments: [("192.0.2.1", "192.0.2.2"), ("2001:db8:0", "2001:db8:1:1::1")]
  )
  func addressShare(_ address: String, _ other: String) {
    let limit = 5000
    let ledger = MemoryProofLedger(addressLimit: limit)

    let count = fill(ledger, limit) { number in
      let peer = address.contains(":") ? "\(address):\(number % 7)::1" : address
      return ProofSource(key: "key \(number)", peer: peer)
    }

    #expect(count == limit)
    let source = ProofSource(key: "other", peer: other)
    #expect(ledger.record("p", from: source, until: start, now: start) == .recorded)
  }

  @Test("Proofs that expired long ago are removed, on the pages too")
  func forgotten() {
    let generations = MemoryJournal()
    let ledger = MemoryProofLedger(journal: generations)
    _ = record(ledger, "proof")
    for page in 1...2 { _ = record(ledger, "page \(page)", at: Int64(page) * 180) }

    #expect(generations.remembered.count == 2)
    #expect(record(ledger, "proof", at: 360))
  }
}
