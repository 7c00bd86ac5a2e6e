import HTTPServer
import JSONText
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Events about one account over HTTP")
struct EventReferenceTests {
  private static let nina = """
    {"name":"Nina","role":"rider","email":"nina@example.com","phone_number":"+15550101234"}
    """

  @Test("T-16 an identifier, an address and a number name the account of events")
  func references() async throws {
    let server = try await TestServer()
    let admin = try await Person.administrator(at: server)
    let events = Endpoint.adminEvents.path
    let off = await admin.call(
      .patch, Endpoint.adminAccounts.path + "/technician", #"{"status":"deactivated"}"#)
    #expect(off.status == 200)

    let expected = await admin.call(.get, events, query: "account=technician")
    #expect(expected.json["events"]?.elements?.isEmpty == false)
    for name in ["tech%40example.com", "%2B15550101234", "%2B1%20555%20010%201234"] {
      let listed = await admin.call(.get, events, query: "account=" + name)
      #expect(listed.status == 200 && listed.json["events"] == expected.json["events"])
    }
    let unknown = await admin.call(.get, events, query: "account=%2B4799999999")
    #expect(unknown.status == 200 && unknown.json["events"]?.elements?.isEmpty == true)
    for name in ["%2B1", "a%20b", "tech%40", "%C3%A5"] {
      let refused = await admin.call(.get, events, query: "account=" + name)
      #expect(refused.status == 400 && refused.code == "invalid_request")
    }

    let made = await admin.call(.post, Endpoint.adminAccounts.path, Self.nina)
    #expect(made.status == 201)
    let several = await admin.call(.get, events, query: "account=%2B15550101234")
    #expect(several.status == 400 && several.code == "invalid_request")
  }
}
