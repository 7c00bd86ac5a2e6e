import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static func clients(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entries("clients", try await listClients(rules: call.rules(access), in: call.world))
  }

  static func client(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entry(
      try await showClient(
        ClientID(call.parameter("id")), rules: call.rules(access), in: call.world
      )
    )
  }

  static func changeClient(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withPatch(call, access) { (input) throws(Refusal) in
      try await changeClientPolicy(of: ClientID(call.parameter("id")), input, in: call.world)
    }
  }

  /// All values of a policy and the source of each, for one organization or for the whole app.
  static func policySheet(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let input = try PageQuery.read(call)
    let sheet = try await readPolicySheet(
      of: ClientID(call.parameter("id")),
      for: input.form["organization"].map { OrganizationID($0) },
      rules: call.rules(access), in: call.world
    )
    return .json(sheet.json)
  }

  static func organizations(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entries(
      "organizations", try await listOrganizations(rules: call.rules(access), in: call.world)
    )
  }

  static func organization(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entry(
      try await showOrganization(
        OrganizationID(call.parameter("id")), rules: call.rules(access), in: call.world
      )
    )
  }

  static func changeOrganization(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await withPatch(call, access) { (input) throws(Refusal) in
      let id = OrganizationID(call.parameter("id"))
      return try await changeOrganizationPolicy(of: id, input, in: call.world)
    }
  }

  private static func withPatch(
    _ call: Call, _ access: Access,
    _ change: (PolicyChangeRequest) async throws(Refusal) -> PolicyAnswer
  ) async throws(Refusal) -> HTTPResponse {
    try await withBody(call, access) { (body) throws(Refusal) in
      body.json
    } act: { (patch, once) throws(Refusal) in
      try await change(
        PolicyChangeRequest(
          patch: patch, tags: tags(in: call.request.values(of: "if-match")), once: once,
          rules: call.rules(access)
        )
      )
    } answer: { answer in
      switch answer {
      case .accepted(let made): entry(made)
      case .mistaken(let mistakes): mistaken(mistakes)
      }
    }
  }

  /// The tags of an `If-Match`, without quotes; `nil` if there is none, or for `*`, which matches
  /// all.
  private static func tags(in fields: [String]) -> [String]? {
    let tags = fields.joined(separator: ",").split(separator: ",").map { tag in
      String(tag.filter { $0 != " " && $0 != "\"" })
    }
    return tags.isEmpty || tags.contains("*") ? nil : tags
  }

  private static func entry(_ entry: PolicyEntry) -> HTTPResponse {
    var response = HTTPResponse.json(entry.json)
    response.fields.append(HTTPField("ETag", "\"\(entry.tag)\""))
    return response
  }

  private static func entries(
    _ name: String, _ entries: [PolicyEntry]
  ) -> HTTPResponse {
    .json(.members([JSONMember(name, .array(entries.map(\.json)))]))
  }

  private static func mistaken(_ mistakes: [ConfigurationMistake]) -> HTTPResponse {
    let code = ErrorCode.invalidPolicy
    let entries = mistakes.map { mistake in
      JSON.members([
        JSONMember("path", mistake.path), JSONMember("problem", mistake.problem),
        JSONMember("remedy", mistake.remedy),
      ])
    }
    return .problem(
      status: code.status, code: code.rawValue, detail: "nothing was changed; see mistakes",
      more: [JSONMember("mistakes", .array(entries))]
    )
  }
}
