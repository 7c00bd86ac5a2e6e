import Testing

@testable import HTTPServer

/// The deadlines are real seconds.
///
/// Each test waits one or two, in parallel with the others.
@Suite("Deadlines and stopping")
struct DeadlineTests {
  private func rest(
    after text: String,
    _ change: (inout HTTPServerConfiguration.Limits) -> Void
  ) async throws -> String {
    let server = try serve { change(&$0.limits) }
    let rest = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send(text)
      return client.rest()
    }
    await server.stop()
    return rest
  }

  @Test("half a head gets 408")
  func head() async throws {
    let rest = try await rest(after: "GET / HTTP/1.1\r\nHo") { $0.headSeconds = 1 }

    #expect(rest.statusLine == "HTTP/1.1 408 Request Timeout")
  }

  @Test(
    "a byte that arrives does not move the deadline",
    arguments: [
      ["GET /"],
      ["GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "GET /"],
      ["PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"],
    ]
  )
  func dripping(requests: [String]) async throws {
    let server = try serve {
      $0.limits.headSeconds = 1
      $0.limits.bodySeconds = 1
    }

    let rest = try await onThread {
      let client = try LoopbackClient(port: server.port)
      for whole in requests.dropLast() {
        client.send(whole)
        _ = client.answer()
      }
      client.send(requests.last ?? "")
      let patience = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < patience, !client.hasInput(withinMilliseconds: 100) {
        client.send("a")
      }
      return ContinuousClock.now < patience ? client.rest() : "never cut"
    }
    await server.stop()

    #expect(rest.statusLine == "HTTP/1.1 408 Request Timeout")
  }

  @Test("half of a second head is timed from its first byte and gets 408")
  func secondHead() async throws {
    let rest = try await rest(after: "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET") { $0.headSeconds = 1 }

    #expect(rest.contains("/aHTTP/1.1 408 "))
  }

  @Test("half a body gets 408")
  func body() async throws {
    let request = "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab"

    let rest = try await rest(after: request) { $0.bodySeconds = 1 }

    #expect(rest.statusLine == "HTTP/1.1 408 Request Timeout")
  }

  @Test("an idle connection after an answer is closed without an answer")
  func idle() async throws {
    let rest = try await rest(after: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n") { $0.idleSeconds = 1 }

    #expect(rest.hasSuffix("\r\n\r\n/a"))
  }

  @Test("a connection that sends nothing is closed without an answer")
  func silence() async throws {
    let rest = try await rest(after: "") { $0.headSeconds = 1 }

    #expect(rest.isEmpty)
  }

  @Test("a client that does not read its answer is disconnected")
  func writeStall() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler) {
      $0.limits.writeStallSeconds = 1
      $0.limits.connections = 1
    }
    let request = "GET /big HTTP/1.1\r\nHost: x\r\n\r\n"

    let isFree = try await onThread {
      let stalled = try LoopbackClient(port: server.port)
      stalled.send(request)
      let patience = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < patience {
        // The only connection is free again after the stalled client is disconnected.
        let next = try LoopbackClient(port: server.port)
        next.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        if next.answer().hasSuffix("/a") { return stalled.rest().utf8.count < 32 << 20 }
        _ = next.hasInput(withinMilliseconds: 50)
      }
      return false
    }
    await server.stop()

    #expect(isFree)
  }

  @Test("a client that reads its answer steadily but too slowly is disconnected")
  func slowReader() async throws {
    let server = try serve {
      $0.limits.writeStallSeconds = 1
      $0.limits.writeBytesPerSecond = 32 << 20
      $0.limits.connections = 1
    }

    let isFree = try await onThread {
      let slow = try LoopbackClient(port: server.port)
      slow.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
      let patience = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < patience {
        // The client reads about a million bytes a second, and some in every second.
        _ = slow.take()
        let next = try LoopbackClient(port: server.port)
        next.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        if next.answer().hasSuffix("/a") { return true }
        _ = slow.isReset(withinMilliseconds: 50)
      }
      return false
    }
    await server.stop()

    #expect(isFree)
  }

  @Test("a TLS hello on a plain port is answered at once, before the time limit for a head")
  func hello() async throws {
    let server = try serve { $0.limits.headSeconds = 600 }

    let answer = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03])
      return client.answer()
    }
    await server.stop()

    #expect(answer.statusLine == "HTTP/1.1 400 Bad Request")
  }

  @Test("stopping finishes the requests in progress and closes idle connections")
  func gracefulStop() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler)
    let port = server.port
    let busy = try await onThread {
      let client = try LoopbackClient(port: port)
      client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
      return client
    }
    let half = try await onThread {
      let client = try LoopbackClient(port: port)
      client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b")
      return (client, client.answer()).0
    }
    await handler.gate.arrival()

    async let stopped: Void = server.stop()
    let idle = try await onThread {
      // The connection is refused, reset or closed: the server is stopped.
      while LoopbackClient.isServed(port: port) {}
      return true
    }
    await handler.gate.open()
    let answers = try await onThread {
      half.send(" HTTP/1.1\r\nHost: x\r\n\r\n")
      return [busy.rest(), half.rest()]
    }
    await stopped

    #expect(idle)
    #expect(answers[0].hasSuffix("Connection: close\r\nContent-Length: 4\r\n\r\nheld"))
    #expect(answers[1].hasSuffix("Connection: close\r\nContent-Length: 2\r\n\r\n/b"))
  }

  @Test("stopping closes connections that do not finish in time but does not cancel the request")
  func overdueStop() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler) { $0.limits.stopSeconds = 1 }
    let client = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
      return client
    }
    await handler.gate.arrival()

    await server.stop()
    await server.stop()
    let rest = try await onThread { client.rest() }

    #expect(rest.isEmpty)
    await handler.gate.open()
    #expect(await handler.gate.finished.allSatisfy { !$0 })
  }
}
