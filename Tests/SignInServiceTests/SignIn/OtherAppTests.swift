import SignInModel
import SignInRules
import SignInService
import SignInTesting
import Testing

@testable import SignInWire

@Suite("Accounts of another app")
struct OtherAppTests {
  /// An app that the technician may not use.
  private static let owners = AppRegistration(
    id: ClientID("product-app"), name: "Products", home: .products, signIn: .passwordAndCode,
    roles: [.owner], scopes: ["openid"]
  )

  private func fail(
    _ test: TestWorld, _ times: Int, in client: AppRegistration, as username: String
  ) async -> [Refusal] {
    var answers: [Refusal] = []
    for number in 0..<times {
      let terms = SignInTerms(
        client: client, scope: "openid", pkceChallenge: "c", nonce: nil, organization: nil,
        proofKeyThumbprint: "key-\(number)"
      )
      let request = PasswordSignInRequest(
        terms: terms, username: username, password: Secret("wrong")
      )
      answers.append(await firstAnswer(try await beginPasswordSignIn(request, in: test.world)))
    }
    return answers
  }

  @Test("T-03 L-12 a lockout in one app reveals through no other app whether the account exists")
  func locks() async throws {
    var seen: [[Refusal]] = []
    for username in ["tara@example.com", "unknown@example.com"] {
      let test = try await TestWorld()
      let first = await fail(test, 3, in: Self.owners, as: username)
      let second = await fail(test, 2, in: TestWorld.technicians, as: username)
      seen.append(first + second + (await fail(test, 1, in: Self.owners, as: username)))
    }

    #expect(seen[0] == seen[1])
    #expect(seen[0].last?.code == .accountLocked)
  }

  @Test("T-03 the right password is wrong in an app that the account may not use")
  func rightPassword() async throws {
    let test = try await TestWorld(client: Self.owners)

    #expect(await test.begin("right") == Refusal(.invalidCredentials))
    #expect(await test.messageCount() == 0)
  }

  @Test("T-03 a reset in one app does not show through another app whether the account exists")
  func resets() async throws {
    var seen: [String: [CodePrompt]] = [:]
    let unknown = (1...20).map { "unknown\($0)@example.com" }
    for username in ["tara@example.com"] + unknown {
      let test = try await TestWorld()
      var prompts: [CodePrompt] = []
      for client in [TestWorld.technicians, Self.owners] {
        let request = PasswordResetRequest(
          client: client, username: username, proofKeyThumbprint: nil, peer: nil
        )
        let answer = try #require(
          await success(try await requestPasswordReset(request, in: test.world)))
        prompts.append(answer.challenge)
        test.clock.advance(seconds: 10)
      }
      seen[username] = prompts
    }

    // The same challenge again in either app: times and attempts, and no digits.
    for prompts in seen.values {
      #expect(prompts[0].resendAt == prompts[1].resendAt)
      #expect(prompts[0].attemptsLeft == prompts[1].attemptsLeft)
    }
    #expect(seen.values.joined().allSatisfy { $0.destination == PhoneNumber.withoutDigits })
  }

  @Test("T-03 a reset code for an account of another app is not sent")
  func withheld() async throws {
    let test = try await TestWorld(client: Self.owners)

    #expect(await success(try await test.forget()) != nil)
    #expect(await test.messageCount() == 0)
  }
}
