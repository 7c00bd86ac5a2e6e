/// The languages every sentence exists in.
public enum Language: String, Sendable, CaseIterable {
  case english = "en"
}

/// Every sentence a person can meet, under a key that never changes.
///
/// `{name}` marks what is filled in. A sentence that counts has a twin for one.
public enum Sentence: String, Sendable, CaseIterable {
  // MARK: Everywhere
  case product = "product"
  case dismiss = "dismiss"
  case back = "back"
  case cancel = "cancel"
  case tryAgain = "try_again"
  case opening = "opening"
  case takingLong = "taking_long"
  case takingVeryLong = "taking_very_long"
  case noAnswerYet = "no_answer_yet"
  case takingVeryLongSpoken = "taking_very_long.spoken"

  // MARK: Credentials
  case signIn = "sign_in"
  case signInLead = "sign_in.lead"
  case email = "email"
  case emailPlaceholder = "email.placeholder"
  case emailMalformed = "email.malformed"
  case password = "password"
  case show = "password.show"
  case hide = "password.hide"
  case showPassword = "password.show.name"
  case hidePassword = "password.hide.name"
  case login = "login"
  case signingIn = "signing_in"
  case forgotPassword = "forgot_password"

  // MARK: Code
  case enterCode = "code.enter"
  case codeSent = "code.sent"
  case codeSentSpoken = "code.sent.spoken"
  case newCodeSentSpoken = "code.sent_again.spoken"
  case codeLabel = "code.label"
  case verify = "code.verify"
  case checkingCode = "code.checking"
  case codeRefused = "code.refused"
  case attemptLeft = "code.attempt_left"
  case attemptsLeft = "code.attempts_left"
  case resend = "code.resend"
  case resendIn = "code.resend_in"
  case resendPossible = "code.resend_possible"
  case sendingNewCode = "code.sending_again"
  case newCodeSent = "code.sent_again"
  case codeExpiresIn = "code.expires_in"
  case codeExpiresSoon = "code.expires_soon"
  case codeExpired = "code.expired"

  // MARK: Locked, and another password
  case lockedTitle = "locked.title"
  case lockedMinute = "locked.minute"
  case lockedMinutes = "locked.minutes"
  case restingMinute = "locked.resting.minute"
  case restingMinutes = "locked.resting.minutes"
  case lockedUntil = "locked.until"
  case lockedWhy = "locked.why"
  case lockEnded = "locked.ended"
  case resetPassword = "reset.open"
  case useAnotherAccount = "use_another_account"
  case resetTitle = "reset.title"
  case resetLead = "reset.lead"
  case resetSafety = "reset.safety"
  case newPassword = "reset.password"
  case newPasswordHelp = "reset.password.help"
  case passwordTooShort = "reset.password.too_short"
  case passwordTooLong = "reset.password.too_long"
  case passwordTooCommon = "reset.password.too_common"
  case changePassword = "reset.change"
  case changingPassword = "reset.changing"
  case passwordChanged = "notice.password_changed"
  case passwordPerhapsChanged = "notice.password_perhaps_changed"
  case resetExpired = "notice.reset_expired"

  // MARK: Notices
  case invalidCredentials = "notice.invalid_credentials"
  case accountDeactivated = "notice.account_deactivated"
  case noConnection = "notice.no_connection"
  case noAnswerInTime = "notice.no_answer_in_time"
  case serverFault = "notice.server_fault"
  case serviceBusy = "notice.service_busy"
  case codeTooSoonSecond = "notice.code_too_soon.second"
  case codeTooSoonSeconds = "notice.code_too_soon.seconds"
  case codeTooSoonMinutes = "notice.code_too_soon.minutes"
  case codeTooSoonNow = "notice.code_too_soon.now"
  case rateLimitedSecond = "notice.rate_limited.second"
  case rateLimitedSeconds = "notice.rate_limited.seconds"
  case rateLimitedMinutes = "notice.rate_limited.minutes"
  case rateLimitedNow = "notice.rate_limited.now"
  case deliveryFailedSecond = "notice.delivery_failed.second"
  case deliveryFailedSeconds = "notice.delivery_failed.seconds"
  case deliveryFailedMinutes = "notice.delivery_failed.minutes"
  case deliveryFailedNow = "notice.delivery_failed.now"
  case emailNotRegistered = "notice.email_not_registered"
  case signInExpired = "notice.sign_in_expired"
  case signsInElsewhere = "notice.signs_in_elsewhere"
  case sessionEnded = "notice.session_ended"
  case signedOut = "notice.signed_out"
  case sessionNotKept = "notice.session_not_kept"

  // MARK: Opening
  case storageTitle = "storage.title"
  case storageAdvice = "storage.advice"
  case signInAgain = "storage.sign_in_again"

