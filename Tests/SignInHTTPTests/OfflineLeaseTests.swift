import Cryptography
import HTTPServer
import JSONText
import SignInHTTP
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Leases of offline data")
struct OfflineLeaseTests {
  @Test(
    "O-06 the lease is signed, names account, app and list, and ends when the app's policy says")
  func claims() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)

    let token = try #require(await owner.call(.get, Endpoint.products.path).json["lease"]?.text)
    let jws = try #require(CompactJWS(parsing: token))
    let lease = try #require(OfflineLease(reading: token))

    #expect(jws.isSigned(by: server.signingKey.signing.publicKey))
    #expect(jws.header["kid"]?.text == server.signingKey.id)
    #expect(lease.issuer == TestServer.issuer && lease.account.text == "owner")
    #expect(lease.client.text == "product-app" && lease.list == "products")
    #expect(lease.issuedAt == server.clock.now())
    #expect(lease.issuedAt.wholeSeconds(until: lease.expiresAt) == 30 * 24 * 60 * 60)
  }

  @Test("O-06 no lease is accepted as an access token")
  func confusion() async throws {
    let server = try await TestServer()
    let owner = try await Person.owner(at: server)
    let lease = try #require(await owner.call(.get, Endpoint.products.path).json["lease"]?.text)

    let answer = await owner.device.get(Endpoint.products.path, token: lease)

    #expect(answer.status == 401)
    #expect(OfflineLease(reading: owner.token) == nil)
    for wrong in ["", ".", "a.b.c", "e30.e30.e30", "e30.e30"] {
      #expect(OfflineLease(reading: wrong) == nil, "\(wrong)")
    }
  }

  @Test("O-08 an app with nothing to fetch gets a new lease after a thirtieth of its life")
  func renewal() async throws {
    var client = try #require(Configuration.demo.clients.first { $0.id.text == "product-app" })
    client.policy[.offline] = 3000
    client.policy[.accessToken] = 3600
    let server = try await TestServer(clients: [client])
    // Moves to a multiple of one hundred seconds.
    server.clock.advance(seconds: 100 - server.clock.now().seconds % 100)
    let owner = try await Person.owner(at: server)
    let cursor = try await owner.sync().cursor
    let first = await owner.call(.get, Endpoint.products.path, query: "cursor=\(cursor)")
    let tag = try #require(first.field("etag"))

    for (seconds, status) in [(99, 304), (1, 200)] {
      server.clock.advance(seconds: Int64(seconds))
      let answer = await server.answer(
        HTTPRequest(
          method: .get, path: Endpoint.products.path, query: "cursor=\(cursor)",
          fields: [
            HTTPField("Authorization", "DPoP \(owner.token)"), HTTPField("If-None-Match", tag),
            owner.device.proof("GET", Endpoint.products.path, token: owner.token),
          ]
        )
      )
      #expect(answer.status == status, "after \(seconds) more seconds")
    }
  }
}
