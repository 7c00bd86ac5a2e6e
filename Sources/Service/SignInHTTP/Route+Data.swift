import HTTPServer
import JSONText
import SignInService
import SignInWire

extension Route {
  static func me(_ call: Call) async -> HTTPResponse {
    switch await access(of: call) {
    case .success(let access): .json(readAccount(access, in: call.world).json)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }

  static func jobs(_ call: Call) async -> HTTPResponse {
    await leased(call, .jobs, json: { $0.json }) { await listJobs($0, in: call.world) }
  }

  static func dashboard(_ call: Call) async -> HTTPResponse {
    await leased(call, .dashboard, json: { $0.json }) { await readDashboard($0, in: call.world) }
  }

  static func activities(_ call: Call) async -> HTTPResponse {
    await leased(call, .activities, json: { $0.json }) {
      await listActivities($0, in: call.world)
    }
  }

  /// What a home shows, with a lease to keep it for when there is no server to ask.
  private static func leased<Answer: Sendable>(
    _ call: Call, _ shelf: OfflineLease.Shelf, json: (Answer) -> JSON,
    _ read: (Access) async -> Outcome<Answer>
  ) async -> HTTPResponse {
    switch await access(of: call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let access):
      switch await read(access) {
      case .refusal(let refusal): return .dataRefusal(refusal)
      case .success(let answer):
        let lease = grantLease(
          of: shelf, to: access, at: call.world.clock.now(), in: call.world
        )
        return .json(.object((json(answer).objectMembers ?? []) + [JSONMember("lease", lease)]))
      }
    }
  }

  static func changeActivity(_ call: Call) async -> HTTPResponse {
    let access: Access
    switch await self.access(of: call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let granted): access = granted
    }
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

  static func access(of call: Call) async -> Outcome<Access> {
    await authorizeAccess(
      authorization: call.request.values(of: "authorization"), proof: call.proof, in: call.world
    )
  }
}
