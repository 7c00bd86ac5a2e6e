import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire
import Testing

@testable import SignInHTTP

/// The log lines and metrics of each answer.
@Suite("Counted answers")
struct AnswerCountTests {
  private func lastLine(_ server: TestServer) throws -> JSON {
    try JSONReader.read(Array(try #require(server.logged.all.last).utf8))
  }

  @Test("A refusal is logged and counted with its code and its app")
  func refused() async throws {
    let server = try await TestServer()
    let device = Device(server: server)

    _ = await device.post(
      Endpoint.challenge.path,
      [("client_id", "technician-app"), ("auth_session", "none"), ("otp", "123456")])

    let line = try lastLine(server)
    #expect(line["code"]?.text == "invalid_session")
    #expect(line["client"]?.text == "technician-app")
    #expect(
      await server.metrics().contains(
        "fieldpass_answers_total{route=\"\(Endpoint.challenge.path)\",status=\"400\","
          + "code=\"invalid_session\",client=\"technician-app\"} 1\n"))
  }

  @Test("A number from a country that is not served is logged with the reason")
  func unserved() async throws {
    let clients = Configuration.demo.clients.map { client in
      var client = client
      client.policy.countries = ["+47"]
      return client
    }
    let server = try await TestServer(clients: clients)

    let answer = await Device(server: server).begin()

    #expect(answer.status == 429)
    #expect(answer.json["error"]?.text == "rate_limited")
    #expect(answer.json["error_description"]?.text?.contains("country is not served") == true)
    #expect(try lastLine(server)["reason"]?.text == "country_not_served")
  }

  @Test("An app is named where it reads its data, and an answer of a route names no other app")
  func named() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let token = try await device.signIn().access

    _ = await device.get(Endpoint.me.path, token: token)
    #expect(try lastLine(server)["client"]?.text == "technician-app")
    _ = await device.get(Endpoint.products.path, token: token)
    #expect(try lastLine(server)["code"]?.text == "insufficient_scope")
    _ = await server.get(Endpoint.keys.path)
    #expect(try lastLine(server)["client"] == nil)
    #expect(try lastLine(server)["code"] == nil)
  }

  @Test("T-14 no part of a request becomes a word of log or metrics")
  func bounded() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    let odd = "odd-client-4711"

    _ = await device.post(Endpoint.challenge.path, [("client_id", odd), ("otp", odd)])
    _ = await device.post(Endpoint.token.path, [("client_id", odd), ("grant_type", odd)])
    _ = await server.get("/\(odd)")
    _ = await server.handler.answer(
      HTTPRequest(
        method: .post, path: Endpoint.forgotPassword.path,
        fields: [HTTPField("Content-Type", "application/json")],
        body: Array(#"{"client_id": "\#(odd)", "username": "\#(odd)"}"#.utf8)))

    let metrics = await server.metrics()
    #expect(metrics.contains("code=\"invalid_client\"}"))
    #expect(!metrics.contains(odd))
    #expect(!server.logged.all.joined().contains(odd))
  }

  @Test(
    "A duration is counted in the first bucket that includes it",
    arguments: [
      (0, "0.001"), (1, "0.001"), (2, "0.002"), (3, "0.005"), (199, "0.2"), (200, "0.2"),
      (201, "0.5"), (1000, "1"), (10_000, "10"), (10_001, "+Inf"), (Int64.max, "+Inf"),
    ] as [(Int64, String)])
  func buckets(milliseconds: Int64, bucket: String) {
    var histogram = DurationHistogram()
    histogram.count(milliseconds)

    let lines = histogram.text(of: "x", labels: "route=\"r\"").split(separator: "\n")
    let filled = lines.first { $0.hasPrefix("x_bucket") && $0.hasSuffix(" 1") }

    #expect(filled == "x_bucket{route=\"r\",le=\"\(bucket)\"} 1")
    #expect(lines.last == "x_count{route=\"r\"} 1")
  }

  @Test("Each bucket of a histogram includes those before it, and the sum is in seconds")
  func cumulative() {
    var histogram = DurationHistogram()
    for milliseconds in [1, 3, 3, 150, 1850] as [Int64] { histogram.count(milliseconds) }

    let text = histogram.text(of: "x", labels: "route=\"r\"")

    #expect(text.contains("le=\"0.002\"} 1\n") && text.contains("le=\"0.005\"} 3\n"))
    #expect(text.contains("le=\"2.5\"} 5\n") && text.contains("le=\"+Inf\"} 5\n"))
    #expect(text.contains("x_sum{route=\"r\"} 2.007\n"))
  }
}
