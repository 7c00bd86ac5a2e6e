import JSONText
import SignInModel
import Synchronization
import Testing

@testable import SignInService

@Suite("Values that are computed once")
struct RememberedValueTests {
  @Test("A policy is computed once for the same changes, and again after others")
  func policies() async throws {
    let world = try await TestWorld()
    let policies = ComputedPolicies()
    let computed = Mutex(0)
    func read(_ changes: String, for organization: OrganizationID?) throws -> String {
      let changes = PolicyChanges(try JSONReader.read(Array(changes.utf8)))
      let app = policies.registration(of: world.client, for: organization, after: [changes]) {
        computed.withLock { $0 += 1 }
        var app = world.client
        app.name = String(decoding: changes.json.utf8, as: UTF8.self)
        return app
      }
      return app.name
    }
    let north = OrganizationID("north")

    for changes in [#"{"idle":60}"#, #"{"idle":60}"#, #"{"idle":90}"#, #"{"idle":60}"#] {
      #expect(try read(changes, for: nil) == changes)
    }
    #expect(computed.withLock { $0 } == 3)
    #expect(try read(#"{"idle":90}"#, for: north) == #"{"idle":90}"#)
    #expect(try read(#"{"idle":60}"#, for: nil) == #"{"idle":60}"#)
    #expect(computed.withLock { $0 } == 4)
  }

  @Test("A value on demand is made when it is first needed, and stays the same")
  func onDemand() {
    let made = Mutex(0)
    let value = OnDemand {
      made.withLock { made in
        made += 1
        return made
      }
    }
    #expect(made.withLock { $0 } == 0)
    #expect(value.value == 1 && value.value == 1)
  }
}
