import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@testable import SignInHTTP

@Suite("Work of one of a person's organizations")
struct WorkOrganizationTests {
  private let everywhere: WritingProgram
  private let north: WritingProgram
  private let south: WritingProgram

  /// The technician and the owner of the demo belong to two organizations.
  init() async throws {
    let server = try await TestServer(serviceAccounts: [
      try ServiceProgram.account(scopes: ServiceScope.allCases),
      try ServiceProgram.account("north", scopes: ServiceScope.allCases, organization: "north"),
      try ServiceProgram.account("south", scopes: ServiceScope.allCases, organization: "south"),
    ])
    try await server.world.store.transact { (transaction) throws(StoreFault) in
      for id in ["technician", "owner"] {
        guard var account = try transaction.account(AccountID(id)) else { continue }
        account.organizations = [OrganizationID("north"), OrganizationID("south")]
        try transaction.update(account)
      }
    }
    everywhere = WritingProgram(
      server: server, token: try await ServiceProgram(server: server).token())
    north = WritingProgram(
      server: server, token: try await ServiceProgram(server: server, id: "north").token())
    south = WritingProgram(
      server: server, token: try await ServiceProgram(server: server, id: "south").token())
  }

  private func job(_ organization: String) -> String {
    WritingProgram.job(#", "organization": "\#(organization)""#)
  }

  @Test("S-05 a job that a sender of one organization writes is hidden from the other one")
  func ownWork() async throws {
    let path = "/admin/jobs/j-1"

    let made = await north.call(.put, path, WritingProgram.job())

    #expect(made.status == 201 && made.json["organization"]?.text == "north")
    for answer in [
      await south.call(.get, path), await south.call(.put, path, WritingProgram.job()),
      await south.call(.delete, path),
    ] {
      #expect(answer.status == 404 && answer.code == "job_not_found")
    }
    let changed = await north.call(.put, path, WritingProgram.job(title: "Pump"))
    #expect(changed.status == 200 && changed.json["organization"]?.text == "north")
    #expect(await north.call(.delete, path).status == 204)
  }

  @Test(
    "S-05 work that names no organization is read, and not changed, by a sender of one of them",
    arguments: [DataKind.jobs, .products])
  func sharedWork(_ kind: DataKind) async throws {
    let path = "/admin/\(kind.rawValue)/x-1"
    let body = try #require(WritingProgram.bodies[kind])
    #expect(await everywhere.call(.put, path, body).status == 201)

    #expect(await north.call(.get, path).status == 200)
    for answer in [await north.call(.put, path, body), await north.call(.delete, path)] {
      #expect(answer.status == 403 && answer.code == "permission_denied")
    }
    #expect(await everywhere.call(.delete, path).status == 204)
  }

  @Test("S-05 the organization of a job stays until a write names another one")
  func kept() async throws {
    let path = "/admin/jobs/j-1"
    _ = await everywhere.call(.put, path, job("south"))

    let kept = await everywhere.call(.put, path, WritingProgram.job(title: "Pump"))
    let moved = await everywhere.call(.put, path, job("north"))
    let refused = await everywhere.call(.put, path, job("east"))
    let taken = await south.call(.put, path, job("south"))

    #expect(kept.json["organization"]?.text == "south")
    #expect(moved.json["organization"]?.text == "north")
    #expect(refused.status == 400 && refused.code == "invalid_request")
    #expect(taken.status == 404)
  }

  @Test("S-05 an app shows and changes the work of the organization of its session only")
  func shown() async throws {
    _ = await everywhere.call(.put, "/admin/jobs/j-0", WritingProgram.job())
    _ = await everywhere.call(.put, "/admin/jobs/j-1", job("north"))
    _ = await everywhere.call(.put, "/admin/jobs/j-2", job("south"))
    let technician = try await Person.signIn(
      at: everywhere.server, client: "technician-app", scope: "openid offline_access jobs",
      [
        ("username", "tech@example.com"), ("password", "demo-Technician-1"),
        ("organization", "north"),
      ])

    let jobs = await technician.call(.get, Endpoint.jobs.path).json["jobs"]?.elements ?? []
    let own = await technician.call(.patch, "/api/jobs/j-1", #"{"status": "done"}"#)
    let other = await technician.call(.patch, "/api/jobs/j-2", #"{"status": "done"}"#)

    let written = jobs.compactMap { $0["id"]?.text }.filter { $0.hasPrefix("j-") }
    #expect(written.filter { ["j-0", "j-1", "j-2"].contains($0) }.sorted() == ["j-0", "j-1"])
    #expect(own.status == 200)
    #expect(other.status == 404 && other.code == "job_not_found")
  }
}
