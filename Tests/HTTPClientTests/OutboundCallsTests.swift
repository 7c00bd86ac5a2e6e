import CLinux
import Glibc
import HTTPServer
import Synchronization
import Testing

@testable import HTTPClient

@Suite("Calls to other servers")
struct OutboundCallsTests {
  private static let deadline: Int64 = 10_000
  private static let late: [OutboundFault] = [.late(isSent: false), .late(isSent: true)]

  @Test(
    "a request arrives unchanged",
    arguments: [OutboundRequest.Method.get, .post, .put, .patch, .delete])
  func whole(_ method: OutboundRequest.Method) async throws {
    let peer = try Peer()
    let calls = OutboundCalls()
    let body = method == .get ? [] : Array("{\"a\": 1}".utf8)

    let answer = try await calls.send(
      OutboundRequest(
        method, "\(peer.address)/echo?x=1", fields: [("X-One", "first"), ("X-Two", "a, b")],
        body: body, deadlineMilliseconds: Self.deadline))
    await peer.stop()

    #expect(answer.status == 201)
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == "\(method.rawValue) /echo x=1 first a, b \(String(decoding: body, as: UTF8.self))")
    #expect(answer.value(of: "x-answer") == "spaced")
    #expect(answer.value(of: "X-ANSWER") == "spaced")
    #expect(answer.value(of: "x-none") == nil)
  }

  @Test("P-04 a proxy set in the environment is not used for calls to this machine")
  func proxyOfTheEnvironment() async throws {
    let peer = try Peer()
    // No server listens on this port.
    setenv("http_proxy", "http://127.0.0.1:9", 1)
    setenv("no_proxy", "other.example", 1)
    defer {
      unsetenv("http_proxy")
      unsetenv("no_proxy")
    }

    let answer = try await OutboundCalls().send(
      OutboundRequest(.post, "\(peer.address)/echo", deadlineMilliseconds: Self.deadline))
    await peer.stop()

    #expect(answer.status == 201)
  }

  @Test("an empty body is sent as an empty body")
  func emptyBody() async throws {
    let peer = try Peer()
    let answer = try await OutboundCalls().send(
      OutboundRequest(.post, "\(peer.address)/echo", deadlineMilliseconds: Self.deadline))
    await peer.stop()

    #expect(String(decoding: answer.body, as: UTF8.self) == "POST /echo    ")
  }

  @Test("a redirect is an answer and is not followed")
  func redirect() async throws {
    let peer = try Peer()
    let answer = try await OutboundCalls().send(
      OutboundRequest(.get, "\(peer.address)/away", deadlineMilliseconds: Self.deadline))
    await peer.stop()

    #expect(answer.status == 302)
    #expect(peer.asked == ["/away"])
  }

  @Test(
    "L-36 a pause in an answer is read as digits and is at most one day",
    arguments: [
      ("0", 0), ("1", 1), ("86399", 86_399), ("86400", 86_400), ("86401", 86_400),
      ("9223372036854775807", 86_400), ("9223372036854775808", 86_400),
      (String(repeating: "9", count: 4000), 86_400), ("-1", nil), ("-9223372036854775808", nil),
      ("1e400", nil), ("1.5", nil), ("", nil), ("Wed, 21 Oct 2015 07:28:00 GMT", nil),
    ] as [(String, Int64?)]
  )
  func retryAfter(_ text: String, _ seconds: Int64?) async throws {
    let peer = try Peer()
    let answer = try await OutboundCalls().send(
      OutboundRequest(
        .get, "\(peer.address)/later?\(text.replacing(" ", with: "+"))",
        deadlineMilliseconds: Self.deadline))
    await peer.stop()

    #expect(answer.retryAfterSeconds == seconds)
  }

  @Test(
    "an answer may be as long as the limit and no longer",
    arguments: [OutboundCalls.answerByteLimit, OutboundCalls.answerByteLimit + 1])
  func length(_ count: Int) async throws {
    let peer = try Peer()
    let outcome = await outcome(
      OutboundRequest(.get, "\(peer.address)/long?\(count)", deadlineMilliseconds: Self.deadline))
    await peer.stop()

    switch outcome {
    case .success(let answer): #expect(answer.body.count == OutboundCalls.answerByteLimit)
    case .failure(let fault):
      #expect(count > OutboundCalls.answerByteLimit)
      #expect(fault == .unanswered("the answer is too long"))
    }
  }

  @Test("R-12 a server that does not answer in time may have read the request")
  func late() async throws {
    let peer = try Peer()
    let outcome = await outcome(
      OutboundRequest(.post, "\(peer.address)/hold", body: [1], deadlineMilliseconds: 200))
    await peer.stop()

    #expect(outcome == .failure(.late(isSent: true)))
  }

  @Test("R-12 a server that cannot be reached in time has read nothing")
  func unreached() async throws {
    // The connection queue is full after the first connection, so some of the others never connect.
    let listener = Silence()
    defer { listener.close() }
    let calls = OutboundCalls()
    let first = OutboundRequest(.get, listener.address, deadlineMilliseconds: 400)
    let asked = (0..<8).map { _ in Task { await self.outcome(first, calls) } }
    var outcomes: [Result<OutboundAnswer, OutboundFault>] = []
    for task in asked { outcomes.append(await task.value) }

    #expect(outcomes.contains(.failure(.late(isSent: false))))
    for outcome in outcomes { #expect(Self.late.contains { outcome == .failure($0) }) }
  }

  @Test(
    "a request that was not sent has its reason",
    arguments: [
      ("http://127.0.0.1:1/", "the connection was refused"),
      ("http://nowhere.invalid/", "the name was not found"),
      ("nonsense:", "the address is malformed"), ("file:///etc/passwd", "the address is malformed"),
      ("http://127.0.0.1:70000/", "the address is malformed"),
    ])
  func notSent(_ url: String, _ why: String) async {
    #expect(
      await outcome(OutboundRequest(.get, url, deadlineMilliseconds: Self.deadline))
        == .failure(.notSent(why)))
  }

  @Test(
    "P-04 a value cannot add another header field",
    arguments: ["a\r\nX-Two: b", "a\nb", "a\u{0}b"])
  func smuggling(_ value: String) async throws {
    let peer = try Peer()
    let outcome = await outcome(
      OutboundRequest(
        .get, "\(peer.address)/echo", fields: [("X-One", value)],
        deadlineMilliseconds: Self.deadline))
    await peer.stop()

    #expect(outcome == .failure(.notSent("the address is malformed")))
    #expect(peer.asked.isEmpty)
  }

  @Test("a call beyond the limit is refused at once", arguments: [1, 3])
  func limit(_ limit: Int) async throws {
    let peer = try Peer()
    let calls = OutboundCalls(callLimit: limit)
    let hold = OutboundRequest(.get, "\(peer.address)/hold", deadlineMilliseconds: Self.deadline)
    let held = (0..<limit).map { _ in Task { await self.outcome(hold, calls) } }
    while peer.asked.count < limit { try await Task.sleep(for: .milliseconds(5)) }

    #expect(await outcome(hold, calls) == .failure(.notSent("too many open requests")))
    calls.stop()
    for task in held { #expect(await task.value == .failure(.unanswered("stopped"))) }
    #expect(await outcome(hold, calls) == .failure(.notSent("stopped")))
    await peer.stop()
  }

  @Test("L-07 many calls share a thread, and waiting ones cost no processor time")
  func waiting() async throws {
    let peer = try Peer()
    let calls = OutboundCalls()
    let hold = OutboundRequest(.get, "\(peer.address)/hold", deadlineMilliseconds: Self.deadline)
    let held = (0..<20).map { _ in Task { await self.outcome(hold, calls) } }
    while peer.asked.count < 20 { try await Task.sleep(for: .milliseconds(5)) }
    let turns = calls.turns
    try await Task.sleep(for: .milliseconds(300))

    // A busy loop would turn thousands of times.
    #expect(calls.turns - turns < 10)
    calls.stop()
    for task in held { _ = await task.value }
    await peer.stop()
  }

  @Test("P-09 a pool for public addresses does not connect to this machine")
  func privateAddress() async throws {
    let peer = try Peer()
    let request = OutboundRequest(
      .get, "\(peer.address)/echo", deadlineMilliseconds: Self.deadline)
    let refused = await outcome(request, OutboundCalls(addresses: .public))
    let byName = await outcome(
      OutboundRequest(
        .get, peer.address.replacing("127.0.0.1", with: "localhost"),
        deadlineMilliseconds: Self.deadline), OutboundCalls(addresses: .public))
    #expect(refused == .failure(.notSent("the address is not public")))
    #expect(byName == .failure(.notSent("the address is not public")))
    #expect(peer.asked.isEmpty)

    let elsewhere = await outcome(request, OutboundCalls(addresses: .private))
    #expect(elsewhere == .failure(.notSent("the address is not permitted")))
    #expect(peer.asked.isEmpty)

    let permitted = try await OutboundCalls(addresses: .publicAndLoopback).send(request)
    let named = try await OutboundCalls(addresses: .privateAndLoopback).send(request)
    await peer.stop()
    #expect(permitted.status == 201 && named.status == 201)
  }

  @Test("P-09 a pool for private networks uses the proxy of the environment, also on this machine")
  func proxyOnThisMachine() async throws {
    let proxy = try Peer()
    setenv("http_proxy", proxy.address, 1)
    defer { unsetenv("http_proxy") }
    let request = OutboundRequest(
      .get, "http://login.example/echo", deadlineMilliseconds: Self.deadline)

    let answer = await outcome(request, OutboundCalls(addresses: .private))
    let direct = await outcome(request, OutboundCalls(addresses: .public))
    await proxy.stop()

    // The peer is no proxy, but it got the request.
    guard case .success = answer else {
      Issue.record("the proxy was not used: \(answer)")
      return
    }
    guard case .failure = direct else {
      Issue.record("the proxy must not resolve names for public addresses")
      return
    }
  }

  private func outcome(
    _ request: OutboundRequest, _ calls: OutboundCalls = OutboundCalls()
  ) async -> Result<OutboundAnswer, OutboundFault> {
    do throws(OutboundFault) { return .success(try await calls.send(request)) } catch {
      return .failure(error)
    }
  }
}

