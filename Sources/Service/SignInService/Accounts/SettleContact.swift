import SignInModel
import SignInRules

/// What follows a change of the phone number or the e-mail address of an account.
struct ContactSettling: Sendable {
  typealias Records =
    CodeRecords & KnownDevice.Records & OutboxRecords & ResetMeansRecords & SignInRecords

  private let notice: SecurityNotice
  private let toOld: NoticeSending
  private let toNew: NoticeSending

  init(_ notice: SecurityNotice, languages: [String] = [], at now: Instant, in world: World) {
    self.notice = notice
    toOld = NoticeSending(languages: languages, at: now, in: world)
    toNew = NoticeSending(languages: languages, at: now, in: world)
  }

  /// Removes what a person with the old number or address may hold, and sends the notices.
  ///
  /// `thumbprint` is the device that stays known. Nothing happens if neither has changed.
  func settle(
    _ before: Account, _ after: Account, exceptDevice thumbprint: String?,
    _ transaction: any Records
  ) throws(StoreFault) {
    guard before.email != after.email || before.phone != after.phone else { return }
    // Another person with the old address may have a code, a link or a waiting password.
    try transaction.removePasswordResetMeans(after.id)
    try notify(before, after, transaction)
    guard before.phone != after.phone else { return }
    try transaction.removeSignInAttempts(of: after.id)
    try transaction.removeCodeChallenges(of: after.id, heldBy: .unknownDevices)
    try transaction.forgetDevices(of: after.id, except: thumbprint)
  }

  private func notify(
    _ before: Account, _ after: Account, _ transaction: any OutboxRecords
  ) throws(StoreFault) {
    if let old = before.email { try toOld.mail(notice, to: old, of: after, transaction) }
    if let new = after.email, new != before.email {
      try toNew.mail(notice, to: new, of: after, transaction)
    }
    if let old = before.phone, after.phone != old {
      try toOld.text(notice, to: old, of: after, transaction)
    }
  }
}
