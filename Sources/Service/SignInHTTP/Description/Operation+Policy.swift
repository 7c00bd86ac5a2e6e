import HTTPServer
import SignInWire

extension Operation {
  static let policies: [Operation] = [
    Operation(
      method: .get, path: Endpoint.adminOrganizations, name: "listOrganizations",
      summary: "Organizations and their policies", chapter: .administration,
      answers: [
        .json(
          .object([.required("organizations", .list(.reference(.organization)))]),
          "All organizations"
        )
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminOrganization, name: "readOrganization",
      summary: "One organization and its policy", chapter: .administration,
      answers: [.json(.reference(.organization), "The organization, with an ETag")],
      refusals: [.organizationNotFound]
    ),
    Operation(
      method: .patch, path: Endpoint.adminOrganization, name: "changeOrganization",
      summary:
        "Changes the policy of an organization; null restores the configured value (RFC 7396)."
        + " For values that protect accounts or cost money, only a value that is stricter than the"
        + " app's has an effect", chapter: .administration,
      fields: [ifMatch, onceOnly],
      body: .json(.object([.optional("policy", .orNull(.reference(.policyPatch)))])),
      answers: [
        .json(.reference(.organization), "The organization after the change, with an ETag")
      ],
      refusals: [
        .invalidRequest, .organizationNotFound, .preconditionFailed, .invalidPolicy,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminClients, name: "listClients",
      summary: "Apps and their policies", chapter: .administration,
      answers: [
        .json(
          .object([.required("clients", .list(.reference(.listedClient)))]),
          "All apps; for an administrator of single organizations, only the id and the name of"
            + " the apps that members of these organizations can use"
        )
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminClient, name: "readClient",
      summary: "One app and its policy", chapter: .administration,
      answers: [.json(.reference(.client), "The app, with an ETag")],
      refusals: [.clientNotFound]
    ),
    Operation(
      method: .patch, path: Endpoint.adminClient, name: "changeClient",
      summary: "Changes the policy of an app; null restores the configured value (RFC 7396)",
      chapter: .administration, fields: [ifMatch, onceOnly],
      body: .json(.reference(.policyPatch)),
      answers: [.json(.reference(.client), "The app after the change, with an ETag")],
      refusals: [
        .invalidRequest, .clientNotFound, .preconditionFailed, .invalidPolicy,
        .idempotencyKeyReused,
      ]
    ),
    Operation(
      method: .get, path: Endpoint.adminClientPolicy, name: "readPolicySheet",
      summary:
        "All values of an app's policy: the current value, its source, and the values that are"
        + " allowed", chapter: .administration,
      query: [
        Parameter(
          name: "organization", schema: .identifier,
          note: "The policy for members of this organization; without it, for the whole app"
        )
      ],
      answers: [.json(policySheet, "The policy values")],
      refusals: [.invalidRequest, .clientNotFound, .organizationNotFound]
    ),
  ]

  private static let policySheet = Schema.object([
    .required("client", .text), .required("client_name", .text),
    .optional(
      "organization", .object([.required("id", .text), .required("name", .text)])
    ),
    .required(
      "tag", .text, "In quotes, it is the If-Match of a change of this app or this organization"
    ),
    .required("values", .list(.reference(.policyValue))),
  ])

  private static let ifMatch = Parameter(
    name: "If-Match", schema: .conditionTags,
    note: "The ETag that was read; the change is refused if it is not current"
  )
}