/// Answers over loopback, or keeps requests waiting until it stops.
private final class Peer: HTTPHandler {
  private struct State {
    var asked: [String] = []
    var isOver = false
  }

  private let state: Mutex<State>
  private let server: Mutex<HTTPServer?>

  init() throws {
    state = Mutex(State())
    server = Mutex(nil)
    let configuration = HTTPServerConfiguration(address: "127.0.0.1", port: 0) { 0 }
    let made = try HTTPServer(configuration, handler: self)
    made.start()
    server.withLock { $0 = made }
  }

  var address: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }
  var asked: [String] { state.withLock { $0.asked } }

  func stop() async {
    state.withLock { $0.isOver = true }
    await server.withLock { $0 }?.stop()
  }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    state.withLock { $0.asked.append(request.path) }
    switch request.path {
    case "/later":
      let text = (request.query ?? "").replacing("+", with: " ")
      return HTTPResponse(status: 503, fields: [HTTPField("Retry-After", text)])
    case "/away":
      return HTTPResponse(status: 302, fields: [HTTPField("Location", "/echo")])
    case "/long":
      return HTTPResponse(
        status: 200, body: Array(repeating: 1, count: Int(request.query ?? "") ?? 0))
    case "/hold":
      while !state.withLock({ $0.isOver }) {
        do { try await Task.sleep(for: .milliseconds(20)) } catch { break }
      }
      return HTTPResponse(status: 200)
    default:
      let said = [
        request.method.rawValue, request.path, request.query ?? "",
        request.values(of: "x-one").joined(), request.values(of: "x-two").joined(),
        String(decoding: request.body, as: UTF8.self),
      ]
      return HTTPResponse(
        status: 201, fields: [HTTPField("X-Answer", "spaced")],
        body: Array(said.joined(separator: " ").utf8))
    }
  }

  func refusal(status: Int, path: String) -> HTTPResponse { HTTPResponse(status: status) }
}

/// Listens and accepts no connection, so that connections stay in its queue.
private struct Silence {
  private let socket: Int32
  let address: String

  init() {
    let made = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(made, address, size)
        _ = listen(made, 0)
        _ = getsockname(made, address, &size)
      }
    }
    socket = made
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))/"
  }

  func close() { _ = Glibc.close(socket) }
}
