import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func me(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    .json(try await readAccount(access, in: call.world).json)
  }

  /// The claims about the signed-in person (OpenID Connect Core, section 5.3).
  static func userInfo(_: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    .json(describeUser(access))
  }

  static func jobs(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await leased(call, access, .jobs, json: { $0.json }) { () throws(Refusal) in
      try await listJobs(access, in: call.world)
    }
  }

  static func dashboard(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await leased(call, access, .dashboard, json: { $0.json }) { () throws(Refusal) in
      try await readDashboard(access, in: call.world)
    }
  }

  static func activities(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await leased(call, access, .activities, json: { $0.json }) { () throws(Refusal) in
      try await listActivities(access, in: call.world)
    }
  }

  /// The data of a home, with a lease that says how long it may be read offline.
  private static func leased<Answer: Sendable>(
    _ call: Call, _ access: Access, _ list: OfflineLease.List, json: (Answer) -> JSON,
    _ read: () async throws(Refusal) -> Answer
  ) async throws(Refusal) -> HTTPResponse {
    let answer = try await read()
    let lease = grantLease(of: list, to: access, at: call.world.clock.now(), in: call.world)
    return .json(.object((json(answer).objectMembers ?? []) + [JSONMember("lease", lease)]))
  }

  static func changeActivity(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let notes = try readNotes(call)
    let entry = try await writeNotes(notes, about: call.parameter("id"), access, in: call.world)
    return .json(entry.json)
  }

  private static func readNotes(_ call: Call) throws(Refusal) -> String {
    try JSONBody.read(call) { (body) throws(Refusal) in
      try body.needed("notes", try body.text("notes"))
    }
  }

  static func changeJob(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withStatus(call, Job.Status.init(rawValue:)) { (status) throws(Refusal) in
      try await changeJobStatus(of: call.parameter("id"), to: status, access, in: call.world)
    } json: {
      $0.json
    }
  }

  static func changeDelivery(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withStatus(call, Delivery.Status.init(rawValue:)) { (status) throws(Refusal) in
      try await changeDeliveryStatus(of: call.parameter("id"), to: status, access, in: call.world)
    } json: {
      $0.json
    }
  }

  private static func withStatus<Status: Sendable, Entry: Sendable>(
    _ call: Call, _ parse: (String) -> Status?, act: (Status) async throws(Refusal) -> Entry,
    json: (Entry) -> JSON
  ) async throws(Refusal) -> HTTPResponse {
    let status = try JSONBody.read(call) { (body) throws(Refusal) in
      try body.needed("status", parse(try body.text("status") ?? ""))
    }
    let entry = try await act(status)
    return .json(json(entry))
  }

  static func registerActivity(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse
  {
    guard let organization = access.session.organization else {
      throw Refusal.notAMember("the session has no organization")
    }
    let once = try readOnceOnly(call, owner: access.account.id)
    let body = try JSONBody.read(call)
    let registration: ActivityRegistration
    do throws(MemberMistakes) {
      registration = try ActivityRegistration(
        reading: body.json, access, organization: organization)
    } catch {
      return .mistaken(error.refusal, error.mistakes)
    }
    let entry = try await SignInService.registerActivity(
      registration, access, once: once, in: call.world)
    return .json(entry.json, status: 201)
  }
}
