import SignInEngine
import SignInModel
import SignInWire

/// Turns the state of a flow into text, in one language and at one moment.
public struct Localizer: Sendable {
  let format: LocaleFormat
  let now: Instant
  /// `nil` in an app that draws its own screens.
  let app: AppName?
  /// Whether this device can verify its user, for the app lock.
  let isLockPossible: Bool
  /// The identity providers of this app.
  let providers: ProviderMenu
  /// The provider of the sign-in; `nil` if the e-mail address decided.
  let providerLabel: String?
  /// Whether the session that ended left the passkey of its lock on the device.
  let hasLeftPasskey: Bool

  init(_ context: FlowContext) {
    format = LocaleFormat(locale: context.locale, wallClock: context.wallClock)
    now = context.now
    app = context.app.name
    isLockPossible = context.isLockPossible ?? false
    providers = context.providerMenu
    providerLabel = context.providerLabel
    hasLeftPasskey = context.hasLeftPasskey
  }

  private var language: Language { format.locale.language }

  /// The person's day.
  var today: CalendarDay { format.wallClock.calendarDay(of: now) }

  /// Not inlined, because the screens call it several hundred times.
  @inline(never) func say(_ sentence: Sentence) -> String { sentence.text(in: language) }

  func say(_ sentence: Sentence, _ name: String, _ value: String) -> String {
    sentence.text(in: language, [(name: name, value: value)])
  }

  func say(_ sentence: Sentence, _ values: [(name: String, value: String)]) -> String {
    sentence.text(in: language, values)
  }

  /// A sentence with a count, or its second form for the count 1.
  func say(_ sentence: Sentence, one: Sentence, count: Int64) -> String {
    count == 1 ? say(one) : say(sentence, "count", format.number(count))
  }

  func name(of key: PolicyKey) -> String { key.name(in: language) }

  func explanation(of key: PolicyKey) -> String { key.explanation(in: language) }

  @inline(never) func say(_ sentence: ConsoleSentence) -> String { sentence.text(in: language) }

  func say(
    _ sentence: ConsoleSentence, _ values: [(name: String, value: String)]
  ) -> String {
    Template.fill(say(sentence), values)
  }

  func say(_ sentence: ConsoleSentence, one: ConsoleSentence, count: Int64) -> String {
    count == 1 ? say(one) : say(sentence, [(name: "count", value: format.number(count))])
  }

  /// A moment in the person's format.
  func moment(_ instant: Instant, _ style: Moment.Style) -> Moment {
    let text =
      switch style {
      case .clock: format.clock(instant)
      case .day: format.day(instant)
      case .date: format.date(instant)
      case .dateAndTime: format.dateAndTime(instant)
      }
    return Moment(seconds: instant.seconds, style: style, text: text)
  }

  /// The time of day, with the date if the moment is not today.
  func moment(_ instant: Instant) -> Moment {
    let clock = format.wallClock
    let isToday = clock.day(of: instant) == clock.day(of: now)
    return moment(instant, isToday ? .clock : .dateAndTime)
  }

  /// The remaining minutes and seconds, such as `0:42`.
  func countdown(to moment: Instant) -> String {
    let left = now.wholeSeconds(until: moment)
    let seconds = left % 60
    return "\(left / 60):" + (seconds < 10 ? "0" : "") + "\(seconds)"
  }

  /// Whole minutes, rounded up, so that a person who waits for this time has waited long enough.
  func minutes(until moment: Instant) -> Int64 { (now.wholeSeconds(until: moment) + 59) / 60 }

  func lock(until moment: Instant, canReset: Bool = true) -> String {
    let left = minutes(until: moment)
    if app == .rider { return riderLock(minutes: left) }
    guard canReset else {
      return left <= 1
        ? say(.lockedWithoutResetMinute)
        : say(.lockedWithoutResetMinutes, "minutes", format.number(left))
    }
    return left <= 1 ? say(.lockedMinute) : say(.lockedMinutes, "minutes", format.number(left))
  }

  func attempts(left: Int64) -> String {
    say(.attemptsLeft, one: .attemptLeft, count: left)
  }

  func refusedCode(attemptsLeft: Int64?) -> String {
    guard let attemptsLeft else { return say(wrongCode) }
    return say(wrongCode) + " " + attempts(left: attemptsLeft)
  }

