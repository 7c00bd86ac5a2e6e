import Foundation
import SignInWire
import Testing

@testable import PlaceFiles

@Suite("Places of network addresses")
struct PlaceFileTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private func places() throws -> PlaceFile {
    try PlaceFile(Self.folder.appendingPathComponent("places.mmdb").path)
  }

  @Test(
    "An address has the town and the country of its network",
    arguments: [
      ("127.0.0.1", "Oslo", "NO"), ("2001:db8::7", "Thiruvananthapuram", "IN"),
    ])
  func known(address: String, town: String, country: String) throws {
    #expect(try places().place(of: address) == SessionPlace(town: town, country: country))
  }

  @Test("A country without a town is a place")
  func countryOnly() throws {
    #expect(try places().place(of: "198.51.100.1") == SessionPlace(town: nil, country: "NO"))
  }

  @Test(
    "An entry without a valid country, and an unknown or malformed address, have no place",
    arguments: [
      "198.51.100.129", "203.0.113.1", "192.0.2.1", "8.8.8.8", "2001:db9::1", "", "localhost",
      "127.0.0.1:80",
    ])
  func unknown(address: String) throws {
    #expect(try places().place(of: address) == nil)
  }

  @Test("A town with a longer name than the limit, or with a control character, is left out")
  func towns() throws {
    let places = try places()
    let country = SessionPlace(town: nil, country: "NO")
    #expect(places.place(of: "203.0.113.65") == country)
    #expect(places.place(of: "203.0.113.193") == country)
    let longest = String(repeating: "L", count: SessionPlace.townByteLimit)
    #expect(places.place(of: "203.0.113.129") == SessionPlace(town: longest, country: "NO"))
  }

  @Test("A missing file and a file of another format are refused with the path")
  func refusals() {
    #expect(throws: PlaceFileFault.self) { try PlaceFile("/no/such/file") }
    let source = #filePath
    let fault = #expect(throws: PlaceFileFault.self) { try PlaceFile(source) }
    #expect(fault?.what.contains(source) == true)
  }
}
