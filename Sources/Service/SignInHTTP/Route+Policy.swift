import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static let ofPolicies: [Route] = [
    Route(
      .get, .adminOrganizations, needs: .viewer, answer: organizations,
      Operation(
        name: "listOrganizations",
        summary: "Organizations and their policies", chapter: .administration,
        answers: [
          .json(
            .object([
              .required(.organizations, .list(.reference(.organization)))
            ]),
            "All organizations"
          )
        ]
      )),
    Route(
      .get, .adminOrganization(.id), needs: .viewer, answer: organization,
      Operation(
        name: "readOrganization",
        summary: "One organization and its policy", chapter: .administration,
        answers: [.json(.reference(.organization), "The organization, with an ETag")],
        refusals: [.organizationNotFound]
      )),
    Route(
      .patch, .adminOrganization(.id), needs: .administrator, answer: changeOrganization,
      Operation(
        name: "changeOrganization",
        summary:
          "Changes the policy of an organization; null restores the configured value (RFC 7396)."
          + " For values that protect accounts or cost money, only a value that is stricter than"
          + " the app's has an effect", chapter: .administration,
        fields: [ifMatch, onceOnly],
        body: .json(.object([.optional(.policy, .orNull(.reference(.policyPatch)))])),
        answers: [
          .json(.reference(.organization), "The organization after the change, with an ETag")
        ],
        refusals: [
          .invalidRequest, .organizationNotFound, .preconditionFailed, .invalidPolicy,
          .idempotencyKeyReused,
        ]
      )),
    Route(
      .get, .adminClients, needs: .viewer, answer: clients,
      Operation(
        name: "listClients",
        summary: "Apps and their policies", chapter: .administration,
        answers: [
          .json(
            .object([
              .required(.clients, .list(.reference(.listedClient)))
            ]),
            "All apps; for an administrator of single organizations, only the id and the name of"
              + " the apps that members of these organizations can use"
          )
        ]
      )),
    Route(
      .get, .adminClient(.id), needs: .viewerEverywhere, answer: client,
      Operation(
        name: "readClient",
        summary: "One app and its policy", chapter: .administration,
        answers: [.json(.reference(.client), "The app, with an ETag")],
        refusals: [.clientNotFound]
      )),
    Route(
      .patch, .adminClient(.id), needs: .administratorEverywhere, answer: changeClient,
      Operation(
        name: "changeClient",
        summary: "Changes the policy of an app; null restores the configured value (RFC 7396)",
        chapter: .administration, fields: [ifMatch, onceOnly],
        body: .json(.reference(.policyPatch)),
        answers: [.json(.reference(.client), "The app after the change, with an ETag")],
        refusals: [
          .invalidRequest, .clientNotFound, .preconditionFailed, .invalidPolicy,
          .idempotencyKeyReused,
        ]
      )),
    Route(
      .get, .adminClientPolicy(.id), needs: .viewer, answer: policySheet,
      Operation(
        name: "readPolicySheet",
        summary:
          "All values of an app's policy: the current value, its source, and the values that are"
          + " allowed", chapter: .administration,
        query: [
          Parameter(
            .organization, schema: .identifier,
            note: "The policy for members of this organization; without it, for the whole app"
          )
        ],
        contents: [PolicySheetQuery.self],
        answers: [.json(policySheet, "The policy values")],
        refusals: [.invalidRequest, .clientNotFound, .organizationNotFound]
      )),
  ]

  private static let policySheet = Schema.object([
    .required(.client, .text), .required(.clientName, .text),
    .optional(
      .organization, .object([.required(.id, .text), .required(.name, .text)])
    ),
    .required(
      .tag, .text, "In quotes, it is the If-Match of a change of this app or this organization"
    ),
    .required(.values, .list(.reference(.policyValue))),
  ])

  private static let ifMatch = Parameter(
    name: "If-Match", schema: .conditionTags,
    note: "The ETag that was read; the change is refused if it is not current"
  )
}

extension Route {
  static func clients(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entries(.clients, try await listClients(rules: call.rules(access), in: call.world))
  }

  static func client(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entry(
      try await showClient(
        ClientID(call.parameter(.id)), rules: call.rules(access), in: call.world
      )
    )
  }

  static func changeClient(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    try await withPatch(call, access) { (input) throws(Refusal) in
      try await changeClientPolicy(of: ClientID(call.parameter(.id)), input, in: call.world)
    }
  }

  /// All values of a policy and the source of each, for one organization or for the whole app.
  static func policySheet(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let organization = PolicySheetQuery(try call.query()).organization
    let sheet = try await readPolicySheet(
      of: ClientID(call.parameter(.id)),
      for: organization.map { OrganizationID($0) },
      rules: call.rules(access), in: call.world
    )
    return .json(sheet.json)
  }

  static func organizations(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entries(
      .organizations, try await listOrganizations(rules: call.rules(access), in: call.world)
    )
  }

  static func organization(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    entry(
      try await showOrganization(
        OrganizationID(call.parameter(.id)), rules: call.rules(access), in: call.world
      )
    )
  }

  static func changeOrganization(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await withPatch(call, access) { (input) throws(Refusal) in
      let id = OrganizationID(call.parameter(.id))
      return try await changeOrganizationPolicy(of: id, input, in: call.world)
    }
  }

  private static func withPatch(
    _ call: Call, _ access: Access,
    _ change: (PolicyChangeRequest) async throws(Refusal) -> PolicyEntry
  ) async throws(Refusal) -> HTTPResponse {
    try await withBody(call, access) { (json) throws(Refusal) in
      json
    } act: { (patch, once) throws(Refusal) in
      try await change(
        PolicyChangeRequest(
          patch: patch, tags: tags(of: call.request), once: once,
          rules: call.rules(access)
        )
      )
    } answer: { changed in
      entry(changed)
    }
  }

  /// The tags of an `If-Match`, without quotes; `nil` if there is none, or for `*`, which matches
  /// all.
  ///
  /// A field without a tag matches nothing. The tag `"*"` is one like others.
  private static func tags(of request: HTTPRequest) -> [String]? {
    let tags = request.elements(of: "if-match")
    guard !request.values(of: "if-match").isEmpty, tags != ["*"] else { return nil }
    return tags.map { tag in
      let isQuoted = tag.utf8.count > 1 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
      return isQuoted ? String(tag.dropFirst().dropLast()) : tag
    }
  }

  private static func entry(_ entry: PolicyEntry) -> HTTPResponse {
    var response = HTTPResponse.json(entry.json)
    response.fields.append(HTTPField("ETag", "\"\(entry.tag)\""))
    return response
  }

  private static func entries(
    _ name: WireField, _ entries: [PolicyEntry]
  ) -> HTTPResponse {
    .json(name.list(entries.map(\.json)))
  }
}
