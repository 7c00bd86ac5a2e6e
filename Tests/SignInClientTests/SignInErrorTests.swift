import Foundation
import SignInEngine
import Testing

@testable import SignInClient

@Suite("Texts of errors")
struct SignInErrorTests {
  static let moment = Date(seconds: 1_800_000_000)

  static let all: [SignInError] =
    [
      .invalidCredentials, .emailMalformed, .phoneMalformed, .nameMalformed,
      .wrongCode(attemptsLeft: 3), .codeExpired, .codeSuperseded, .codeIncomplete(digits: 6),
      .notRegistered,
      .accountDeactivated, .lockedOut(until: moment), .signsInElsewhere,
      .resendTooSoon(until: moment), .rateLimited(until: moment), .deliveryFailed(until: moment),
      .signInExpired, .passwordChangeUnconfirmed, .sessionExpired, .sessionEndedElsewhere,
      .passwordChangedElsewhere, .sessionUnsafe, .sessionDamaged, .appLockChanged, .unlockCancelled,
      .unlockBusy, .notSignedIn, .appLocked, .storageUnavailable, .noConnection,
      .serviceUnreachable, .noAnswerInTime, .serviceBusy, .serverFault,
      .addressNotAllowed, .requestMalformed, .notPossibleNow, .cancelled,
    ]
    + SignInError.ProviderFault.allCases.map { .provider($0) }
    + [
      "password_too_short", "password_too_long", "password_too_common", "reset_by_administrator",
      "registration_closed", "country_not_supported", "not_a_member", "insufficient_scope", "other",
    ].map { .refused(code: $0) }

  @Test("R-08 every error has its own text, in three languages", arguments: all)
  func texts(_ error: SignInError) {
    let texts = Language.allCases.map { error.texts(in: $0) }

    #expect(texts.allSatisfy { !$0.description.isEmpty && $0.suggestion != "" })
    #expect(Set(texts.map(\.description)).count == 3)
    let suggestions = texts.compactMap(\.suggestion)
    #expect(suggestions.isEmpty || Set(suggestions).count == 3)
    #expect(texts[0].description.hasSuffix("."))
  }

  @Test("No two errors have the same text", arguments: Language.allCases)
  func distinct(_ language: Language) {
    #expect(Set(Self.all.map { $0.texts(in: language).description }).count == Self.all.count)
  }

  @Test("The numbers of an error are in its text")
  func numbers() {
    let error = SignInError.wrongCode(attemptsLeft: 3)
    #expect(error.texts(in: .hindi).description.contains("3"))
    #expect(SignInError.codeIncomplete(digits: 8).texts(in: .norwegian).description.contains("8"))
    #expect(error.errorDescription == error.texts(in: .preferred).description)
    #expect(error.localizedDescription == error.errorDescription)
    #expect(SignInError.cancelled.recoverySuggestion == nil)
  }
}
