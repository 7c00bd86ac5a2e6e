import Glibc
import Testing

@testable import HTTPServer

@Suite("Connections of one address")
struct AddressLimitTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

  /// The bodies of answers to clients that stay connected, in order.
  private static func answers(
    _ count: Int, from source: UInt32 = 0x7F00_0001, port: UInt16
  ) throws -> (clients: [LoopbackClient], bodies: [Substring]) {
    let clients = try (0..<count).map { _ in
      let client = try LoopbackClient(port: port, from: source)
      client.send(get)
      return client
    }
    return (clients, clients.map { $0.answer().suffix(2) })
  }

  @Test("an address has as many connections as its limit over all loops, and no more")
  func limit() async throws {
    let server = try serve {
      $0.limits.connectionsPerAddress = 3
      $0.loops = 2
    }

    let (below, above, other) = try await onThread {
      let (first, below) = try Self.answers(3, port: server.port)
      let above = try Self.answers(2, port: server.port).bodies
      let other = try Self.answers(1, from: 0x7F00_0002, port: server.port).bodies
      withExtendedLifetime(first) {}
      return (below, above, other)
    }
    await server.stop()

    #expect(below == ["/a", "/a", "/a"])
    #expect(above == ["", ""])
    #expect(other == ["/a"])
  }

  @Test("a connection that ends makes room for the next one")
  func room() async throws {
    let server = try serve { $0.limits.connectionsPerAddress = 1 }

    let served = try await onThread {
      var served = 0
      let patience = ContinuousClock.now + .seconds(8)
      // The server may notice a closed connection a little later.
      while served < 5, ContinuousClock.now < patience {
        if try Self.answers(1, port: server.port).bodies == ["/a"] { served += 1 }
      }
      return served
    }
    await server.stop()

    #expect(served == 5)
  }

  @Test("a request in progress counts for its address, even after its client disconnects")
  func orphan() async throws {
    let handler = LoopbackHandler()
    let server = try serve(handler) { $0.limits.connectionsPerAddress = 1 }

    let client = try await onThread {
      let client = try LoopbackClient(port: server.port)
      client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n")
      return client
    }
    await handler.gate.arrival()
    let refused = try await onThread {
      client.reset()
      return try Self.answers(1, port: server.port).bodies
    }
    await handler.gate.open()
    let served = try await onThread {
      let patience = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < patience {
        if try Self.answers(1, port: server.port).bodies == ["/a"] { return true }
      }
      return false
    }
    await server.stop()

    #expect(refused == [""])
    #expect(served)
  }

  @Test("a proxy that carries the requests of all clients has no limit")
  func proxy() async throws {
    let server = try serve {
      $0.limits.connectionsPerAddress = 1
      $0.isUnlimitedPeer = { $0 == "127.0.0.9" }
    }

    let (proxied, direct) = try await onThread {
      let (clients, proxied) = try Self.answers(3, from: 0x7F00_0009, port: server.port)
      let direct = try Self.answers(2, port: server.port).bodies
      withExtendedLifetime(clients) {}
      return (proxied, direct)
    }
    await server.stop()

    #expect(proxied == ["/a", "/a", "/a"])
    #expect(direct == ["/a", ""])
  }

  private static let largeLimits: @Sendable (inout HTTPServerConfiguration) -> Void = {
    $0.limits.bodyBytes = 4
    $0.limits.largeBodyPaths = ["/large"]
    $0.limits.largeBodies = 4
    $0.limits.largeBodiesPerAddress = 2
    $0.isUnlimitedPeer = { $0 == "127.0.0.9" }
  }

  /// The first answers to clients that have sent the head of a large body: an interim one, or a
  /// refusal.
  private static func large(
    _ count: Int, from source: UInt32 = 0x7F00_0001, port: UInt16
  ) throws -> (clients: [LoopbackClient], statuses: [Substring]) {
    let clients = try (0..<count).map { _ in try LoopbackClient(port: port, from: source) }
    let statuses = clients.map { client in
      client.send(
        "POST /large HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
      return client.answer().dropFirst("HTTP/1.1 ".utf8.count).prefix(3)
    }
    return (clients, statuses)
  }

  @Test(
    "L-13 an address sends as many large bodies at once as its limit, and leaves room to others")
  func largeBodies() async throws {
    let server = try serve(LoopbackHandler(), Self.largeLimits)

    let (own, other, proxied, answers, later) = try await onThread {
      let (clients, own) = try Self.large(3, port: server.port)
      let (others, other) = try Self.large(1, from: 0x7F00_0002, port: server.port)
      // A proxy has no limit of its own, so it gets the last place of the loop.
      let (last, proxied) = try Self.large(2, from: 0x7F00_0009, port: server.port)
      let answers = clients.prefix(2).map { client in
        client.send("abcde")
        return client.answer().suffix(5)
      }
      let later = try Self.large(2, port: server.port)
      withExtendedLifetime((others, last, later.clients)) {}
      return (own, other, proxied, answers, later.statuses)
    }
    await server.stop()

    #expect(own == ["100", "100", "503"])
    #expect(other == ["100"])
    #expect(proxied == ["100", "503"])
    #expect(answers == ["abcde", "abcde"])
    #expect(later == ["100", "100"], "an answered body makes room")
  }

  @Test("L-13 a connection that ends in its large body makes room for the next one")
  func endedLargeBody() async throws {
    let server = try serve(LoopbackHandler(), Self.largeLimits)

    let served = try await onThread {
      let (clients, _) = try Self.large(2, port: server.port)
      for client in clients { client.reset() }
      let patience = ContinuousClock.now + .seconds(8)
      while ContinuousClock.now < patience {
        if try Self.large(2, port: server.port).statuses == ["100", "100"] { return true }
      }
      return false
    }
    await server.stop()

    #expect(served)
  }

  @Test("the limit of a site does not overflow")
  func noLimit() throws {
    let counts = AddressCounts(limit: .max)
    let network = PeerNetwork(try SocketAddress(parsing: "2001:db8::1", port: 1).storage)
    #expect(counts.enter(network) && counts.enter(network))
  }

  @Test("an address without connections needs no memory")
  func counts() throws {
    let counts = AddressCounts(limit: 2)
    let network = PeerNetwork(try SocketAddress(parsing: "192.0.2.1", port: 1).storage)

    #expect(counts.enter(network) && counts.enter(network) && !counts.enter(network))
    counts.leave(network)
    #expect(counts.enter(network))
    counts.leave(network)
    counts.leave(network)
    counts.leave(network)
    #expect(counts.isEmpty && counts.enter(network))
  }

  @Test("L-16 the networks of one IPv6 site share a higher limit and need no memory afterwards")
  func sites() throws {
    let counts = AddressCounts(limit: 1)
    let networks = try (0..<6).map { number in
      PeerNetwork(try SocketAddress(parsing: "2001:db8:1:\(number)::1", port: 1).storage)
    }
    let other = PeerNetwork(try SocketAddress(parsing: "2001:db8:2::1", port: 1).storage)

    let isTaken = networks.map { counts.enter($0) }

    #expect(isTaken.filter { $0 }.count == AddressCounts.siteShare)
    #expect(isTaken.prefix(AddressCounts.siteShare).allSatisfy { $0 })
    #expect(counts.enter(other))
    for network in networks.prefix(AddressCounts.siteShare) + [other] { counts.leave(network) }
    #expect(counts.isEmpty)
  }

  @Test("L-13 all networks of one IPv6 site share the large bodies of one address")
  func largeBodiesOfSite() throws {
    var limits = HTTPServerConfiguration.Limits()
    limits.largeBodiesPerAddress = 2
    let bodies = AddressTally(limits).largeBodies
    let entered = try (0..<3).map { number in
      let address = try SocketAddress(parsing: "2001:db8:1:\(number)::1", port: 1)
      return bodies.enter(PeerNetwork(address.storage))
    }

    #expect(entered == [true, true, false])
  }

  @Test(
    "an IPv4 address counts alone in either notation; an IPv6 address counts by its first 64 bits",
    arguments: [
      ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
      ("192.0.2.1", "::ffff:192.0.2.1", true), ("2001:db8::1", "2001:db8::ffff:2", true),
      ("2001:db8::1", "2001:db8:0:1::1", false), ("::c000:201", "192.0.2.1", false),
    ]
  )
  func networks(one: String, other: String, isSame: Bool) throws {
    func network(_ text: String) throws -> PeerNetwork {
      PeerNetwork(try SocketAddress(parsing: text, port: 1).storage)
    }
    #expect(try (network(one) == network(other)) == isSame)
  }
}
