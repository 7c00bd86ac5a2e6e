import Testing

@testable import SignInService

@Suite("Verified tokens")
struct CheckedTokenTests {
  @Test("A valid signature is verified once, an invalid one each time, each for its own token only")
  func once() {
    let tokens = VerifiedTokens()
    var checks = 0
    func isSigned(_ text: String, _ answer: Bool) -> Bool {
      tokens.isSigned(text) {
        checks += 1
        return answer
      }
    }

    #expect(isSigned("header.claims.right", true))
    #expect(isSigned("header.claims.right", false))
    #expect(checks == 1)
    #expect(!isSigned("header.claims.wrong", false))
    #expect(!isSigned("header.claims.wrong", false))
    #expect(!isSigned("header.others.right", false))
    #expect(checks == 4)
  }

  @Test("The oldest tokens are forgotten after two more generations")
  func forgotten() {
    let tokens = VerifiedTokens()
    #expect(tokens.isSigned("first") { true })
    for number in 1..<VerifiedTokens.generationLimit * 2 {
      #expect(tokens.isSigned("\(number)") { true })
    }
    #expect(tokens.isSigned("first") { false }, "it is in the older generation")

    #expect(tokens.isSigned("one more") { true })

    #expect(!tokens.isSigned("first") { false })
  }
}
