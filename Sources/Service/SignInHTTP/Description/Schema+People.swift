import SignInService
import SignInWire

extension Schema {
  static let permissionMembers: [Member] = [
    .required(.level, .word(Permission.Level.allCases.map(\.rawValue))),
    .optional(.organization, .identifier, "Absent for all organizations"),
  ]

  /// An identity at a provider that is linked with an account.
  static let identityMembers: [Member] = [
    .required(.id, .text, "The name of the identity in paths"),
    .required(.provider, .text, "The name of the provider when the link was made"),
    .required(.issuer, .text), .required(.subject, .text, "The person at the provider"),
    .required(.linkedAt, .number), .optional(.lastUsedAt, .number),
  ]

  /// The data that is stored about one person.
  static let exportMembers: [Member] = [
    .required(.exportedAt, .number),
    .required(.account, .reference(.account)),
    .required(.sessions, .list(.object(exportedSession))),
    .required(
      .devices,
      .list(
        .object([
          .required(.proofKey, .text, "RFC 7638"), .required(.lastSeenAt, .number),
          .required(.passwordProved, .flag),
        ]))),
    .required(.identities, .list(.reference(.identity))),
    .required(
      .contactProposals,
      .list(
        .object([
          .required(.id, .text), .required(.provider, .identifier),
          .required(.issuer, .text), .required(.subject, .text),
          .required(.channel, .word(ContactChannel.allCases.map { $0.rawValue })),
          .required(.value, .text), .required(.proposedAt, .number),
          .optional(.declinedAt, .number),
        ])), "Numbers and addresses of identity providers that were not accepted"
    ),
    .required(
      .accountChanges,
      .list(
        .object([
          .required(.kind, .word(RevocableChange.Kind.allCases.map { $0.rawValue })),
          .optional(.value, .text, "The address or number before"),
          .required(.at, .number), .required(.expiresAt, .number),
          .optional(.undoneAt, .number),
        ])), "What the person changed and can take back, and requested erasures"
    ),
    .required(
      .formerContacts, .list(.object([.required(.value, .text), .optional(.at, .number)])),
      "Addresses and numbers that the account had before, and when they were replaced"),
    .required(
      .notices,
      .list(.object([.required(.id, .text), .required(.kind, .text), .required(.at, .number)]))
    ),
    .optional(
      .invitation,
      .object([
        .required(.createdAt, .number), .required(.expiresAt, .number),
        .optional(.to, .text, "Where it was sent; absent if an administrator saw it"),
      ])),
    .required(.messages, .list(.reference(.message)), "With the whole number or address"),
    .required(.jobs, .list(.reference(.job))),
    .required(.deliveries, .list(.reference(.delivery))),
    .required(.activities, .list(.reference(.activity)), "Each with its organization"),
    .required(.products, .list(.reference(.product))),
    .required(.serviceRequests, .list(.reference(.serviceRequest))),
    .required(.events, .list(.anything), "Events of the security log, without their hashes"),
  ]

  private static let exportedSession: [Member] = [
    .required(.id, .text), .required(.clientID, .text), .optional(.organization, .text),
    .required(.proofKey, .text, "RFC 7638"), .required(.scope, .text),
    .required(.amr, .list(.text), "RFC 8176"), .optional(.provider, .identifier),
    .optional(.acr, .text), .optional(.authTime, .number), .required(.startedAt, .number),
    .required(.lastUsedAt, .number), .required(.expiresAt, .number),
    .optional(.endedBecause, .text),
  ]
}