  // MARK: Assigned jobs
  case assignedJobs = "jobs"
  case loadingJobs = "jobs.loading"
  case updatingJobs = "jobs.updating"
  case jobsAsOf = "jobs.as_of"
  case refresh = "jobs.refresh"
  case today = "jobs.today"
  case tomorrow = "jobs.tomorrow"
  case noJobToday = "jobs.none_today"
  case noJobsTitle = "jobs.none.title"
  case noJobsAdvice = "jobs.none.advice"
  case jobsUnknownTitle = "jobs.unknown.title"
  case jobListed = "jobs.listed.one"
  case jobsListed = "jobs.listed"
  case offlineAsOf = "offline.as_of"
  case offline = "offline"
  case staleAsOf = "stale.as_of"
  case signedIn = "signed_in"
  case scheduled = "job.scheduled"
  case onTheWay = "job.on_the_way"
  case inProgress = "job.in_progress"
  case done = "job.done"
  case accountMenu = "account.menu"
  case accountMenuNamed = "account.menu.named"
  case signOut = "account.sign_out"

  // MARK: Why a session is over, or rests
  case signedOutElsewhere = "ended.signed_out"
  case sessionRevoked = "ended.revoked"
  case sessionUnsafe = "ended.reuse_detected"
  case passwordChangedElsewhere = "ended.password_changed"
  case sessionRestsMinute = "session.rests.minute"
  case sessionRestsMinutes = "session.rests.minutes"
  case idleTooLong = "ended.idle"
  case awayTooLong = "ended.away"
  case confirmTitle = "confirm.title"
  case confirming = "confirm.waiting"
  case confirmAdvice = "confirm.advice"
  case idleTitle = "idle.title"
  case idleText = "idle.text"
  case staySignedIn = "idle.stay"

  // MARK: Lock
  case lockTitle = "lock.title"
  case unlock = "lock.unlock"
  case unlocking = "lock.unlocking"
  case useAnotherWay = "lock.other_way"
  case lockOfferTitle = "lock.offer.title"
  case lockOfferText = "lock.offer.text"
  case lockNeededText = "lock.offer.needed"
  case turnOn = "lock.turn_on"
  case notNow = "lock.not_now"
  case setLock = "lock.set"
  case removeLock = "lock.remove"
  case lockSet = "notice.lock_set"
  case lockRemoved = "notice.lock_removed"
  case lockNotSet = "notice.lock_not_set"
  case lockImpossible = "notice.lock_impossible"
  case lockChanged = "notice.lock_changed"
  case unlockCancelled = "notice.unlock_cancelled"
  case unlockBusy = "notice.unlock_busy"

  // MARK: An app without a home screen of its own
  case welcomeAdvice = "welcome.advice"

  // MARK: The rider's app
  case riderLead = "rider.lead"
  case mobileNumber = "phone"
  case country = "phone.country"
  case numberMalformed = "phone.malformed"
  case numberMalformedTen = "phone.malformed.ten"
  case sendCode = "code.send"
  case sendingCode = "code.sending"
  case changeNumber = "phone.change"
  case numberNotRegistered = "notice.number_not_registered"
  case riderCodeRefused = "rider.code.refused"
  case riderCodeExpired = "rider.code.expired"
  case riderLockedMinute = "rider.locked.minute"
  case riderLockedMinutes = "rider.locked.minutes"
  case riderLockedWhy = "rider.locked.why"
  case useAnotherNumber = "use_another_number"
  case newHere = "sign_up.open"
  case signUp = "sign_up"
  case signUpLead = "sign_up.lead"
  case name = "name"
  case nameMalformed = "name.malformed"
  case countryRefused = "phone.country.refused"
  case registering = "sign_up.sending"
  case signedUpTitle = "signed_up.title"
  case awaitingApproval = "signed_up.awaiting"
  case signedUpNext = "signed_up.next"
  case signedUpUnsure = "signed_up.unsure"
  case backToSignIn = "signed_up.back"
  case registrationClosed = "notice.registration_closed"
  case dashboard = "dashboard"
  case loadingDeliveries = "dashboard.loading"
  case deliveriesUnknownTitle = "dashboard.unknown.title"
  case deliveriesToday = "dashboard.today"
  case summary = "dashboard.summary"
  case remaining = "dashboard.remaining"
  case total = "dashboard.total"
  case delivered = "delivery.delivered"
  case notDelivered = "delivery.failed"
  case assigned = "delivery.assigned"
  case pickedUp = "delivery.picked_up"
  case parcel = "delivery.parcel"
  case parcels = "delivery.parcels"
  case noDeliveriesTitle = "dashboard.none.title"
  case noDeliveriesAdvice = "dashboard.none.advice"
  case deliveryListed = "dashboard.listed.one"
  case deliveriesListed = "dashboard.listed"
  case offlineDeliveriesAsOf = "dashboard.offline"
  case staleDeliveriesAsOf = "dashboard.stale"

  public func text(in language: Language) -> String {
    switch language {
    case .english: english
    }
  }

  /// The sentence with each `{name}` replaced by its value.
  func text(in language: Language, _ values: [(name: String, value: String)]) -> String {
    var filled: [UInt8] = []
    var name: [UInt8]?
    for byte in text(in: language).utf8 {
      if byte == UInt8(ascii: "{") {
        name = []
      } else if byte == UInt8(ascii: "}"), let wanted = name {
        for entry in values where Array(entry.name.utf8) == wanted {
          filled.append(contentsOf: entry.value.utf8)
        }
        name = nil
      } else if name != nil {
        name?.append(byte)
      } else {
        filled.append(byte)
      }
    }
    return String(decoding: filled, as: UTF8.self)
  }
}
