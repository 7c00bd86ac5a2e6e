import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Lists of a person's records")
struct HomeLimitTests {
  /// Finished entries are omitted first if there are more than the limit.
  @Test(
    "A list of jobs has at most its limit of entries and keeps the unfinished ones",
    arguments: [HomeLimits.entries - 1, HomeLimits.entries, HomeLimits.entries + 1])
  func jobs(_ count: Int) async throws {
    let server = try await TestServer()
    let technician = try await Person.technician(at: server)
    let account = AccountID("technician")
    let start = server.clock.now()
    try await server.world.store.transact { transaction throws(StoreFault) in
      for job in try transaction.jobs(of: account) { try transaction.removeJob(job.key) }
      for number in 0..<count {
        let at = start.adding(seconds: Int64(number))
        try transaction.save(
          Job(
            id: "job-\(number)", account: account, title: "T", customer: "C", place: "P",
            startsAt: at, endsAt: at, status: number == 0 ? .done : .scheduled))
      }
    }

    let answer = await technician.call(.get, Endpoint.jobs.path)

    let ids = (answer.json["jobs"]?.elements ?? []).compactMap { $0["id"]?.text }
    #expect(answer.status == 200 && ids.count == min(count, HomeLimits.entries))
    #expect(ids.first == (count > HomeLimits.entries ? "job-1" : "job-0"))
    #expect(ids.last == "job-\(count - 1)")
  }
}
