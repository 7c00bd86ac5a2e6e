import HTTPServer
import SignInModel
import SignInRules
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Metrics")
struct MetricTests {
  @Test("L-37 metrics are read on their own listener; the public address has none")
  func ownListener() async throws {
    for isDevelopment in [true, false] {
      let server = try await TestServer(isDevelopment: isDevelopment)
      let listener = MetricsHandler(
        server.handler, readings: [MetricReading("fieldpass_example", .gauge) { 7 }]
      )
      func status(_ method: HTTPMethod, _ path: String) async -> Int {
        await listener.answer(HTTPRequest(method: method, path: path)).status
      }

      #expect(await server.get(Endpoint.metrics.path).status == 404)
      let answer = await listener.answer(HTTPRequest(method: .get, path: Endpoint.metrics.path))
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status == 200)
      #expect(answer.fields.contains(HTTPField("Content-Type", "text/plain; version=0.0.4")))
      #expect(text.contains("# TYPE fieldpass_example gauge\nfieldpass_example 7\n"))
      #expect(await status(.head, Endpoint.metrics.path) == 200)
      #expect(await status(.post, Endpoint.metrics.path) == 405)
      for path in [
        "/", "/metrics/", Endpoint.alive.path, Endpoint.keys.path,
        Endpoint.developmentMessages.path,
      ] {
        #expect(await status(.get, path) == 404, "\(path)")
      }
      #expect(listener.refusal(status: 413, path: "").status == 413)
    }
  }

  @Test("L-37 metrics on loopback answer neither foreign host names nor pages of other sites")
  func foreignPages() async throws {
    let server = try await TestServer()
    func status(_ field: HTTPField, isLocal: Bool) async -> Int {
      let listener = MetricsHandler(server.handler, isLocal: isLocal)
      let request = HTTPRequest(method: .get, path: Endpoint.metrics.path, fields: [field])
      return await listener.answer(request).status
    }

    #expect(await status(HTTPField("Host", "localhost:9464"), isLocal: true) == 200)
    #expect(await status(HTTPField("Host", "evil.example"), isLocal: true) == 403)
    #expect(await status(HTTPField("Sec-Fetch-Site", "cross-site"), isLocal: true) == 403)
    #expect(await status(HTTPField("Host", "fieldpass.internal:9464"), isLocal: false) == 200)
  }

  @Test("L-16 each rule that refuses a message has its own metric, which counts each refusal once")
  func refusals() async throws {
    let clients = Configuration.demo.clients.map { client in
      var client = client
      client.policy[.numberHourly] = 1
      return client
    }
    let server = try await TestServer(clients: clients)
    let device = Device(server: server)
    func metrics() async -> [Substring] {
      await server.metrics().split(separator: "\n").filter {
        $0.hasPrefix("fieldpass_refusals_total")
      }
    }
    #expect(await metrics() == [])

    _ = await device.begin()
    for refusals in 1...2 {
      server.clock.advance(seconds: 61)
      _ = await device.begin()
      #expect(await metrics() == [#"fieldpass_refusals_total{rule="number"} \#(refusals)"#])
      #expect(await metrics() == [#"fieldpass_refusals_total{rule="number"} \#(refusals)"#])
    }
  }
}
