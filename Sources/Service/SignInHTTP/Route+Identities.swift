import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  private static let identityList = Schema.object([
    .required(.identities, .list(.reference(.identity)), "In the order of their links")
  ])

  private static let providerEntry = Schema.object([
    .required(.name, .identifier, "The value of provider at the challenge endpoint"),
    .required(.label, .text, "The name for people"),
    .required(.issuer, .text, "The issuer of its identities"),
    .required(.redirectURI, .text, "What must be registered at the provider"),
    .required(.clients, .list(.identifier), "The apps that offer it"),
    .required(.available, .flag, "false while the provider does not answer as it should"),
  ])

  private static let checkStep = Schema.object([
    .required(.subject, .text, "What was checked, such as keys"),
    .required(
      .mistakes,
      .list(.object([.required(.problem, .text), .required(.remedy, .text)])),
      "Empty if the step passed"),
  ])

  static let ofIdentities: [Route] = [
    Route(
      .get, .identities, .account, answer: ownIdentities,
      Operation(
        name: "listMyIdentities",
        summary: "The identities with which the person can sign in", chapter: .data,
        answers: [.json(identityList, "The identities")]
      )),
    Route(
      .delete, .identity(.id), .account, answer: unlinkOwn,
      Operation(
        name: "unlinkMyIdentity",
        summary: "Removes one of the person's own identities", chapter: .data,
        answers: [.done("The identity is unlinked")], refusals: [.identityNotFound, .lastIdentity]
      )),
    Route(
      .post, .contactProposal(.id), .account, answer: acceptProposal,
      Operation(
        name: "acceptContactProposal",
        summary: "Gives my account the number or the address that a provider has verified. A new"
          + " number ends my other sessions", chapter: .data,
        answers: [.done("The account is changed. The old number and address get a notice")],
        refusals: [.proposalNotFound, .accountExists]
      )),
    Route(
      .delete, .contactProposal(.id), .account, answer: declineProposal,
      Operation(
        name: "declineContactProposal",
        summary: "Declines a number or an address of a provider, which is not proposed again",
        chapter: .data, answers: [.done("The account is not changed")],
        refusals: [.proposalNotFound]
      )),
    Route(
      .get, .adminIdentities(.id), needs: .viewer, answer: accountIdentities,
      Operation(
        name: "listAccountIdentities",
        summary: "The identities of an account", chapter: .administration,
        answers: [.json(identityList, "The identities")], refusals: [.accountNotFound]
      )),
    Route(
      .post, .adminIdentities(.id), needs: .administrator, answer: link,
      Operation(
        name: "linkIdentity",
        summary: "Links an identity at a provider with an account", chapter: .administration,
        body: .json(
          .object([
            .required(.provider, .identifier, "A provider of the configuration"),
            .required(
              .subject, .text(upTo: IdentityLink.subjectLengthLimit, atLeast: 1),
              "The person's identifier at the provider, such as sub"),
          ])),
        contents: [IdentityBody.self],
        answers: [.json(.reference(.identity), "The identity, which may have been linked before")],
        refusals: [.accountNotFound, .invalidRequest, .identityExists]
      )),
    Route(
      .delete, .adminIdentity(.id, .identity), needs: .support, answer: unlink,
      Operation(
        name: "unlinkIdentity",
        summary: "Unlinks an identity from an account, and ends the account's sessions",
        chapter: .administration, answers: [.done("The identity is unlinked")],
        refusals: [.accountNotFound, .identityNotFound]
      )),
    Route(
      .get, .adminProviders, needs: .viewerEverywhere, answer: providers,
      Operation(
        name: "listProviders",
        summary: "The identity providers of the configuration", chapter: .administration,
        answers: [
          .json(.object([.required(.providers, .list(providerEntry))]), "In their order there")
        ]
      )),
    Route(
      .post, .adminProviderCheck(.name), needs: .administratorEverywhere, answer: checkedProvider,
      Operation(
        name: "checkProvider",
        summary: "Checks the metadata and keys of an identity provider, and whether it accepts this"
          + " server's client; it takes up to fourteen seconds",
        chapter: .administration,
        answers: [
          .json(
            .object([
              .required(.passed, .flag), .required(.steps, .list(checkStep)),
            ]), "The result of each step")
        ], refusals: [.providerNotFound]
      )),
  ]
}

extension Route {
  private static func providers(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let entries = await listProviders(in: call.world)
    return .json(WireField.providers.list(entries.map(\.json)))
  }

  /// Calls the provider, so this takes up to a few seconds.
  private static func checkedProvider(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let steps = try await checkProvider(named: call.parameter(.name), in: call.world)
    let isFine = steps.allSatisfy { $0.mistakes.isEmpty }
    return .json(
      .members([
        JSONMember(.passed, isFine), JSONMember(.steps, .array(steps.map { $0.json })),
      ]))
  }

  private static func ownIdentities(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    listed(try await listOwnIdentities(access, in: call.world))
  }

  private static func accountIdentities(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    listed(
      try await listIdentities(
        of: AccountID(call.parameter(.id)), rules: call.rules(access), in: call.world))
  }

  private static func link(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let body = try IdentityBody(try call.body())
    let provider = try WireField.provider.needed(body.provider)
    let subject = try WireField.subject.needed(body.subject)
    guard let link = IdentityLink(provider: provider, subject: subject) else {
      throw Refusal.invalidRequest(
        "subject must have 1 to \(IdentityLink.subjectLengthLimit) ASCII characters")
    }
    let entry = try await linkIdentity(
      link, to: AccountID(call.parameter(.id)), rules: call.rules(access), in: call.world)
    return .json(entry.json)
  }

  private static func unlink(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    _ = try await unlinkIdentity(
      call.parameter(.identity), of: AccountID(call.parameter(.id)), rules: call.rules(access),
      in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func unlinkOwn(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await unlinkOwnIdentity(
      call.parameter(.id), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func acceptProposal(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await acceptContactProposal(
      call.parameter(.id), access, languages: call.languages(nil), peer: call.peer,
      in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func declineProposal(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    try await declineContactProposal(
      call.parameter(.id), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func listed(_ entries: [IdentityEntry]) -> HTTPResponse {
    .json(WireField.identities.list(entries.map(\.json)))
  }
}

extension ProviderCheckStep {
  fileprivate var json: JSON {
    .members([
      JSONMember(.subject, subject),
      JSONMember(
        .mistakes,
        .array(
          mistakes.map {
            .members([JSONMember(.problem, $0.problem), JSONMember(.remedy, $0.remedy)])
          })),
    ])
  }
}
