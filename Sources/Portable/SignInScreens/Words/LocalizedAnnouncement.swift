public import SignInEngine
public import SignInFlow
import SignInModel

/// An announcement for a screen reader as text, and whether it may interrupt.
public struct LocalizedAnnouncement: Equatable, Sendable {
  public enum Politeness: String, Sendable { case polite, assertive }

  public let text: String
  public let politeness: Politeness

  init(text: String, politeness: Politeness) {
    self.text = text
    self.politeness = politeness
  }

  /// The words of an app with the given home.
  ///
  /// Only the console's home knows the words of the console, so that phones do not load them.
  public init<Home: HomeScreen>(
    _ announcement: Announcement, in context: FlowContext, of home: Home.Type
  ) {
    let localizer = Localizer(context)
    if case .console(let announcement) = announcement {
      self = Home.announce(announcement, localizer)
    } else {
      self.init(announcement, localizer)
    }
  }

  private init(_ announcement: Announcement, _ localizer: Localizer) {
    text = localizer.announce(announcement)
    switch announcement {
    case .report(let report): politeness = localizer.politeness(of: report)
    case .ownAccount(let message): politeness = message.isSuccess ? .polite : .assertive
    case .delivery(let update): politeness = update.status == .failed ? .assertive : .polite
    case .fieldsMissing, .codeIncomplete, .emailMalformed, .numberMalformed,
      .numberZeroDoubtful, .codeRefused, .locked, .codeExpired, .codeSuperseded, .codeReplaced,
      .passwordRefused, .currentPasswordWrong, .nameMalformed, .countryRefused, .needsConnection,
      .productFormRefused, .statusNoteRefused, .offlineMode:
      politeness = .assertive
    case .checkingCode, .sendingNewCode, .updatingJobs, .refreshFailed, .newCodeSent,
      .resendPossible, .codeExpiresSoon, .lockEnded, .jobsListed, .deliveriesListed, .sendingCode,
      .changingPassword, .savingPassword, .registering, .registered, .registrationApproved,
      .productsListed, .updatingProducts, .onlineAgain, .sendingRequest, .transferring,
      .savingNotes, .activitiesListed, .calling, .called, .console:
      politeness = .polite
    }
  }
}

extension Localizer {
  func announce(_ announcement: Announcement) -> String {
    switch announcement {
    case .report(let report): announce(report)
    case .checkingCode: say(.checkingCode)
    case .sendingNewCode: say(.sendingNewCode)
    case .updatingJobs: say(.updatingJobs)
    case .refreshFailed: say(.refreshFailed)
    case .emailMalformed: say(.emailMalformed)
    case .newCodeSent(let to): codeSent(.newCodeSentSpoken, to: to)
    case .codeRefused(let left): refusedCode(attemptsLeft: left)
    case .delivery(let update): delivery(update)
    case .calling: sayDelivery(.calling)
    case .called: sayDelivery(.called)
    case .resendPossible: say(.resendPossible)
    case .codeExpiresSoon: say(.codeExpiresSoon)
    case .codeExpired: expiredCode
    case .codeSuperseded: say(.codeSuperseded)
    case .codeReplaced: say(.codeReplaced)
    case .locked(let until, let canReset): lock(until: until, canReset: canReset)
    case .lockEnded: say(.lockEnded)
    case .savingNotes: say(.savingNotes)
    case .activitiesListed(let count): activitiesListed(count)
    case .jobsListed(let count): jobsListed(count)
    case .deliveriesListed(let count): deliveriesListed(count)
    case .sendingCode: say(.sendingCode)
    case .fieldsMissing(let fields):
      missing(fields.compactMap { FieldName(rawValue: $0.rawValue) })
    case .codeIncomplete(let digits): incompleteCode(digits: digits)
    // `HomeScreen.announce` has the words.
    case .console: ""
    case .numberMalformed(let region): malformedNumber(in: region)
    case .numberZeroDoubtful: say(.numberZeroDoubtful)
    case .changingPassword: say(.changingPassword)
    case .savingPassword: say(.savingPassword)
    case .passwordRefused(let fault): refusedPassword(fault)
    case .currentPasswordWrong: say(.currentPasswordWrong)
    case .ownAccount(let message): words(message)
    case .nameMalformed: say(.nameMalformed)
    case .countryRefused: say(.countryRefused)
    case .registering: say(.registering)
    case .registered(let number): say(.signedUpNext, "number", number)
    case .registrationApproved(let number): say(.signUpApproved, "number", number)
    case .productsListed(let count): productsListed(count)
    case .updatingProducts: say(.updatingProducts)
    case .offlineMode: say(.offlineModeSpoken)
    case .onlineAgain: say(.onlineAgain)
    case .needsConnection: say(.needsConnection)
    case .sendingRequest: say(.sendingRequest)
    case .transferring: say(.transferring)
    case .productFormRefused(let found): mistake(found)
    case .statusNoteRefused(let found): words(for: found)
    }
  }

  private func announce(_ report: EngineReport) -> String {
    switch report {
    case .signingIn: say(.signingIn)
    case .takingLong: say(.takingLong)
    case .takingVeryLong: say(.takingVeryLongSpoken)
    case .notice(let notice): self.notice(notice)
    case .codeSent(let destination): codeSent(.codeSentSpoken, to: destination)
    case .appLocked: say(.lockTitle)
    case .unlocking: say(.unlocking)
    case .switchingOrganization: say(.switching)
    case .idleWarning(let until): say(.idleText, "time", countdown(to: until))
    case .signedIn: say(.signedIn)
    case .accountUpdate(let item): said(item)
    }
  }

  fileprivate func politeness(of report: EngineReport) -> LocalizedAnnouncement.Politeness {
    switch report {
    case .notice(let notice):
      let severity = self.severity(of: notice)
      return severity == .error || severity == .warning ? .assertive : .polite
    case .appLocked, .idleWarning, .accountUpdate: return .assertive
    case .signingIn, .takingLong, .takingVeryLong, .codeSent, .signedIn, .unlocking,
      .switchingOrganization:
      return .polite
    }
  }

  /// The sentence with the last digits, or the one for a destination of which none are shown.
  fileprivate func codeSent(_ sentence: Sentence, to destination: String) -> String {
    guard !destination.hasSameBytes(as: PhoneNumber.withoutDigits) else {
      return say(.codeSentUnseenSpoken)
    }
    return say(sentence, "ending", Self.ending(destination))
  }

  /// The last digits of `***-***-1234`, because it takes long to listen to a masked number.
  private static func ending(_ destination: String) -> String {
    let bytes = Array(destination.utf8)
    var (start, length) = (bytes.count, 0)
    while start > 0, length < 4 {
      start -= 1
      // The other bytes of a character begin with the bits 10.
      if bytes[start] & 0xC0 != 0x80 { length += 1 }
    }
    return String(decoding: bytes[start...], as: UTF8.self)
  }
}
