import HTTPServer
import JSONText
import SignInModel
import SignInService
import SignInWire

extension Route {
  static let ofIdentities: [Route] = [
    Route(.get, Endpoint.identities, .account, answer: ownIdentities),
    Route(.delete, Endpoint.identity, .account, answer: unlinkOwn),
    Route(.post, Endpoint.contactProposal, .account, answer: acceptProposal),
    Route(.delete, Endpoint.contactProposal, .account, answer: declineProposal),
    Route(.get, Endpoint.adminIdentities, needs: .viewer, answer: accountIdentities),
    Route(.post, Endpoint.adminIdentities, needs: .administrator, answer: link),
    Route(.delete, Endpoint.adminIdentity, needs: .support, answer: unlink),
    Route(.get, Endpoint.adminProviders, needs: .viewerEverywhere, answer: providers),
    Route(
      .post, Endpoint.adminProviderCheck, needs: .administratorEverywhere, answer: checkedProvider),
  ]

  private static func providers(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let entries = await listProviders(in: call.world)
    return .json(.members([JSONMember("providers", .array(entries.map { $0.json }))]))
  }

  /// Calls the provider, so this takes up to a few seconds.
  private static func checkedProvider(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    let steps = try await checkProvider(named: call.parameter("name"), in: call.world)
    let isFine = steps.allSatisfy { $0.mistakes.isEmpty }
    return .json(
      .members([
        JSONMember("passed", isFine), JSONMember("steps", .array(steps.map { $0.json })),
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
        of: AccountID(call.parameter("id")), rules: call.rules(access), in: call.world))
  }

  private static func link(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    let members = try JSONBody.read(call) { (body) throws(Refusal) in
      (
        provider: try body.needed("provider", try body.text("provider")),
        subject: try body.needed("subject", try body.text("subject"))
      )
    }
    guard let link = IdentityLink(provider: members.provider, subject: members.subject) else {
      throw Refusal.invalidRequest(
        "subject must have 1 to \(IdentityLink.subjectLengthLimit) ASCII characters")
    }
    let entry = try await linkIdentity(
      link, to: AccountID(call.parameter("id")), rules: call.rules(access), in: call.world)
    return .json(entry.json)
  }

  private static func unlink(_ call: Call, _ access: Access) async throws(Refusal) -> HTTPResponse {
    _ = try await unlinkIdentity(
      call.parameter("identity"), of: AccountID(call.parameter("id")), rules: call.rules(access),
      in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func unlinkOwn(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await unlinkOwnIdentity(
      call.parameter("id"), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func acceptProposal(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await acceptContactProposal(
      call.parameter("id"), access, languages: call.languages(Form([])), peer: call.peer,
      in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func declineProposal(_ call: Call, _ access: Access) async throws(Refusal)
    -> HTTPResponse
  {
    _ = try await declineContactProposal(
      call.parameter("id"), access, peer: call.peer, in: call.world)
    return HTTPResponse(status: 204)
  }

  private static func listed(_ entries: [IdentityEntry]) -> HTTPResponse {
    .json(.members([JSONMember("identities", .array(entries.map { $0.json }))]))
  }
}

extension ProviderCheckStep {
  fileprivate var json: JSON {
    .members([
      JSONMember("subject", subject),
      JSONMember(
        "mistakes",
        .array(
          mistakes.map {
            .members([JSONMember("problem", $0.problem), JSONMember("remedy", $0.remedy)])
          })),
    ])
  }
}
