import JSONText
import SignInModel
import SignInTesting
import SignInWire
import Testing

@testable import SignInService

extension ProviderWorld {
  /// Gives tara an identity at the second provider.
  func insertSecondIdentity() async throws {
    try await store.transact { (transaction) throws(StoreFault) in
      try transaction.insert(
        Identity(
          issuer: ScriptedProvider.issuer + "/second", subject: "s", account: AccountID("tara"),
          provider: "second", linkedAt: TestWorld.start, lastUsedAt: nil))
    }
  }

  /// Signs tara in at the provider, which says this.
  func signIn(
    _ claims: [String: JSON?] = [:], at provider: String = "login", key: String = "key"
  ) async throws -> Access {
    clock.advance(seconds: 60)
    let journey = try await open(provider: provider, key: key)
    let code = try #require(await finish(journey, claims: claims)["code"])
    let tokens = try await redeem(code, key: key).get()
    return try await access(tokens.session.id)
  }

  func access(_ session: SessionID) async throws -> Access {
    let account = try #require(try await found("tara"))
    let stored = try #require(try await sessions(of: "tara").first { $0.id == session })
    let client = try #require(world.clients[stored.client])
    return Access(account: account, session: stored, client: client)
  }

  func storedProposals() async throws -> [ContactProposal] {
    try await store.read { (transaction) throws(StoreFault) in
      try transaction.contactProposals(of: AccountID("tara"))
    }
  }
}
