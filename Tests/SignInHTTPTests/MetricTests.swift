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
  @Test("L-16 each rule that refuses a message has a metric of its own, which counts each once")
  func refusals() async throws {
    let clients = Configuration.demo.clients.map { client in
      var client = client
      client.messages.perNumberPerHour = 1
      return client
    }
    let server = try await TestServer(clients: clients)
    let device = Device(server: server)
    func metrics() async -> [Substring] {
      let text = String(decoding: await server.get(Endpoint.metrics).body, as: UTF8.self)
      return text.split(separator: "\n").filter { $0.hasPrefix("fieldpass_refusals_total") }
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
