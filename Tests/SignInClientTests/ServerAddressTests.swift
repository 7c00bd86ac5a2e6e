import Foundation
import SignInEngine
import Testing

@testable import SignInClient
@testable import SignInLinux

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Addresses for passwords and tokens")
struct ServerAddressTests {
  private func fault(_ text: String) -> ServerAddressFault? {
    do throws(ServerAddressFault) {
      _ = try ServerAddress(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "P-04 https is accepted, and http for the device itself",
    arguments: [
      "https://login.example.com", "HTTPS://login.example.com:8443/base", "https://192.0.2.1",
      "https://[2001:db8::1]:443", "http://localhost", "http://LOCALHOST:8080",
      "http://127.0.0.1:8080", "http://127.255.255.255", "http://[::1]", "http://[::1]:8080/x",
      "http://[0:0:0:0:0:0:0:1]:1",
    ])
  func taken(_ text: String) { #expect(fault(text) == nil) }

  @Test(
    "P-04 http to any other host is refused",
    arguments: [
      "http://login.example.com", "HTTP://192.0.2.1", "http://126.255.255.255",
      "http://128.0.0.0", "http://127.0.0.1.example.com", "http://localhost.example.com",
      "http://[::2]", "http://[2001:db8::1]:80", "http://127.1", "http://0.0.0.0", "http://[::]",
    ])
  func insecure(_ text: String) { #expect(fault(text) == .insecure) }

  @Test(
    "P-04 an address without a host, or with an ambiguous host, is refused",
    arguments: [
      "", "login.example.com", "ftp://login.example.com", "https://", "https:///x", "http://",
      "http://localhost@login.example.com", "https://user:password@login.example.com",
      "http://localhost\\@login.example.com", "https://login example.com", "https://a:b",
      "https://a:", "https://a:123456", "https://[::1", "https://[::1]x", "https://[]",
      " https://login.example.com", "https://login.example.com\n", "javascript:alert(1)",
    ])
  func malformed(_ text: String) { #expect(fault(text) == .malformed) }

  @Test("P-04 no client is created for an address that others can read")
  func client() throws {
    let server = try #require(URL(string: "http://login.example.com"))
    #expect(throws: SignInError.addressNotAllowed) {
      try SignInClient(
        SignInClient.Configuration(clientID: "app", server: server),
        platform: SignInClient.Platform(
          storage: MemoryStorage(), cryptography: OpenSSLCryptography()))
    }
    #expect("\(ServerAddressFault.insecure)".contains("https://"))
  }

  @Test("P-03 a system error means no network only if it says so")
  func systemErrors() {
    #expect(ClientEnvironment.fault(.notConnectedToInternet) == .noNetwork)
    #expect(ClientEnvironment.fault(.dataNotAllowed) == .noNetwork)
    #expect(ClientEnvironment.fault(.timedOut) == .timedOut)
    #expect(ClientEnvironment.fault(.cannotConnectToHost) == .unreachable)
    #expect(ClientEnvironment.fault(.cannotFindHost) == .unreachable)
    #expect(ClientEnvironment.fault(nil) == .unreachable)
  }
}

@Suite("Network detection on Linux")
struct RoutingTableTests {
  private static let names = "Iface\tDestination\tGateway\tFlags\n"
  private static let own = """
    00000000000000000000000000000001 80 0000 00 0000 00000000 00000004 00000000 80200001       lo
    fd000000000000000000000000000002 80 0000 00 0000 00000000 00000004 00000000 80200001     eth0
    fe800000000000000000000000000000 40 0000 00 0000 00000100 00000002 00000000 00000001     eth0
    ff000000000000000000000000000000 08 0000 00 0000 00000100 00000003 00000000 00000001     eth0
    """
  private static let everywhere =
    "00000000000000000000000000000000 00 0000 00 fd01 00000400 00000003 00000000 00000003     eth0"

  @Test("P-03 a route that leaves the device counts as a network")
  func routes() {
    let names = Self.names
    #expect(!RoutingTable(ipv4: names, ipv6: nil).hasOutboundRoute)
    #expect(!RoutingTable(ipv4: names, ipv6: Self.own).hasOutboundRoute)
    #expect(
      !RoutingTable(ipv4: names + "lo\t0000007F\t00000000\t0001\n", ipv6: "").hasOutboundRoute)
    #expect(
      RoutingTable(ipv4: names + "eth0\t00000000\t010200C0\t0003\n", ipv6: "").hasOutboundRoute)
    #expect(RoutingTable(ipv4: names, ipv6: Self.own + "\n" + Self.everywhere).hasOutboundRoute)
    #expect(RoutingTable(ipv4: nil, ipv6: nil).hasOutboundRoute)
  }

  @Test("P-03 a call without a network says so, unless it stays on the device")
  func transport() async throws {
    func fault(_ address: String, hasNetwork: Bool) async throws -> Answer? {
      var request = URLRequest(url: try #require(URL(string: address)))
      request.timeoutInterval = 5
      do {
        _ = try await CurlTransport { hasNetwork }.send(request)
        return nil
      } catch {
        return ClientEnvironment.fault((error as? URLError)?.code)
      }
    }
    // No existing name ends in `.invalid` (RFC 2606), and no server listens on port 1.
    #expect(try await fault("https://fieldpass.invalid/", hasNetwork: false) == .noNetwork)
    #expect(try await fault("https://fieldpass.invalid/", hasNetwork: true) == .unreachable)
    #expect(try await fault("http://127.0.0.1:1/", hasNetwork: false) == .unreachable)
  }
}
