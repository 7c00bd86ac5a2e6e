import Testing

@testable import SignInRules

@Suite("The most common passwords")
struct FrequentPasswordTests {
  @Test(
    "The most common passwords that are long enough are refused in every notation",
    arguments: [
      "trustno1", "1qaz2wsx", "1q2w3e4r5t", "myspace1", "ducati99", "44magnum", "Samantha1",
      "USMC0311", "1234qwer", "000webhost", "dkflbvbhjdyf",
    ]
  )
  func refused(_ text: String) {
    #expect(NewPassword.refusal(of: text, about: []) == .tooCommon)
  }

  @Test("There are at least three thousand, each long enough and in lower case")
  func list() {
    #expect(FrequentPasswords.all.count >= 3000)
    for text in FrequentPasswords.all {
      #expect(text.utf8.count >= NewPassword.leastCodePoints)
      #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !(0x41...0x5A).contains($0) })
      #expect(NewPassword.refusal(of: text, about: []) == .tooCommon)
    }
  }

  @Test("A password that only begins like a common one is accepted")
  func longer() {
    #expect(NewPassword.refusal(of: "trustno1 but verify it", about: []) == nil)
  }
}
