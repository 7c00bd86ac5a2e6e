import Testing

@testable import SignInScreens

@Suite struct SentenceTests {
  @Test("T-02 T-04 T-05 T-06 T-07 T-10 the sentences of the requirements, letter for letter")
  func exactSentences() {
    let sentences: [(Sentence, String)] = [
      (.invalidCredentials, "Invalid email or password"),
      (
        .accountDeactivated,
        "Your account has been deactivated. Please contact your administrator."
      ),
      (.codeRefused, "Invalid or expired OTP. Please try again."),
      (
        .noConnection,
        "No internet connection. Please check your connection and try again."
      ),
      (.forgotPassword, "Forgot Password?"),
      (.resend, "Resend OTP"),
      (.login, "Login"),
      (.verify, "Verify"),
    ]
    for (sentence, text) in sentences { #expect(sentence.text(in: .english) == text) }
  }

  @Test("T-15 every sentence has words in every language, and a key of its own")
  func complete() {
    var keys: Set<String> = []
    for sentence in Sentence.allCases {
      #expect(keys.insert(sentence.rawValue).inserted)
      for language in Language.allCases { #expect(!sentence.text(in: language).isEmpty) }
    }
  }

  @Test("T-15 what is filled in replaces its name and nothing else")
  func filling() {
    let text = Sentence.codeSent.text(
      in: .english, [(name: "destination", value: "***-***-{digits}")]
    )
    #expect(text == "An OTP has been sent to ***-***-{digits}")
  }
}
