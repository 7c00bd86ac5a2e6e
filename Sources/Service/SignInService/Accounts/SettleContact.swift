import SignInModel
import SignInRules
import SignInWire

/// What follows a change of the phone number or the e-mail address of an account.
struct ContactSettling: Sendable {
  typealias Records = OutboxRecords & SignOut.Records

  private let notice: SecurityNotice
  /// What the old address and number read.
  private let noticeToOld: SecurityNotice
  private let toOld: NoticeSending
  private let toNew: NoticeSending
  private let now: Instant

  init(
    _ notice: SecurityNotice, toOld noticeToOld: SecurityNotice? = nil, languages: [String] = [],
    at now: Instant, in world: World
  ) {
    self.notice = notice
    self.now = now
    self.noticeToOld = noticeToOld ?? notice
    toOld = NoticeSending(languages: languages, at: now, in: world)
    toNew = NoticeSending(languages: languages, at: now, in: world)
  }

  /// Sends the notices, and ends what a person with the old number or address may have begun.
  ///
  /// A new number ends every session except `own`. Nothing happens if neither has changed.
  func settle(
    _ before: Account, _ after: Account, keeping own: Session?, by caller: Caller,
    _ transaction: any Records
  ) throws(StoreFault) {
    guard before.email != after.email || before.phone != after.phone else { return }
    try notify(before, after, transaction)
    try transaction.signOut(replacing: before, with: after, keeping: own, by: caller, at: now)
  }

  private func notify(
    _ before: Account, _ after: Account, _ transaction: any OutboxRecords
  ) throws(StoreFault) {
    let isMailed =
      try before.email.map { (old) throws(StoreFault) in
        try toOld.mail(noticeToOld, to: old, of: after, transaction)
      } ?? false
    if let new = after.email, new != before.email {
      try toNew.mail(notice, to: new, of: after, transaction)
    }
    // If the person adds an address, only the number can tell that this was another person.
    let isOnlyPhone = !isMailed && noticeToOld != notice
    if let old = before.phone, after.phone != old || isOnlyPhone {
      try toOld.text(noticeToOld, to: old, of: after, transaction)
    }
  }
}

extension SessionRecords where Self: SignOut.Records {
  /// Ends what a person with the old number or address may have begun.
  ///
  /// Another number ends every session except `own`.
  func signOut(
    replacing before: Account, with after: Account, keeping own: Session?, by caller: Caller,
    at now: Instant
  ) throws(StoreFault) {
    let isNewPhone = before.phone != after.phone
    // Another person with the old address may have a code, a link or a waiting password.
    let extent: SignOut =
      isNewPhone ? own.map { .everythingExcept($0) } ?? .everything : .nothingBegun
    try signOut(after.id, from: extent, because: .revoked, by: caller, at: now)
    guard isNewPhone else { return }
    // The new number has received no code to sign in, so no person waits for a cooldown there. The
    // used codes stay, because the answer that proved the number may be repeated.
    for purpose in CodeChallenge.Purpose.allCases {
      let place = CodeChallenge.Key(
        account: after.id, purpose: purpose, holder: .unknownDevices)
      if let code = try codeChallenge(at: place) { try save(code.used(at: now)) }
    }
  }
}
