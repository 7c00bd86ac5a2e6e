import Foundation
import Glibc
import Testing

@testable import HTTPServer

@Suite("Server over loopback")
struct HTTPServerLoopbackTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test("a connection stays open for the next request")
  func keepAlive() async throws {
    let server = try serve()

    let answers = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send(Self.get)
      let first = client.answer()
      client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
      return [first, client.answer()]
    }
    await server.stop()

    #expect(
      answers[0]
        == "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Length: 2\r\n\r\n/a"
    )
    #expect(answers[1].hasSuffix("\r\n\r\n/bhi"))
  }

  @Test("pipelined requests are answered in order, one at a time")
  func pipelining() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler)

    let client = try await onThread { try LoopbackClient(port: server.port) }
    try await onThread {
      client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n" + Self.get + Self.get + "GET /b")
    }
    await handler.gate.arrival()
    try await onThread { client.send(" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
    await handler.gate.open()
    let text = try await onThread { client.rest() }
    await server.stop()

    let bodies = text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(4) }
    #expect(bodies == ["held", "/aHT", "/aHT", "/b"])
  }

  @Test("many pipelined requests are all answered", arguments: ["/a", "/hold"])
  func longPipeline(path: String) async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler)
    await handler.gate.open()

    let count = try await onThread {
      let client = try LoopbackClient(port: server.port)
      for _ in 0..<20 {
        client.send(String(repeating: "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n", count: 100))
      }
      client.send("GET / HTTP/1.0\r\n\r\n")
      return client.rest().components(separatedBy: "HTTP/1.1 200 OK").count - 1
    }
    await server.stop()

    #expect(count == 2001)
  }

  @Test("HEAD is answered without a body")
  func head() async throws {
    let server = try serve()

    let text = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("HEAD /abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      return client.rest()
    }
    await server.stop()

    #expect(text.hasSuffix("Content-Length: 4\r\n\r\n"))
  }

  @Test("a client that sends Expect gets 100 Continue")
  func expectation() async throws {
    let server = try serve()

    let answers = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("PUT /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
      let interim = client.answer()
      client.send("b")
      return [interim, client.answer()]
    }
    await server.stop()

    #expect(answers[0] == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(answers[1].hasSuffix("\r\n\r\n/ab"))
  }

  @Test("L-13 a body of 1 MiB is refused, and the client can read the refusal")
  func largeBody() async throws {
    let server = try serve()

    let (isTaken, text) = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n")
      // The answer is already there when the client sends the body, as with a client that reads
      // last.
      let isAnswered = client.hasInput(withinMilliseconds: 10_000)
      let chunk = [UInt8](repeating: 0x61, count: 1 << 16)
      client.send(chunk)
      let isReset = client.isReset(withinMilliseconds: 100)
      let isTaken = (1..<16).allSatisfy { _ in client.send(chunk) }
      return (isAnswered && !isReset && isTaken, client.rest())
    }
    await server.stop()

    #expect(isTaken)
    #expect(text.statusLine == "HTTP/1.1 413 Content Too Large")
    #expect(text.hasSuffix("Connection: close\r\nContent-Length: 11\r\n\r\nrefused 413"))
  }

  @Test("L-13 a malformed request is answered and its connection is closed")
  func malformed() async throws {
    let server = try serve()

    let text = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send(Self.get + "GET / HTTP/1.1\nHost: x\r\n\r\n" + Self.get)
      return client.rest()
    }
    await server.stop()

    #expect(text.components(separatedBy: "HTTP/1.1 ").map { $0.prefix(3) } == ["", "200", "400"])
  }

  @Test("an answer larger than the socket buffer arrives completely")
  func bigAnswer() async throws {
    let server = try serve()

    let count = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      return client.rest().utf8.count
    }
    await server.stop()

    #expect(count > 32 << 20)
  }

  @Test("a client that has finished sending still gets its answer")
  func halfClosed() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler)

    let client = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
      client.finishSending()
      return client
    }
    await handler.gate.arrival()
    await handler.gate.open()
    let text = try await onThread { client.rest() }
    await server.stop()

    #expect(text.hasSuffix("held"))
  }

  @Test("a request is not cancelled when its client disconnects")
  func clientLeaves() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler) { $0.limits.connections = 1 }

    let client = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
      return client
    }
    await handler.gate.arrival()
    // A request in progress counts even after its client disconnects.
    let second = try await onThread {
      client.reset()
      let second = try LoopbackClient(port: server.port)
      second.send(Self.get)
      return second.rest()
    }
    await handler.gate.open()
    await server.stop()

    #expect(second.isEmpty)
    #expect(await handler.gate.finished == [false])
  }

  @Test("one connection beyond the limit is closed at once")
  func connectionLimit() async throws {
    let server = try serve { $0.limits.connections = 2 }

    let answers = try await onThread {
      let clients = try (0..<3).map { _ in
        let client = try LoopbackClient(port: server.port)
        client.send(Self.get)
        return client
      }
      return clients.map { $0.answer().suffix(2) }
    }
    await server.stop()

    #expect(answers == ["/a", "/a", ""])
  }

  @Test("several loops share one port")
  func loops() async throws {
    let server = try serve { $0.loops = 2 }

    let answers = try await onThread {
      try (0..<16).map { _ in
        let client = try LoopbackClient(port: server.port)
        client.send(Self.get)
        return client.answer().suffix(2)
      }
    }
    await server.stop()

    #expect(answers == Array(repeating: "/a", count: 16))
  }

  @Test("the server listens on an IPv6 address and shows an IPv4 peer as IPv4")
  func version6() async throws {
    let server = try serve { $0.address = "::ffff:127.0.0.1" }

    let answer = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /peer HTTP/1.1\r\nHost: x\r\n\r\n")
      return client.answer()
    }
    await server.stop()

    #expect(answer.hasSuffix("\r\n127.0.0.1"))
    #expect(SocketAddress.text(of: try SocketAddress(parsing: "::1", port: 1).storage) == "::1")
  }

  @Test("a request has the address of its peer")
  func peer() async throws {
    let server = try serve()

    let answer = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /peer HTTP/1.1\r\nHost: x\r\n\r\n")
      return client.answer()
    }
    await server.stop()

    #expect(answer.hasSuffix("\r\n127.0.0.1"))
  }

  @Test("an address that cannot be bound is a fault with the address")
  func faults() async throws {
    let server = try serve()
    let taken = HTTPServerConfiguration(address: "127.0.0.1", port: server.port) { 0 }
    var shared = taken
    shared.loops = 2
    let wrong = HTTPServerConfiguration(address: "localhost", port: 0) { 0 }

    for configuration in [taken, shared] {
      #expect(
        throws: HTTPServerFault.addressUnavailable(
          "127.0.0.1",
          port: server.port,
          errno: EADDRINUSE
        )
      ) { try HTTPServer(configuration, handler: LoopbackHandler()) }
    }
    #expect(throws: HTTPServerFault.addressMalformed("localhost")) {
      try HTTPServer(wrong, handler: LoopbackHandler())
    }
    await server.stop()
  }
}
