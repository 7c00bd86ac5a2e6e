import SignInModel
import SignInService
import SignInTesting
import SignInWire
import Testing

@Suite("Session limit of an account")
struct SessionLimitTests {
  @Test("One session more than the limit ends the oldest", arguments: [-1, 0, 1])
  func limit(_ more: Int) async throws {
    let test = try await TestWorld()
    var sessions: [TokenAnswer] = []
    for number in 0..<(SignInLimits.sessionsPerAccount + more) {
      sessions.append(try await test.signIn(key: "key\(number)"))
      test.clock.advance(seconds: 60)
    }

    let ended = try await test.events().filter { $0.code == .sessionEnded }
    #expect(ended.map(\.detail) == (more > 0 ? ["session_limit"] : []))
    #expect(ended.map(\.session) == (more > 0 ? [sessions[0].session.id] : []))
    let oldest = await refusal(try await test.refresh(sessions[0].refreshToken, key: "key0"))
    #expect(oldest?.reason == (more > 0 ? "revoked" : nil))
    #expect(await success(try await test.refresh(sessions[1].refreshToken, key: "key1")) != nil)
  }

  @Test("Ended sessions make room for new ones")
  func room() async throws {
    let test = try await TestWorld()
    var sessions: [TokenAnswer] = []
    for number in 0..<SignInLimits.sessionsPerAccount {
      sessions.append(try await test.signIn(key: "key\(number)"))
      test.clock.advance(seconds: 60)
    }
    let token = try #require(sessions[9].refreshToken)
    let request = RevocationRequest(client: test.client, token: token, peer: nil)
    #expect(await success(try await revokeToken(request, in: test.world))?.isKnown == true)

    _ = try await test.signIn(key: "another")

    #expect(await success(try await test.refresh(sessions[0].refreshToken, key: "key0")) != nil)
  }
}
