import EngineTesting
import SignInModel
import Testing

@testable import SignInEngine
@testable import SignInWire

/// The values of a signed-in session and of an open code, without the screens around them.
@Suite struct SessionValueTests {
  private static let startTime = EngineDriver.startTime

  private static func context(at moment: Instant) -> FlowContext {
    var context = FlowContext()
    context.setTime(at: moment)
    return context
  }

  // MARK: Absence

  @Test(
    "S-07 the idle end is known a minute before it, or a third of a short time-out",
    arguments: [(3600, 3540), (90, 60)] as [(Int64, Int64)])
  func idleEnd(_ timeout: Int64, _ warning: Int64) {
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("session-1"), expiresAt: Self.startTime.adding(seconds: 86400),
      idleTimeout: timeout,
      backgroundTimeout: 300, unlock: "none", organization: nil)
    let absence = AbsenceGuard(LastActivity(Self.context(at: Self.startTime)), lock: .absent)
    let end = Self.startTime.adding(seconds: timeout)

    for seconds in [warning - 1, warning, warning + 1] {
      let context = Self.context(at: Self.startTime.adding(seconds: seconds))
      #expect(absence.idleEnd(terms, context) == (seconds < warning ? nil : end))
    }
    let unknown = AbsenceGuard(.unknown, lock: .absent)
    #expect(unknown.idleEnd(terms, Self.context(at: end)) == nil)
  }

  @Test("S-02 after an absence the device's lock protects the session")
  func lock() {
    let terms = EngineDriver.terms(of: "session-1", unlock: "biometric")
    var absence = AbsenceGuard(LastActivity(Self.context(at: Self.startTime)), lock: .present)
    for seconds in [299, 300, 301] as [Int64] {
      let context = Self.context(at: Self.startTime.adding(seconds: seconds))
      absence.lock = .present
      #expect(
        absence.judge(AppEvent<NoPage>.ticked, terms, context) == (seconds < 300 ? nil : .lock))
      absence.lock = .absent
      #expect(
        absence.judge(AppEvent<NoPage>.ticked, terms, context) == (seconds < 300 ? nil : .confirm))
      absence.lock = .beingSet
      #expect(
        absence.judge(AppEvent<NoPage>.ticked, terms, context) == (seconds < 300 ? nil : .confirm))
    }
  }

  @Test("L-30 the prompt for a new lock is no absence, unless it hides the app for too long")
  func promptForLock() {
    let terms = TokenAnswer.SessionTerms(
      id: SessionID("session-1"), expiresAt: Self.startTime.adding(seconds: 86400),
      idleTimeout: 3600,
      backgroundTimeout: 30, unlock: "biometric", organization: nil)
    var absence = AbsenceGuard(LastActivity(Self.context(at: Self.startTime)), lock: .beingSet)
    let limit = AbsenceGuard.promptSeconds
    for seconds in [30, limit - 1, limit, limit + 1] {
      let context = Self.context(at: Self.startTime.adding(seconds: seconds))
      #expect(
        absence.judge(AppEvent<NoPage>.ticked, terms, context) == (seconds < limit ? nil : .confirm)
      )
      absence.lock = .absent
      #expect(absence.judge(AppEvent<NoPage>.ticked, terms, context) == .confirm)
      absence.lock = .beingSet
    }
  }

  @Test("S-06 after another session, a lock keeps the time of the absence")
  func otherSession() {
    for lock in [AbsenceGuard.Lock.present, .absent] {
      var absence = AbsenceGuard(LastActivity(Self.context(at: Self.startTime)), lock: lock)
      absence.forget()
      #expect((absence.lastActivity.shown != nil) == (lock == .present))
      #expect(absence.lastActivity.used == nil)
    }
  }

  // MARK: What is shown

  @Test("S-07 a warning is announced once, and its end takes away no other question")
  func warning() {
    var shown = ShownContent<NoAccountPage>()
    #expect(shown.warn(of: Self.startTime) == [.report(.idleWarning(until: Self.startTime))])
    #expect(shown.warn(of: Self.startTime).isEmpty && shown.isWarning)
    #expect(shown.warn(of: nil).isEmpty && shown.sheet == nil)
    shown.sheet = .lockOffered
    #expect(shown.warn(of: nil).isEmpty && shown.sheet == .lockOffered)
  }

  @Test("S-05 another session closes all that is shown, except the notice")
  func close() {
    var shown = ShownContent<NoAccountPage>()
    (shown.isMenuOpen, shown.sheet, shown.unknownPlace) = (true, .lockOffered, "x")
    shown.sessions = NoAccountPage()
    #expect(shown.canCloseSessions)
    shown.notice = .session(.lockSet)

    shown.close()

    var expected = ShownContent<NoAccountPage>()
    expected.notice = .session(.lockSet)
    #expect(shown == expected)
  }

  // MARK: Account

  @Test("S-08 account updates are shown one after another, each until its response")
  func updates() {
    var context = Self.context(at: Self.startTime)
    var update = AccountUpdate()
    update.notices = [AccountUpdate.Notice(id: "n-1", kind: "new_device", at: Self.startTime)]
    update.proposals = [
      AccountUpdate.Proposal(id: "p-1", channel: .email, value: "a@example.com", provider: "Id")
    ]
    var account = SessionAccount()
    let device = AccountUpdateItem.newDevice(id: "n-1", at: Self.startTime)

    #expect(account.learn(update) == [.report(.accountUpdate(device))])
    #expect(account.learn(update).isEmpty)
    let first = account.removeShownUpdate(isAccepted: false, isConfirmed: true, &context)
    #expect(first.notice == nil && account.shownUpdate == .proposal(update.proposals[0]))
    let second = account.removeShownUpdate(isAccepted: true, isConfirmed: true, &context)
    #expect(second.notice == .session(.contactChanged) && account.shownUpdate == nil)
    #expect(account.fetched.loading != nil)
  }

  // MARK: Code

  private static let code = OpenCode(
    SentCode(session: Secret("s-1"), prompt: EngineDriver().prompt()), at: startTime)

  @Test("T-08 T-12 a code can be resent, and expires, to the second")
  func codeTimes() {
    for (seconds, canResend, hasExpired) in [
      (59, false, false), (60, true, false), (299, true, false), (300, true, true),
    ] as [(Int64, Bool, Bool)] {
      let now = Self.startTime.adding(seconds: seconds)
      #expect(Self.code.canResend(at: now) == canResend)
      #expect(Self.code.hasExpired(at: now) == hasExpired)
    }
    var right = Self.code
    right.authorizationCode = Secret("code-1")
    let late = Self.startTime.adding(seconds: 300)
    #expect(!right.isNeeded && !right.canResend(at: late) && !right.hasExpired(at: late))
  }

  @Test("T-10 a code has its number of digits, and other characters are removed")
  func digits() {
    for digits in ["12345", "123456", "1234567"] {
      #expect(Self.code.accepts(digits) == (digits == "123456"))
    }
    #expect(Self.code.digits(of: " 12-34 567") == "123456")
  }

  @Test("T-06 a refusal changes the attempts and the time of the next code, and nothing else")
  func refused() {
    var code = Self.code
    code.prompt.channel = CodePrompt.voice
    var refusal = Refusal(.invalidOTP)
    refusal.attemptsLeft = 2

    code.adopt(refusal)

    #expect(code.prompt.attemptsLeft == 2 && code.prompt.channel == CodePrompt.voice)
    #expect(code.prompt.resendAt == Self.code.prompt.resendAt && code.session.revealed == "s-1")
  }
}
