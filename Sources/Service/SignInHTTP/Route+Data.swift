import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func me(_ call: Call, _ access: Access) async -> HTTPResponse {
    switch await readAccount(access, in: call.world) {
    case .success(let answer): .json(answer.json)
    case .refusal(let refusal): .dataRefusal(refusal)
    }
  }

  /// The claims about the signed-in person (OpenID Connect Core, section 5.3).
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

  /// The data of a home, with a lease that says how long it may be read offline.
  private static func leased<Answer: Sendable>(
    _ call: Call, _ access: Access, _ list: OfflineLease.List, json: (Answer) -> JSON,
    _ read: () async -> Outcome<Answer>
  ) async -> HTTPResponse {
    switch await read() {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let answer):
      let lease = grantLease(of: list, to: access, at: call.world.clock.now(), in: call.world)
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

  static func changeJob(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withStatus(call, Job.Status.init(rawValue:)) { status in
      await changeJobStatus(of: call.parameter("id"), to: status, access, in: call.world)
    } json: {
      $0.json
    }
  }

  static func changeDelivery(_ call: Call, _ access: Access) async -> HTTPResponse {
    await withStatus(call, Delivery.Status.init(rawValue:)) { status in
      await changeDeliveryStatus(of: call.parameter("id"), to: status, access, in: call.world)
    } json: {
      $0.json
    }
  }

  private static func withStatus<Status: Sendable, Entry: Sendable>(
    _ call: Call, _ parse: (String) -> Status?, act: (Status) async -> Outcome<Entry>,
    json: (Entry) -> JSON
  ) async -> HTTPResponse {
    let read = JSONBody.read(call) { (body) throws(JSONBody.Wrong) in
      try body.needed("status", parse(try body.text("status") ?? ""))
    }
    switch read {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let status):
      switch await act(status) {
      case .success(let entry): return .json(json(entry))
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }

  static func registerActivity(_ call: Call, _ access: Access) async -> HTTPResponse {
    guard let organization = access.session.organization else {
      return .dataRefusal(ErrorAnswer(.notAMember, "the session has no organization"))
    }
    let once: IdempotencyKey?
    switch readOnceOnly(call, owner: access.account.id) {
    case .success(let read): once = read
    case .refusal(let refusal): return .dataRefusal(refusal)
    }
    switch JSONBody.read(call) {
    case .refusal(let refusal): return .dataRefusal(refusal)
    case .success(let body):
      let registration: ActivityRegistration
      do throws(MemberMistakes) {
        registration = try ActivityRegistration(
          reading: body.json, access, organization: organization)
      } catch {
        return .mistaken(error.refusal, error.mistakes)
      }
      let outcome = await SignInService.registerActivity(
        registration, access, once: once, in: call.world
      )
      switch outcome {
      case .success(let entry): return .json(entry.json, status: 201)
      case .refusal(let refusal): return .dataRefusal(refusal)
      }
    }
  }
}
