import COpenSSL
import Testing

@testable import HTTPServer

@Suite("TLS")
struct TLSTests {
  private static let get = "GET /a. HTTP/1.1\r\nHost: localhost\r\n\r\n"
  private let fixture: TLSFixture

  init() throws { fixture = try TLSFixture() }

  @Test("requests are answered over TLS 1.3 with http/1.1 agreed")
  func version13() async throws {
    let server = try serve(tls: fixture.settings())
    let body = String(repeating: "b", count: 40_000) + "."
    let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body

    let conversation = try await onThread {
      try LoopbackClient.converse(port: server.port, requests: [Self.get, post, Self.get])
    }
    await server.stop()

    #expect(conversation.version == "TLSv1.3")
    #expect(conversation.selectedProtocol == "http/1.1")
    #expect(conversation.answers.map { $0.suffix(3) } == ["/a.", "bb.", "/a."])
  }

  @Test("a large answer arrives completely over TLS")
  func bigAnswer() async throws {
    let server = try serve(tls: fixture.settings())

    let count = try await onThread {
      let request = "GET /big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      return try LoopbackClient.converse(port: server.port, requests: [request])
        .answers.first?.utf8.count ?? 0
    }
    await server.stop()

    #expect(count > 32 << 20)
  }

  @Test("TLS 1.2 is refused unless it is allowed", arguments: [false, true])
  func version12(isAllowed: Bool) async throws {
    let server = try serve(tls: fixture.settings(allowsTLS12: isAllowed))

    let conversation = try await onThread {
      try LoopbackClient.converse(
        port: server.port,
        requests: [Self.get],
        highest: TLS1_2_VERSION
      )
    }
    await server.stop()

    #expect(conversation.version == (isAllowed ? "TLSv1.2" : nil))
  }

  @Test("TLS 1.1 is refused even where 1.2 is allowed")
  func version11() async throws {
    let server = try serve(tls: fixture.settings(allowsTLS12: true))

    let conversation = try await onThread {
      try LoopbackClient.converse(port: server.port, highest: TLS1_1_VERSION)
    }
    await server.stop()

    #expect(conversation.version == nil)
  }

  @Test("a client that speaks only other protocols is refused")
  func otherProtocols() async throws {
    let server = try serve(tls: fixture.settings())

    let conversation = try await onThread {
      try LoopbackClient.converse(port: server.port, offers: ["h2", "smtp"])
    }
    let choosing = try await onThread {
      try LoopbackClient.converse(port: server.port, offers: ["h2", "http/1.1"])
    }
    await server.stop()

    #expect(conversation.version == nil)
    #expect(choosing.selectedProtocol == "http/1.1")
  }

  @Test(
    "a missing or invalid handshake is disconnected",
    arguments: ["", "GET / HTTP/1.1\r\n"]
  )
  func noHandshake(text: String) async throws {
    let server = try serve(tls: fixture.settings()) { $0.limits.headSeconds = 1 }

    let rest = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send(text)
      return client.rest()
    }
    await server.stop()

    #expect(!rest.contains("HTTP"))
  }

  @Test("new connections get the new certificate; open connections continue with the old one")
  func reload() async throws {
    let server = try serve(tls: fixture.settings())
    let before = try #require(server.certificateValidThrough)
    let renewed = fixture.settings(certificate: "longer.pem", key: "longer-key.pem")

    let open = try await onThread {
      try LoopbackClient.converse(port: server.port, requests: [Self.get, Self.get]) {
        try server.reload(renewed)
      }
    }
    let later = try await onThread { try LoopbackClient.converse(port: server.port) }
    await server.stop()

    #expect(open.answers.map { $0.suffix(3) } == ["/a.", "/a."])
    #expect(open.certificate != later.certificate && later.version == "TLSv1.3")
    #expect(server.certificateValidThrough == before + 3600)
  }

  @Test("unusable files are refused, and the current certificate stays in use")
  func refusedReload() async throws {
    let server = try serve(tls: fixture.settings())
    let before = try await onThread { try LoopbackClient.converse(port: server.port) }

    for settings in [
      fixture.settings(certificate: "none.pem"), fixture.settings(certificate: "rubbish.pem"),
      fixture.settings(key: "rubbish.pem"), fixture.settings(key: "other-key.pem"),
    ] {
      #expect(throws: HTTPServerFault.self) { try server.reload(settings) }
    }
    let after = try await onThread { try LoopbackClient.converse(port: server.port) }
    await server.stop()

    #expect(before.certificate == after.certificate && after.version == "TLSv1.3")
  }

  @Test("a server without TLS has no certificate and nothing to reload")
  func withoutTLS() async throws {
    let server = try serve()

    try server.reload(fixture.settings(certificate: "none.pem"))

    #expect(server.certificateValidThrough == nil)
    await server.stop()
  }

  @Test("unusable files are faults with the file names")
  func faults() throws {
    let wrong: [(HTTPServerConfiguration.TLS, HTTPServerFault)] = [
      (
        fixture.settings(certificate: "none.pem"),
        .certificateUnreadable(fixture.path("none.pem"))
      ),
      (
        fixture.settings(certificate: "rubbish.pem"),
        .certificateUnreadable(fixture.path("rubbish.pem"))
      ),
      (fixture.settings(key: "none.pem"), .keyUnreadable(fixture.path("none.pem"))),
      (fixture.settings(key: "rubbish.pem"), .keyUnreadable(fixture.path("rubbish.pem"))),
      (fixture.settings(key: "other-key.pem"), .keyDoesNotMatchCertificate),
    ]

    for (settings, fault) in wrong {
      #expect(throws: fault) { try serve(tls: settings) }
    }
  }
}
