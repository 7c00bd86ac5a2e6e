public import SignInEngine
import SignInFlow

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
    case .notice(let notice):
      let severity = localizer.severity(of: notice)
      politeness = severity == .error || severity == .warning ? .assertive : .polite
    case .delivery(let update): politeness = update.status == .failed ? .assertive : .polite
    case .fieldsMissing, .codeIncomplete, .emailMalformed, .numberMalformed,
      .codeRefused, .locked, .codeExpired,
      .passwordRefused, .currentPasswordWrong, .nameMalformed, .countryRefused, .appLocked,
      .idleWarning, .needsConnection, .productFormRefused, .statusNoteRefused, .offlineMode,
      .accountUpdate:
      politeness = .assertive
    case .signingIn, .checkingCode, .sendingNewCode, .updatingJobs, .refreshFailed, .takingLong,
      .takingVeryLong,
      .codeSent, .newCodeSent, .resendPossible, .codeExpiresSoon, .lockEnded, .signedIn,
      .jobsListed, .deliveriesListed, .sendingCode, .changingPassword,
      .savingPassword,
      .registering, .registered, .unlocking, .productsListed, .updatingProducts,
      .onlineAgain, .sendingRequest, .transferring, .switchingOrganization, .savingNotes,
      .activitiesListed, .calling, .called, .console:
      politeness = .polite
    }
  }
}

extension Localizer {
  func announce(_ announcement: Announcement) -> String {
    switch announcement {
    case .signingIn: say(.signingIn)
    case .checkingCode: say(.checkingCode)
    case .sendingNewCode: say(.sendingNewCode)
    case .updatingJobs: say(.updatingJobs)
    case .refreshFailed: say(.refreshFailed)
    case .takingLong: say(.takingLong)
    case .takingVeryLong: say(.takingVeryLongSpoken)
    case .notice(let notice): self.notice(notice)
    case .emailMalformed: say(.emailMalformed)
    case .codeSent(let destination): say(.codeSentSpoken, "ending", Self.ending(destination))
    case .newCodeSent(let to): say(.newCodeSentSpoken, "ending", Self.ending(to))
    case .codeRefused(let left): refusedCode(attemptsLeft: left)
    case .delivery(let update): delivery(update)
    case .calling: sayDelivery(.calling)
    case .called: sayDelivery(.called)
    case .resendPossible: say(.resendPossible)
    case .codeExpiresSoon: say(.codeExpiresSoon)
    case .codeExpired: expiredCode
    case .locked(let until, let canReset): lock(until: until, canReset: canReset)
    case .lockEnded: say(.lockEnded)
    case .appLocked: say(.lockTitle)
    case .unlocking: say(.unlocking)
    case .switchingOrganization: say(.switching)
    case .savingNotes: say(.savingNotes)
    case .activitiesListed(let count): activitiesListed(count)
    case .idleWarning(let until): say(.idleText, "time", countdown(to: until))
    case .signedIn: say(.signedIn)
    case .jobsListed(let count): jobsListed(count)
    case .deliveriesListed(let count): deliveriesListed(count)
    case .sendingCode: say(.sendingCode)
    case .fieldsMissing(let fields):
      missing(fields.compactMap { FieldName(rawValue: $0.rawValue) })
    case .codeIncomplete(let digits): incompleteCode(digits: digits)
    // `HomeScreen.announce` has the words.
    case .console: ""
    case .numberMalformed(let region): malformedNumber(in: region)
    case .changingPassword: say(.changingPassword)
    case .savingPassword: say(.savingPassword)
    case .passwordRefused(let fault): refusedPassword(fault)
    case .currentPasswordWrong: say(.currentPasswordWrong)
    case .nameMalformed: say(.nameMalformed)
    case .countryRefused: say(.countryRefused)
    case .registering: say(.registering)
    case .registered(let number): say(.signedUpNext, "number", number)
    case .productsListed(let count): productsListed(count)
    case .updatingProducts: say(.updatingProducts)
    case .offlineMode: say(.offlineModeSpoken)
    case .onlineAgain: say(.onlineAgain)
    case .needsConnection: say(.needsConnection)
    case .sendingRequest: say(.sendingRequest)
    case .transferring: say(.transferring)
    case .productFormRefused(let found): mistake(found)
    case .statusNoteRefused(let found): words(for: found)
    case .accountUpdate(let item): said(item)
    }
  }

  /// The last digits of `***-***-1234`, because it takes long to listen to a masked number.
  private static func ending(_ destination: String) -> String { String(destination.suffix(4)) }
}
