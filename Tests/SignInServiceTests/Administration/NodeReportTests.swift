import JSONText
import SignInModel
import Testing

@testable import SignInService

@Suite("Servers that compare their configurations")
struct NodeReportTests {
  private let digests = ConfigurationDigests(key: [UInt8](repeating: 7, count: 32))
  private let at = Instant(seconds: 1)

  private func report(_ node: String, _ text: String) throws -> NodeReport {
    let members = try JSONReader.read(Array(text.utf8)).objectMembers ?? []
    return NodeReport(node: node, at: at, digests: digests.digests(of: members))
  }

  @Test("Keys with other values, and keys that only one server has, are named in order")
  func differences() throws {
    let own = try report("a", #"{"issuer": "x", "event_days": 1, "clients": [1]}"#)
    let same = try report("b", #"{"clients": [1], "event_days": 1, "issuer": "x"}"#)
    let other = try report("c", #"{"issuer": "y", "event_days": 1, "prices": []}"#)

    #expect(own.differences(from: [own, same]) == [])
    #expect(own.differences(from: [same, other]) == ["clients", "issuer", "prices"])
    #expect(other.differences(from: [own]) == ["clients", "issuer", "prices"])
  }

  @Test("The report that a server made itself before is not compared")
  func own() throws {
    let earlier = try report("a", #"{"issuer": "x"}"#)
    let now = try report("a", #"{"issuer": "y"}"#)
    #expect(now.differences(from: [earlier]) == [])
  }

  @Test("A report is valid for a limited time", arguments: [-1, 0] as [Int64])
  func validity(_ more: Int64) throws {
    let end = at.adding(seconds: NodeReport.validSeconds).adding(milliseconds: more)
    #expect(try report("a", "{}").isValid(at: end) == (more < 0))
  }

  @Test("The order of members, and keys that each server has for itself, make no difference")
  func ordered() throws {
    let one = try report(
      "a", #"{"listen": "1", "store": 1, "tls": {}, "x": {"a": [{"b": 1, "c": 2}]}}"#)
    let two = try report("b", #"{"metrics_listen": "2", "x": {"a": [{"c": 2, "b": 1}]}}"#)
    let three = try report("c", #"{"x": {"a": [{"c": 1, "b": 2}]}}"#)

    #expect(one.differences(from: [two]) == [])
    #expect(one.differences(from: [three]) == ["x"])
  }

  @Test("A digest depends on the key, so values cannot be guessed without it")
  func keyed() throws {
    let members = [JSONMember("issuer", "x")]
    let other = ConfigurationDigests(key: [UInt8](repeating: 8, count: 32))
    #expect(digests.digests(of: members) != other.digests(of: members))
  }
}
