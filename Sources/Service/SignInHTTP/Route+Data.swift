import HTTPServer
import JSONText
import SignInService
import SignInWire

extension Route {
  static func me(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch await readAccount(access, in: call.world) {
    case .success(let answer): .json(answer.json)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }

  /// OpenID Connect Core, section 5.3.
  static func userInfo(_: Call, _ access: Access) async -> HTTPResponse {
    .json(describeUser(access))
  }

  static func jobs(_ call: Call, _ access: Access) async -> HTTPResponse {
    await leased(call, access, .jobs, json: { $0.json }) { await listJobs(access, in: call.world) }
  }

  static func dashboard(_ call: Call, _ access: Access) async -> HTTPResponse {
    await leased(call, access, .dashboard, json: { $0.json }) {
      await readDashboard(access, in: call.world)
    }
  }

  static func activities(_ call: Call, _ access: Access) async -> HTTPResponse {
    await leased(call, access, .activities, json: { $0.json }) {
      await listActivities(access, in: call.world)
    }
  }

  /// What a home shows, with a lease to keep it for when there is no server to ask.
  private static func leased<Answer: Sendable>(
    _ call: Call, _ access: Access, _ shelf: OfflineLease.Shelf, json: (Answer) -> JSON,
    _ read: () async -> Outcome<Answer>
  ) async -> HTTPResponse {
    switch await read() {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let answer):
      let lease = grantLease(of: shelf, to: access, at: call.world.clock.now(), in: call.world)
      return .json(.object((json(answer).objectMembers ?? []) + [JSONMember("lease", lease)]))
    }
  }

  static func changeActivity(_ call: Call, _ access: Access) async -> HTTPResponse {
    let notes: String
    switch readNotes(call) {
    case .success(let read): notes = read
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
    switch await writeNotes(notes, about: call.parameter("id"), access, in: call.world) {
    case .success(let entry): return .json(entry.json)
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
  }

  private static func readNotes(_ call: Call) -> Outcome<String> {
    JSONBody.read(call) { (body) throws(JSONBody.Wrong) in
      try body.needed("notes", try body.text("notes"))
    }
  }
}
