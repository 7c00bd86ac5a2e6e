import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

/// Proof and nonce are checked before a refresh token is read.
///
/// A flawed proof neither uses up the token nor counts as its reuse.
@Suite("Proofs of refreshes")
struct RefreshProofTests {
  /// The records of the account that a refresh could change.
  private struct Traces: Equatable {
    let sessions: [Session]
    let lastEvent: Int64?
  }

  private func traces(_ server: TestServer) async throws -> Traces {
    await server.world.linkEvents()
    return try await server.world.store.read { (transaction) throws(StoreFault) in
      Traces(
        sessions: try transaction.sessions(of: AccountID("technician")),
        lastEvent: try transaction.lastEvent()?.sequence
      )
    }
  }

  private func refresh(
    _ device: Device, _ token: String, proof: [HTTPField]
  ) async -> (status: Int, json: JSON) {
    await device.post(
      Endpoint.token.path,
      [("grant_type", "refresh_token"), ("client_id", "technician-app"), ("refresh_token", token)],
      proof: proof
    )
  }

  private struct Way: Sendable {
    let name: String
    var error = "invalid_dpop_proof"
    let proofs: @Sendable (Device) -> [HTTPField]
  }

  private static func flawed(_ name: String, _ flaws: Device.Flaws) -> Way {
    Way(name: name) { [$0.proof("POST", Endpoint.token.path, flaws)] }
  }

  private static func nonce(_ name: String, _ nonce: JSON) -> Way {
    Way(name: name, error: "use_dpop_nonce") {
      [$0.proof("POST", Endpoint.token.path, Device.Flaws(claims: ["nonce": nonce]))]
    }
  }

  private static let ways: [Way] =
    ProofTests.flaws.map { flawed($0.0, $0.1) } + [
      Way(name: "no proof") { _ in [] },
      Way(name: "two proofs") {
        [$0.proof("POST", Endpoint.token.path), $0.proof("POST", Endpoint.token.path)]
      },
      Way(name: "no JWT") { _ in [HTTPField("DPoP", "a.b")] },
      Way(name: "another route's proof") { [$0.proof("POST", Endpoint.challenge.path)] },
      nonce("a stale nonce", .string("stale")), nonce("a nonce that is no text", .int(1)),
    ]

  @Test("L-18 a refresh with an invalid proof does not use up its token", arguments: ways.indices)
  func flawed(_ index: Int) async throws {
    let way = Self.ways[index]
    let device = Device(server: try await TestServer())
    let token = try #require(try await device.signIn().json["refresh_token"]?.text)
    let before = try await traces(device.server)

    let refused = await refresh(device, token, proof: way.proofs(device))

    #expect(refused.json["error"]?.text == way.error, "\(way.name)")
    #expect(try await traces(device.server) == before, "\(way.name)")
    let fresh = [device.proof("POST", Endpoint.token.path)]
    #expect(await refresh(device, token, proof: fresh).status == 200, "\(way.name)")
  }

  @Test("L-18 a proof that was used before does not use up the token")
  func repeated() async throws {
    let device = Device(server: try await TestServer())
    let token = try #require(try await device.signIn().json["refresh_token"]?.text)
    let proof = [device.proof("POST", Endpoint.token.path)]
    let next = try #require(
      await refresh(device, token, proof: proof).json["refresh_token"]?.text)
    let before = try await traces(device.server)

    let refused = await refresh(device, next, proof: proof)

    #expect(refused.json["error"]?.text == "invalid_dpop_proof")
    #expect(try await traces(device.server) == before)
  }

  @Test("L-18 a required nonce is requested before the token is read")
  func demanded() async throws {
    let clients = Configuration.demo.clients.map { client in
      var client = client
      client.requiresProofNonce = true
      return client
    }
    let device = Device(server: try await TestServer(clients: clients))

    let refused = await refresh(
      device, "unknown", proof: [device.proof("POST", Endpoint.token.path)])

    #expect(refused.json["error"]?.text == "use_dpop_nonce")
  }

  @Test("L-18 a proof of another key neither uses the token up nor ends its session")
  func anotherKey() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let attacker = Device(server: server)
    let token = try #require(try await device.signIn().json["refresh_token"]?.text)
    let before = try await traces(server)

    let refused = await refresh(
      attacker, token, proof: [attacker.proof("POST", Endpoint.token.path)])

    #expect(refused.status == 400)
    #expect(try await traces(server).sessions == before.sessions)
    let fresh = [device.proof("POST", Endpoint.token.path)]
    #expect(await refresh(device, token, proof: fresh).status == 200)
  }
}