  func notice(_ notice: Notice) -> String {
    switch notice {
    case .invalidCredentials: say(.invalidCredentials)
    case .accountDeactivated: say(.accountDeactivated)
    case .codeRefused: say(wrongCode)
    case .noConnection: say(.noConnection)
    case .serviceUnreachable: say(.serviceUnreachable)
    case .noAnswerInTime: say(.noAnswerInTime)
    case .serverFault: say(.serverFault)
    case .serviceBusy: say(.serviceBusy)
    case .rateLimited(let until):
      wait(
        until, now: .rateLimitedNow, second: .rateLimitedSecond, seconds: .rateLimitedSeconds,
        minutes: .rateLimitedMinutes
      )
    case .codeTooSoon(let until):
      wait(
        until, now: .codeTooSoonNow, second: .codeTooSoonSecond, seconds: .codeTooSoonSeconds,
        minutes: .codeTooSoonMinutes
      )
    case .deliveryFailed(let until):
      wait(
        until, now: .deliveryFailedNow, second: .deliveryFailedSecond,
        seconds: .deliveryFailedSeconds, minutes: .deliveryFailedMinutes
      )
    case .signInExpired: say(.signInExpired)
    case .signsInElsewhere: say(.signsInElsewhere)
    case .atProvider(let notice): providerNotice(notice)
    case .newCodeSent: say(.newCodeSent)
    case .sessionEnded: say(.sessionEnded)
    case .signedOut: withPasskey(.signedOut, hasLeftPasskey)
    case .session(let notice): sessionNotice(notice)
    case .sessionNotKept: say(.sessionNotKept)
    case .notRegistered: say(notRegistered)
    case .passwordChanged: say(.passwordChanged)
    case .passwordMaybeChanged: say(.passwordMaybeChanged)
    case .passwordSaved: say(.passwordSaved)
    case .invitationOver: say(.invitationOver)
    case .resetExpired: say(.resetExpired)
    case .passwordPending(let until): say(.passwordPending, "time", format.dateAndTime(until))
    case .resetByAdministrator: say(.resetAtAdministrator)
    case .registrationClosed: say(.registrationClosed)
    case .approvalPending: say(.approvalPending)
    case .copyNotStored: say(.copyNotStored)
    case .requestSent: say(.requestSent)
    case .productTransferred: say(.productTransferred)
    case .productGone: say(.productGone)
    }
  }

  /// In seconds up to a minute and a half, then in minutes.
  private func wait(
    _ until: Instant, now over: Sentence, second: Sentence, seconds: Sentence, minutes: Sentence
  ) -> String {
    let left = now.wholeSeconds(until: until)
    if left == 0 { return say(over) }
    if left <= 90 { return say(seconds, one: second, count: left) }
    return say(minutes, "count", format.number(self.minutes(until: until)))
  }

  func severity(of notice: Notice) -> Severity {
    switch notice {
    case .session(let notice): severity(of: notice)
    case .atProvider(let notice): severity(of: notice)
    case .newCodeSent, .signedOut, .passwordChanged, .passwordSaved, .requestSent,
      .productTransferred:
      .success
    case .sessionEnded, .passwordPending, .resetByAdministrator, .approvalPending: .info
    case .sessionNotKept, .passwordMaybeChanged, .copyNotStored, .productGone, .serviceBusy,
      .rateLimited, .codeTooSoon, .noConnection, .serviceUnreachable, .noAnswerInTime:
      .warning
    case .invalidCredentials, .accountDeactivated, .codeRefused, .serverFault, .deliveryFailed,
      .signInExpired, .signsInElsewhere, .notRegistered, .resetExpired, .invitationOver,
      .registrationClosed:
      .error
    }
  }

  func banner(_ notice: Notice) -> Banner {
    Banner(
      id: "banner", severity: severity(of: notice), text: self.notice(notice),
      dismissal: say(.dismiss)
    )
  }

  func patience(_ wait: Wait, veryLong: Sentence) -> String {
    switch wait.patience(at: now) {
    case .usual: ""
    case .long: say(.takingLong)
    case .veryLong: say(veryLong)
    }
  }
}
