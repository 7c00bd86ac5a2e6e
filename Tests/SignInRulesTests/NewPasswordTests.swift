import SignInModel
import SignInRules
import Testing

@Suite("New passwords")
struct NewPasswordTests {
  private func refusal(_ text: String, _ words: [String] = []) -> NewPassword.Refusal? {
    NewPassword.refusal(of: text, about: words)
  }

  @Test(
    "T-11 eight code points of any script are enough",
    arguments: [("kjf7wqz", false), ("kjf7wqzx", true), ("kjf7wqzxp", true)]
      + [("ключики", false), ("🔑🌊🏔️ab c", true), ("भारतीयमन्त्र", true)]
  )
  func least(_ text: String, _ isAccepted: Bool) {
    #expect((refusal(text) == nil) == isAccepted)
    if !isAccepted { #expect(refusal(text) == .tooShort) }
  }

  @Test("T-11 at most 1024 bytes", arguments: [(1023, true), (1024, true), (1025, false)])
  func most(_ count: Int, _ isAccepted: Bool) {
    let text = String(String(repeating: "mossy stone ", count: 90).prefix(count))

    #expect((refusal(text) == nil) == isAccepted)
    if !isAccepted { #expect(refusal(text) == .tooLong) }
  }

  @Test(
    "T-11 commonly guessed passwords are refused, with any decoration",
    arguments: [
      "password", "PASSWORD", "Password1", "password123", "Password2026", "P@ssw0rd", "!!qwerty!!",
      "12345678", "123456789", "1234567890", "87654321", "aaaaaaaa", "abababab", "abcdabcd",
      "qwertyuiop", "1q2w3e4r", "1qaz2wsx", "iloveyou", "sunshine1", "football", "trustno1",
      "superman99", "correcthorsebatterystaple", "abcdefgh", "23456789", "letmein1", "passord1",
      "________", "        ", "🔑🔑🔑🔑🔑🔑🔑🔑",
    ]
  )
  func guessed(_ text: String) {
    #expect(refusal(text) == .tooCommon)
  }

  @Test(
    "T-11 there are no composition rules",
    arguments: [
      "moss lichen", "seventeenpelicans", "93650174", "qvxzjkpw", "pelican-1234", "a b c d e f",
      "sunshine over fjord", "12 red bicycles", "sunshine82731",
    ]
  )
  func free(_ text: String) {
    #expect(refusal(text) == nil)
  }

  @Test(
    "T-11 words about the person and the product are refused",
    arguments: [
      "tara.lindqvist@example.com", "TaraLindqvist", "lindqvist", "Lindqvist1!", "taralindqvist7",
      "fieldpass", "Fieldpass2026", "2026Fieldpass", "tara.lindqvist",
    ]
  )
  func own(_ text: String) {
    let words = ["tara.lindqvist@example.com", "Tara Lindqvist", "Fieldpass"]
    #expect(refusal(text, words) == .tooCommon)
    #expect(refusal("\(text) likes pelicans", words) == nil)
  }

  @Test(
    "T-11 up to four added characters do not hide a word",
    arguments: [(3, true), (4, true), (5, false)])
  func decoration(_ count: Int, _ isRefused: Bool) {
    let digits = String("83920".prefix(count))
    #expect((refusal("monkeys\(digits)", ["Monkeys"]) == .tooCommon) == isRefused)
  }
}

@Suite("Reset lockout")
struct ResetLockoutTests {
  private let policy = Lockout.Policy()
  private let start = Instant(seconds: 1_700_000_000)

  private func locked() -> Lockout {
    var lockout = Lockout.open
    for _ in 0..<policy.failureLimit { lockout.countWrong(at: start, under: policy) }
    return lockout
  }

  @Test("T-11 an account that others locked may still be reset")
  func wayBack() {
    let locks = ResetLockout(account: locked(), resets: .open)

    #expect(locks.verdict(at: start, under: policy) == .compare)
    #expect(locks.attemptsLeft(under: policy) == 5)
  }

  @Test("T-11 the lockout after a wrong reset code also applies to resets, to the millisecond")
  func rests() {
    var account = Lockout.open
    for _ in 0..<4 { account.countWrong(at: start, under: policy) }
    var locks = ResetLockout(account: account, resets: .open)
    #expect(locks.attemptsLeft(under: policy) == 1)

    let until = start.adding(seconds: 900)
    #expect(locks.countWrong(at: start, under: policy) == .locked(until: until))
    #expect(locks.account.verdict(at: start, under: policy) == .locked(until: until))
    let before = until.adding(milliseconds: -1)
    #expect(locks.verdict(at: before, under: policy) == .locked(until: until))
    #expect(locks.verdict(at: until, under: policy) == .compare)
  }

  @Test(
    "T-11 five wrong codes while the account is locked double its lockout, and resets wait as long")
  func doubles() {
    var locks = ResetLockout(account: locked(), resets: .open)
    for _ in 0..<4 { #expect(locks.countWrong(at: start, under: policy) == .compare) }

    let until = start.adding(seconds: 1800)
    #expect(locks.countWrong(at: start, under: policy) == .locked(until: until))
  }

  @Test("T-11 one hundred wrong reset codes stop resets", arguments: [99, 100, 101])
  func stops(_ count: Int) {
    var locks = ResetLockout(account: .open, resets: .open)
    var now = start
    for _ in 0..<count {
      _ = locks.countWrong(at: now, under: policy)
      now = now.adding(seconds: policy.longestLockSeconds)
    }

    #expect((locks.verdict(at: now, under: policy) == .stopped) == (count >= 100))
    #expect(locks.account.failuresInRow == 0)
    #expect(locks.account.verdict(at: now, under: policy) == .compare)
  }

  @Test("L-01 passwords that are being compared leave no try for a reset")
  func reserved() {
    var account = Lockout.open
    for _ in 0..<5 { _ = account.reserve(at: start, under: policy) }
    let locks = ResetLockout(account: account, resets: .open)

    #expect(locks.verdict(at: start, under: policy) == .wait)
  }
}
