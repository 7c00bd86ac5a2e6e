import HTTPServer
import SignInWire

extension Operation {
  static let policies: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminOrganizations, name: "listOrganizations",
      summary: "Organizations and their policies", chapter: .administration,
      answers: [
        .json(
          .object([.required("organizations", .list(.reference(.organization)))]), "all of them"
        )
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminOrganization, name: "readOrganization",
      summary: "One organization and its policy", chapter: .administration,
      answers: [.json(.reference(.organization), "the organization, with an ETag")],
      refusals: [.organizationNotFound]
    ),
    Operation(
      method: .patch, path: Endpoint.adminOrganization, name: "changeOrganization",
      summary: "Changes the policy of an organization; null goes back to the configuration"
        + " (RFC 7396). Where safety demands it only what is stricter than an app's own has"
        + " an effect", chapter: .administration,
      fields: [ifMatch, onceOnly],
      body: .json(.object([.optional("policy", .orNull(.reference(.policyPatch)))])),
      answers: [.json(.reference(.organization), "the organization as it is now, with an ETag")],
      refusals: [
        .invalidRequest, .organizationNotFound, .preconditionFailed, .invalidPolicy,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminClients, name: "listClients",
      summary: "Apps and the policies that hold for them", chapter: .administration,
      answers: [
        .json(
          .object([.required("clients", .list(.reference(.listedClient)))]),
          "all of them; for an administrator of single organizations id and name of the apps that"
            + " members of those can use"
        )
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminClient, name: "readClient",
      summary: "One app and the policy that holds for it", chapter: .administration,
      answers: [.json(.reference(.client), "the app, with an ETag")],
      refusals: [.clientNotFound]
    ),
    Operation(
      method: .patch, path: Endpoint.adminClient, name: "changeClient",
      summary: "Changes the policy of an app; null goes back to the configuration (RFC 7396)",
      chapter: .administration, fields: [ifMatch, onceOnly],
      body: .json(.reference(.policyPatch)),
      answers: [.json(.reference(.client), "the app as it is now, with an ETag")],
      refusals: [
        .invalidRequest, .clientNotFound, .preconditionFailed, .invalidPolicy,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminClientPolicy, name: "readPolicySheet",
      summary: "Every value of an app's policy: what holds, whose word it is, and what may be"
        + " written instead", chapter: .administration,
      query: [
        Parameter(
          name: "organization", schema: .identifier,
          note: "for its people alone; everybody without it"
        )
      ],
      answers: [.json(policySheet, "the sheet")],
      refusals: [.invalidRequest, .clientNotFound, .organizationNotFound]
    ),
  ]

  private static let policySheet = Schema.object([
    .required("client", .text), .required("client_name", .text),
    .optional(
      "organization", .object([.required("id", .text), .required("name", .text)])
    ),
    .required(
      "tag", .text, "between quotes the If-Match of a change of this app, or this organization"
    ),
    .required("values", .list(.reference(.policyValue))),
  ])

  private static let ifMatch = Parameter(
    name: "If-Match", schema: .conditionTags,
    note: "the ETag that was read; another one is refused"
  )
}
