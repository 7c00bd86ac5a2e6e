import Testing

@testable import SignInService

@Suite("Tokens that were checked")
struct CheckedTokenTests {
  @Test("A right signature is checked once, a wrong one each time, and neither lends to another")
  func once() {
    let tokens = CheckedTokens()
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

  @Test("The oldest are forgotten once there are two generations more")
  func forgotten() {
    let tokens = CheckedTokens()
    #expect(tokens.isSigned("first") { true })
    for number in 1..<CheckedTokens.generationLimit * 2 {
      #expect(tokens.isSigned("\(number)") { true })
    }
    #expect(tokens.isSigned("first") { false }, "it is in the older generation")

    #expect(tokens.isSigned("one more") { true })

    #expect(!tokens.isSigned("first") { false })
  }
}
