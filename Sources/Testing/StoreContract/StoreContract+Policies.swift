internal import JSONText
internal import SignInModel
internal import SignInService
internal import SignInTesting

extension StoreContract {
  static var policies: [Check] {
    [
      Check(name: "changes of a policy are read unchanged", isKept: policyRoundTrip),
      Check(name: "an app and an organization of one name are separate", isKept: policySubjects),
    ]
  }

  private static func changes(_ failures: Int64) -> PolicyChanges {
    PolicyChanges(.members([JSONMember("lockout", .members([JSONMember("failures", failures)]))]))
  }

  private static func save(
    _ changes: PolicyChanges, of subject: PolicyChanges.Subject, in store: any Store
  ) async throws {
    try await store.transact { transaction throws(StoreFault) in
      try transaction.save(changes, of: subject)
    }
  }

  private static func found(
    _ subject: PolicyChanges.Subject, in store: any Store
  ) async throws -> PolicyChanges {
    try await store.read { transaction throws(StoreFault) in
      try transaction.policyChanges(of: subject)
    }
  }

  private static func policyRoundTrip(_ store: any Store) async throws {
    let subject = PolicyChanges.Subject.client(ClientID("app"))
    try expect(try await found(subject, in: store), is: .none, "missing changes")
    try await save(changes(3), of: subject, in: store)
    try expect(try await found(subject, in: store), is: changes(3), "the changes")
    try await save(changes(4), of: subject, in: store)
    try expect(try await found(subject, in: store), is: changes(4), "the later changes")
    try await save(.none, of: subject, in: store)
    try expect(try await found(subject, in: store), is: .none, "removed changes")
  }

  private static func policySubjects(_ store: any Store) async throws {
    let client = PolicyChanges.Subject.client(ClientID("north"))
    let organization = PolicyChanges.Subject.organization(OrganizationID("north"))
    try await save(changes(3), of: client, in: store)
    try await save(changes(4), of: organization, in: store)
    try expect(try await found(client, in: store), is: changes(3), "the app's")
    try expect(try await found(organization, in: store), is: changes(4), "the organization's")
  }
}
