import Cryptography
import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

extension Device {
  /// Signs the demo rider in and returns the access token.
  fileprivate func signInRider() async throws -> String {
    let first = await post(
      Endpoint.challenge.path,
      [
        ("response_type", "code"), ("client_id", "rider-app"),
        ("scope", "openid offline_access account dashboard"),
        ("code_challenge", Base64URL.encode(SHA256Digest.of(verifier))),
        ("code_challenge_method", "S256"), ("phone_number", "+919812345678"),
      ]
    )
    let session = try #require(first.json["auth_session"]?.text)
    let code = await server.sentCode()
    let proved = await post(
      Endpoint.challenge.path,
      [("client_id", "rider-app"), ("auth_session", session), ("otp", code)]
    )
    let tokens = await post(
      Endpoint.token.path,
      [
        ("grant_type", "authorization_code"), ("client_id", "rider-app"),
        ("code", try #require(proved.json["authorization_code"]?.text)),
        ("code_verifier", verifier),
      ]
    )
    return try #require(tokens.json["access_token"]?.text)
  }
}

@Suite("Dashboard")
struct DashboardTests {
  @Test("R-01 a rider signs in by number and code and sees the deliveries of the day")
  func whole() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let token = try await device.signInRider()

    let response = await device.get(Endpoint.dashboard.path, token: token)
    let answer = try #require(DashboardAnswer(json: try JSONReader.read(response.body)))

    #expect(response.status == 200)
    #expect(answer.day.seconds % (24 * 60 * 60) == 0)
    #expect([answer.total, answer.delivered, answer.failed, answer.remaining] == [8, 3, 1, 4])
    #expect(answer.deliveries.first?.recipient == "Anjali Mehta")
    #expect(answer.deliveries.map(\.startsAt) == answer.deliveries.map(\.startsAt).sorted())
  }

  @Test("The numbers of a day include the deliveries that are not listed")
  func manyDeliveries() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let token = try await device.signInRider()
    let count = HomeLimits.entries + 1
    let start = server.clock.now()
    try await server.world.store.transact { transaction throws(StoreFault) in
      for number in 0..<count {
        try transaction.save(
          Delivery(
            id: "more-\(number)", account: AccountID("rider"), recipient: "R", place: "P",
            parcels: 1, startsAt: start, endsAt: start, status: .assigned))
      }
    }

    let response = await device.get(Endpoint.dashboard.path, token: token)

    let answer = try #require(DashboardAnswer(json: try JSONReader.read(response.body)))
    #expect(answer.deliveries.count == HomeLimits.entries)
    #expect(answer.total >= Int64(count) && answer.remaining >= Int64(count))
    #expect(answer.total == answer.remaining + answer.delivered + answer.failed)
  }

  @Test(
    "R-01 yesterday's deliveries are not in today's list", arguments: [(-1, 8), (0, 0), (1, 0)])
  func day(_ offset: Int64, _ count: Int64) async throws {
    let server = try await TestServer()
    let start = server.clock.now().seconds
    let day: Int64 = 24 * 60 * 60
    server.clock.advance(seconds: (start / day + 1) * day - start + offset)
    let device = Device(server: server)
    let token = try await device.signInRider()

    let response = await device.get(Endpoint.dashboard.path, token: token)

    #expect(DashboardAnswer(json: try JSONReader.read(response.body))?.total == count)
  }

  @Test("A technician has no deliveries, and a request without a token gets none")
  func others() async throws {
    let server = try await TestServer(clients: Person.clients(technicianScope: .dashboard))
    let technician = try await Person.technician(at: server, scope: "openid dashboard")

    let response = await technician.call(.get, Endpoint.dashboard.path)

    #expect(DashboardAnswer(json: response.json)?.total == 0)
    #expect(await server.get(Endpoint.dashboard.path).status == 401)
  }
}
