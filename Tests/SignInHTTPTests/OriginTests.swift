import HTTPServer
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Origins of requests")
struct OriginTests {
  private func caller(
    peer: String, _ forwarded: [String], standard: [String] = [],
    trusting proxies: [String] = ["10.0.0.1", "10.0.0.2", "2001:db8::10"]
  ) throws -> String {
    let request = HTTPRequest(
      method: .get, path: "/",
      fields: forwarded.map { HTTPField("X-Forwarded-For", $0) }
        + standard.map { HTTPField("Forwarded", $0) },
      peer: peer
    )
    return TrustedProxies(try proxies.map { try NetworkRange(parsing: $0) }).caller(of: request)
  }

  @Test("L-09 a client cannot set its own address: only a trusted proxy is believed")
  func untrusted() throws {
    #expect(try caller(peer: "192.0.2.9", ["198.51.100.7"]) == "192.0.2.9")
    #expect(try caller(peer: "10.0.0.1", ["198.51.100.7"], trusting: []) == "10.0.0.1")
    #expect(TrustedProxies.none == TrustedProxies([]))
  }

  @Test("L-59 a network of proxies is trusted, and nothing outside of it")
  func networks() throws {
    let proxies = ["10.0.0.0/8", "2001:db8::/32"]
    #expect(try caller(peer: "10.9.8.7", ["198.51.100.7"], trusting: proxies) == "198.51.100.7")
    #expect(
      try caller(peer: "10.9.8.7", ["198.51.100.7, 10.1.2.3"], trusting: proxies)
        == "198.51.100.7")
    #expect(
      try caller(peer: "2001:db8:1::2", ["198.51.100.7"], trusting: proxies) == "198.51.100.7")
    #expect(try caller(peer: "11.0.0.1", ["198.51.100.7"], trusting: proxies) == "11.0.0.1")
  }

  @Test(
    "L-09 behind proxies the address is the last one that is not a trusted proxy",
    arguments: [
      (["198.51.100.7"], "198.51.100.7"),
      (["203.0.113.1, 198.51.100.7"], "198.51.100.7"),
      (["203.0.113.1,198.51.100.7 , 10.0.0.2"], "198.51.100.7"),
      (["203.0.113.1", "198.51.100.7", "10.0.0.2"], "198.51.100.7"),
      (["2001:db8::7, ::ffff:10.0.0.2"], "2001:db8::7"),
      (["10.0.0.2"], "10.0.0.2"), ([], "10.0.0.1"), ([""], "10.0.0.1"),
      (["198.51.100.7, unknown"], "10.0.0.1"), (["198.51.100.7, unknown, 10.0.0.2"], "10.0.0.2"),
      (["1.2.3.4, 198.51.100.7:4711"], "198.51.100.7"), (["198.51.100.7:0"], "198.51.100.7"),
      (["198.51.100.7:12345, 10.0.0.2:80"], "198.51.100.7"),
      (["[2001:db8::7]"], "2001:db8::7"), (["[2001:db8::7]:4711"], "2001:db8::7"),
      (["2001:db8::7, [2001:db8::10]:443"], "2001:db8::7"),
      (["198.51.100.7:"], "10.0.0.1"), (["198.51.100.7:123456"], "10.0.0.1"),
      (["198.51.100.7:8x"], "10.0.0.1"), (["[198.51.100.7]:80"], "10.0.0.1"),
      (["[2001:db8::7"], "10.0.0.1"), (["[2001:db8::7]x"], "10.0.0.1"), (["[]:80"], "10.0.0.1"),
      (["2001:db8::7]:80"], "10.0.0.1"), ([":80"], "10.0.0.1"),
      (["\t198.51.100.7\t"], "198.51.100.7"),
      (["198.51.100.7 80"], "10.0.0.1"),
    ] as [([String], String)]
  )
  func trusted(_ forwarded: [String], _ address: String) throws {
    #expect(try caller(peer: "10.0.0.1", forwarded) == address)
  }

  @Test(
    "L-09 Forwarded is read like X-Forwarded-For (RFC 7239)",
    arguments: [
      (["for=198.51.100.7"], "198.51.100.7"), (["For=\"198.51.100.7:4711\""], "198.51.100.7"),
      (["for=\"[2001:db8::7]:4711\""], "2001:db8::7"), (["for=\"[2001:db8::7]\""], "2001:db8::7"),
      (["for=203.0.113.1;proto=http, for=198.51.100.7;by=10.0.0.2;host=a.b"], "198.51.100.7"),
      (["for=203.0.113.1", "for=198.51.100.7, for=10.0.0.2"], "198.51.100.7"),
      (["proto=https ; for=198.51.100.7"], "198.51.100.7"),
      (["for=\"198.51.100.7:_port\""], "198.51.100.7"),
      (["for=unknown"], "10.0.0.1"), (["for=_hidden, for=10.0.0.2"], "10.0.0.2"),
      (["for=198.51.100.7;for=203.0.113.1"], "10.0.0.1"), (["proto=https"], "10.0.0.1"),
      (["198.51.100.7"], "10.0.0.1"), (["for=\""], "10.0.0.1"), (["for="], "10.0.0.1"),
      (["for=\"203.0.113.1, for=198.51.100.7"], "198.51.100.7"), ([""], "10.0.0.1"),
    ] as [([String], String)]
  )
  func standard(_ forwarded: [String], _ address: String) throws {
    #expect(try caller(peer: "10.0.0.1", [], standard: forwarded) == address)
    #expect(try caller(peer: "192.0.2.9", [], standard: forwarded) == "192.0.2.9")
  }

  @Test("L-09 a field that the proxy passed on unchanged from its client is not believed")
  func disagreement() throws {
    let real = "198.51.100.7"
    #expect(try caller(peer: "10.0.0.1", [real], standard: ["for=\"\(real):80\""]) == real)
    #expect(try caller(peer: "10.0.0.1", [real], standard: ["for=203.0.113.1"]) == "10.0.0.1")
    #expect(try caller(peer: "10.0.0.1", ["203.0.113.1"], standard: ["for=\(real)"]) == "10.0.0.1")
  }

  @Test("L-16 a throttle is 429 with the wait in body and header; other addresses continue")
  func throttled() async throws {
    let server = try await TestServer()
    let device = Device(server: server)
    func wrong(_ number: Int, from peer: String) async -> HTTPResponse {
      let form = Form([
        Form.Field("response_type", "code"), Form.Field("client_id", "technician-app"),
        Form.Field("code_challenge", String(repeating: "c", count: 43)),
        Form.Field("code_challenge_method", "S256"),
        Form.Field("username", "unknown\(number)@example.com"), Form.Field("password", "p"),
      ])
      return await server.answer(
        HTTPRequest(
          method: .post, path: Endpoint.challenge.path,
          fields: [
            HTTPField("Content-Type", "application/x-www-form-urlencoded"),
            device.proof("POST", Endpoint.challenge.path),
          ],
          body: Array(form.encoded.utf8), peer: peer
        )
      )
    }
    for number in 0..<100 { #expect(await wrong(number, from: "192.0.2.1").status == 400) }

    let refused = await wrong(100, from: "192.0.2.1")

    #expect(refused.status == 429)
    #expect(refused.fields.contains(HTTPField("Retry-After", "3600")))
    #expect(
      String(decoding: refused.body, as: UTF8.self).contains("\"error\":\"rate_limited\""))
    #expect(String(decoding: refused.body, as: UTF8.self).contains("\"retry_in\":3600"))
    #expect(await wrong(100, from: "192.0.2.2").status == 400)
  }
}
